import { isSentinel, type ColumnGuess } from './column-guess.ts';
import { accountSection } from './account-section.ts';
import { deletedRows } from './deleted-rows.ts';
import { described } from './described-column.ts';
import { oneLine, quoted } from './mapping-lines.ts';
import { isKeyName } from './name-words.ts';
import type { TextShape } from '../../domain/text-shape.ts';
import type { GuessedColumn, GuessedTable, UnsureWay, Via } from './guessed-table.ts';

/**
 * A first mapping file from the guesses, with the accounts table first. It can be read and bound unchanged. `schema`
 * is the path of the mapping's JSON Schema, for editors; `leftOut` says of tables why they are left out.
 */
export function writeMapping(
  tables: readonly GuessedTable[],
  schema: string,
  leftOut: readonly string[] = [],
): string {
  const keyed = tables.filter(({ key }) => key !== undefined);
  const [accounts] = keyed;
  if (accounts === undefined) throw new Error('A mapping needs an accounts table.');
  const others = tables.filter(({ key }) => key === undefined);
  return [
    `# yaml-language-server: $schema=${schema}`,
    '# Written by migrate init from the first rows of each file. All of it is a guess: check every line, then',
    '#   migrate validate <export> --mapping <this file>',
    '#   migrate explain <export> <account> --mapping <this file>',
    '# The language: docs/mapping.md of the package.',
    'version: 1',
    '',
    ...formatLines(tables),
    'tables:',
    ...keyed.flatMap((table) => [
      ...(table.reason === undefined ? [] : [`  # ${oneLine(table.reason)}`]),
      ...deletedRows(table).map((line) => `  # ${line}`),
      `  ${declaration(table, tables)}`,
    ]),
    ...others.flatMap((table) => unreached(table, tables)),
    ...leftOut.map((why) => `  # Left out: ${oneLine(why)}`),
    '',
    ...accountSection(keyed),
    '',
    ...rest(
      keyed.slice(1),
      others.filter(({ unsure }) => unsure.length > 0),
    ),
  ].join('\n');
}

/** The format section: how the texts of the tables are written. */
export function formatLines(tables: readonly GuessedTable[]): string[] {
  const columns = tables.flatMap((table) => table.columns);
  const amounts = tables.flatMap(amountsIn);
  const mark = mostOften(amounts.map((amount) => amount.mark));
  // A column with other marks may use this decimal mark for its thousands.
  const thousands = amounts.find((amount) => amount.mark === mark && amount.thousands !== '')?.thousands;
  const signs = [...new Set(amounts.flatMap((amount) => amount.signs))].sort();
  const lines = [
    ...said('encoding', shared(tables, 'encoding', 'utf-8')),
    ...guessedEncodings(tables),
    ...said('delimiter', shared(tables, 'delimiter', ',')),
    ...said('dates', mostOften(patterns(columns, 'date'))),
    ...said('datetimes', mostOften(patterns(columns, 'datetime'))),
    ...said('decimal_mark', mark),
    ...said('thousands_mark', thousands),
    ...(signs.every((sign) => sign === 'leading')
      ? []
      : [`  sign: ${signs.length === 1 ? signs.join('') : `[${signs.join(', ')}]`}`]),
    ...emptyTexts(tables),
  ];
  const zone = "# the old system's time zone; default: UTC";
  if (lines.length === 0) return [`# format: { zone: Europe/Berlin } ${zone}`, ''];
  // Without a line that is no comment, the section would be none.
  const isEmpty = lines.every((line) => line.startsWith('  #'));
  return [
    'format:',
    ...(isEmpty ? ["  decimal_mark: '.'"] : []),
    ...lines,
    `  # zone: Europe/Berlin ${zone}`,
    '',
  ];
}

/** What stands for an empty value, and where: it may be a value elsewhere, such as a name. */
function emptyTexts(tables: readonly GuessedTable[]): string[] {
  const texts = new Set<string>();
  const columns = new Set<string>();
  for (const { sample } of tables)
    for (const row of sample.rows)
      for (const [column, text] of row) {
        if (!isSentinel(text)) continue;
        texts.add(text);
        columns.add(`${placeOf(sample)}:${column}`);
      }
  if (texts.size === 0) return [];
  const all = [...columns];
  const named = all.slice(0, 3).join(', ') + (all.length > 3 ? ` and ${all.length - 3} more columns` : '');
  return [
    `  # A guess (${oneLine(named)}): remove what is a value somewhere, such as a name`,
    `  empty: [${[...texts].map((text) => quoted(text)).join(', ')}]`,
  ];
}

/** The amounts that are texts: a mapping's marks do not apply to the numbers of a workbook. */
function amountsIn({ sample, columns }: GuessedTable): (ColumnGuess & { readonly kind: 'amount' })[] {
  const isTyped = /\.(?:xls[xm]|parquet)$/i.test(sample.file);
  return columns.flatMap(({ guess }) =>
    guess.kind !== 'amount' ||
    ((isTyped || sample.declared !== undefined) && guess.mark === '.' && guess.thousands === '')
      ? []
      : [guess],
  );
}

function said(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`  ${key}: ${quoted(value)}`];
}

/** As comments: the commands warn of a guess only if no encoding is stated. */
function guessedEncodings(tables: readonly GuessedTable[]): string[] {
  const guessed = tables.flatMap(({ sample }) => (sample.isEncodingGuess ? [sample] : []));
  const encodings = [...new Set(guessed.map(({ encoding = '' }) => encoding))].map((encoding) => {
    return { encoding, files: guessed.filter((sample) => sample.encoding === encoding).map(placeOf) };
  });
  return encodings
    .sort((one, other) => other.files.length - one.files.length)
    .map(({ encoding, files }, at) => {
      const named = oneLine(
        files.slice(0, 3).join(', ') + (files.length > 3 ? ` and ${files.length - 3} more` : ''),
      );
      // A mapping has one encoding for all tables, and each table may state its own.
      return at === 0
        ? `  # encoding: ${quoted(encoding)} # a guess (${named}): check names with accents, then remove the first #`
        : `  # ${encoding} is a guess (${named}): check names with accents, then add encoding: ${quoted(encoding)} to these tables`;
    });
}

/** The settings that all files share and that differ from the default. */
function shared(
  tables: readonly GuessedTable[],
  key: 'encoding' | 'delimiter',
  usual: string,
): string | undefined {
  // A file without a stated encoding would be read in the shared one.
  if (key === 'encoding' && tables.some(({ sample }) => sample.isEncodingGuess)) return undefined;
  const most = mostOften(tables.flatMap(({ sample }) => sample[key] ?? []));
  return most === usual ? undefined : most;
}

function patterns(columns: readonly GuessedColumn[], kind: 'date' | 'datetime'): string[] {
  return columns.flatMap(({ guess }) => (guess.kind === kind && guess.pattern !== '' ? [guess.pattern] : []));
}

function declaration(table: GuessedTable, tables: readonly GuessedTable[]): string {
  const { name, sample, key = '', keyShape, via, columns } = table;
  const own = (['encoding', 'delimiter'] as const).flatMap((format) => {
    const usual = format === 'encoding' ? 'utf-8' : ',';
    const value = sample[format];
    const isGuess = format === 'encoding' && sample.isEncodingGuess === true;
    // The guess for others becomes the encoding of all tables, except those that state theirs.
    const isGuessed = format === 'encoding' && tables.some((other) => other.sample.isEncodingGuess);
    const common = isGuessed ? undefined : (shared(tables, format, usual) ?? usual);
    return value === undefined || value === common || isGuess ? [] : [`, ${format}: ${quoted(value)}`];
  });
  for (const kind of ['date', 'datetime'] as const) {
    const value = mostOften(patterns(columns, kind));
    const all = tables.flatMap((other) => patterns(other.columns, kind));
    if (value !== undefined && value !== mostOften(all)) own.push(`, ${kind}s: ${quoted(value)}`);
  }
  if (sample.quote !== undefined) own.push(`, quote: ${quoted(sample.quote)}`);
  if (sample.isHeaderless === true)
    own.push(`, columns: [${sample.columns.map((column) => quoted(column)).join(', ')}]`);
  const sheet = sample.sheet === undefined ? '' : `, sheet: ${quoted(sample.sheet)}`;
  const doubts = [
    ...(name === 'accounts' && keyShape !== undefined ? ['payloads have the changed number'] : []),
    ...(sample.isHeaderless === true ? ['it seems to have no header: name its columns'] : []),
    ...(sample.isEncodingOfOthers === true ? ['the encoding is that of the other files: check it'] : []),
  ];
  const comment = doubts.length === 0 ? '' : ` # ${doubts.join('; ')}`;
  const link = via === undefined ? '' : `, via: ${viaText(via, table)}`;
  return `${name}: { file: ${quoted(sample.file)}${sheet}, key: ${keyText(key, keyShape)}${link}${own.join('')} }${comment}`;
}

/** A table without a certain way to the accounts, as a comment, with what may be one. */
function unreached(table: GuessedTable, tables: readonly GuessedTable[]): string[] {
  if (table.unsure.length === 0)
    return [`  # ${oneLine(placeOf(table.sample))}: no column looks like the account number; a code table?`];
  return table.unsure.flatMap((way: UnsureWay, at) => [
    ...(at === 0
      ? [`  # ${oneLine(placeOf(table.sample))}: unsure. Ask, then uncomment a line that is right:`]
      : []),
    `  # ${declaration({ ...table, ...way }, tables)} # ${oneLine(way.reason)}`,
  ]);
}

function viaText(
  { table, column }: Via,
  { key = '', keyShape, isCatalogue }: Pick<GuessedTable, 'key' | 'keyShape' | 'isCatalogue'>,
): string {
  // Rows of accounts name the rows of a catalogue: one is of several accounts, or of none.
  if (isCatalogue) return `{ table: ${table}, column: ${keyText(column, keyShape)}, several: true }`;
  return column === key ? table : `{ table: ${table}, column: ${keyText(column, keyShape)} }`;
}

function keyText(key: string, shape: TextShape | undefined): string {
  if (shape === undefined) return quoted(key);
  const { replace = [], digits, pad } = shape;
  const changes = [
    ...replace.map(({ pattern, with: by }) => `replace: { pattern: '${pattern}', with: '${by}' }`),
    ...(digits === true ? ['digits: true'] : []),
    ...(pad === undefined ? [] : [`pad: ${pad.width}`]),
  ];
  return `{ of: ${quoted(key)}, ${changes.join(', ')} }`;
}

/** Payments in the languages of the columns' names. */
const ofPayments =
  /pay|zahl|transact|posting|buchung|r[eè]gl[eè]ment|versement|encaiss|paiement|pagos?(?:_|$)|cobros?(?:_|$)|pagament|incass|betaling|wp[lł]at|p[lł]atno/i;
/** Amounts that are part of a sum, or no money. */
const partial =
  /(?:freight|ship|discount|rabatt|tax|steuer|mwst|vat|fee|rate|price|preis|quantity|menge|qty|weight|percent|pct|units?|subtotal|net)/i;
const whole = /(?:total|due|amount|betrag|paid|summe)/i;

/** The amount of a row: what is called a total before others, and no part of one. */
function amountIn(columns: readonly GuessedColumn[]): GuessedColumn | undefined {
  const amounts = columns.filter(({ name, guess }) => guess.kind === 'amount' && !partial.test(name));
  return amounts.find(({ name }) => whole.test(name)) ?? amounts[0];
}

/** A section that reads one of the tables, as a comment: payments where rows have an amount and a date, notes otherwise. */
export function sectionExample(tables: readonly GuessedTable[]): string[] {
  const dated = tables.flatMap((table) => {
    if (table.isCatalogue) return [];
    const columns = table.columns.filter(({ name }) => name !== table.key);
    const amount = amountIn(columns);
    const day = columns.find(({ guess }) => guess.kind === 'date' || guess.kind === 'datetime');
    const id = columns.find(({ name, guess }) => isKeyName(name) && guess.kind !== 'empty');
    return amount && day && id ? [{ name: table.name, amount, day, id }] : [];
  });
  const best = dated.find(({ name }) => ofPayments.test(name)) ?? dated[0];
  if (best !== undefined) {
    const { name, id, day, amount } = best;
    const isPayment = ofPayments.test(name);
    return [
      ...(isPayment
        ? []
        : ['# (only if its rows are payments, and with the sign and the type that they have)']),
      `# transactions: { from: ${name}, each: { transaction_id: ${quoted(id.name)}, transaction_date: ${dayOf(day)}, amount: ${quoted(amount.name)}, type: { constant: PAYMENT } } }`,
    ];
  }
  const texts = (table: GuessedTable): GuessedColumn[] =>
    table.columns.filter(({ name, guess }) => guess.kind === 'text' && name !== table.key);
  const example = tables.find((table) => texts(table).length > 0) ?? tables[0];
  if (example === undefined) return [];
  return [
    `#   notes: { from: ${example.name}, each: { body: ${quoted(texts(example)[0]?.name ?? 'TEXT')} } }`,
  ];
}

/** The day of a column; of one with a time of day, without that. */
function dayOf({ name, guess }: GuessedColumn): string {
  if (guess.kind !== 'datetime') return quoted(name);
  const without = guess.pattern === '' ? 'may_lose: true' : `date: ${quoted(guess.pattern)}`;
  return `{ column: ${quoted(name)}, ${without} }`;
}

function rest(tables: readonly GuessedTable[], unsure: readonly GuessedTable[]): string[] {
  if (tables.length + unsure.length === 0) return [];
  return [
    '# The columns of the other files. Read their rows with from: in account (supply_addresses, ledgers and so on), or in a',
    '# section of their own: notes, transactions, historical_agreements, historical_billing_documents, historical_statements,',
    '# payment_instructions. For example:',
    ...sectionExample([...tables, ...unsure]),
    ...[...tables, ...unsure].flatMap(({ name, sample, key, columns }) => [
      '#',
      `# ${name} (${oneLine(placeOf(sample))})`,
      ...columns.filter((column) => column.name !== key).map((column) => `#   ${described(column)}`),
    ]),
    '',
  ];
}

function placeOf({ file, sheet }: GuessedTable['sample']): string {
  return sheet === undefined ? file : `${file}, sheet ${sheet}`;
}

function mostOften(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}
