/** How a kind of database writes names and joins texts. */
export type SqlDialect = 'postgres' | 'mysql' | 'sqlite';

/** Words that no database takes as a plain name. */
const reserved = new Set(
  (
    'all analyse analyze and any array as asc between both by case cast change check collate column condition constraint create cross ' +
    'current database default delete desc describe distinct div do drop else end except exists explain false fetch for foreign ' +
    'from full function grant group groups having if ignore in index inner insert interval into is join key keys kill lateral ' +
    'leading left like limit lines load lock match natural not null of off offset on only option or order outer over partition ' +
    'placing primary procedure range rank read references rename replace returning revoke right row rows schema select session_user set ' +
    'show some system table then to trailing trigger true union unique unlock update usage use user using values variadic when ' +
    'where window with write'
  ).split(' '),
);

/** A name as a query has it: in quotes where it needs them. */
export function sqlName(name: string, dialect: SqlDialect): string {
  // PostgreSQL makes small letters of plain names.
  const isPlain = (dialect === 'postgres' ? /^[a-z_][a-z\d_]*$/ : /^[A-Za-z_]\w*$/).test(name);
  if (isPlain && !reserved.has(name.toLowerCase())) return name;
  const mark = dialect === 'mysql' ? '`' : '"';
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
}

/** An expression for several columns as one text, with a hyphen between them. */
export function joinedText(expressions: readonly string[], dialect: SqlDialect): string {
  if (expressions.length === 1) return expressions[0] ?? '';
  return dialect === 'mysql'
    ? `CONCAT(${expressions.join(", '-', ")})`
    : expressions.map((expression) => `CAST(${expression} AS text)`).join(" || '-' || ");
}
