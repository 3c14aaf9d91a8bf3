import type { ColumnGuess } from './column-guess.ts';
import {
  fieldsOf,
  isOnce,
  tableWith,
  type FieldGuess,
  type Hop,
  type LinkedPart,
  type Part,
} from './account-fields.ts';
import { kindForBills } from './address-kinds.ts';
import { contactsIn } from './contact-fields.ts';
import { quoted } from './mapping-lines.ts';
import { described } from './described-column.ts';
import type { GuessedColumn, GuessedTable } from './guessed-table.ts';
import { supplierLine } from './supplier-column.ts';

/** The account section of a mapping: what names of columns say, and the rest as comments. Its comments are valid lines as well. */
export function accountSection(tables: readonly GuessedTable[]): string[] {
  const [accounts] = tables;
  if (accounts === undefined) return [];
  const fields = fieldsOf(accounts, tables);
  const own = fields.filter(({ part }) => part === 'account');
  const address = partLines('billing_address', fields, tables);
  const customers = partLines('customers', fields, tables);
  const taken = new Set([
    accounts.key,
    ...fields.flatMap(({ column, otherwise, house, from }) =>
      from === undefined ? [column, otherwise, house?.column] : [],
    ),
  ]);
  const left = accounts.columns.filter(({ name }) => !taken.has(name));
  const lines = [...own.map(({ field, column }) => `${field}: ${quoted(column)}`), ...address, ...customers];
  const supplier = supplierLine(accounts);
  const rest = [
    ...(left.length === 0 ? [] : ['# Not mapped yet:']),
    ...left.map((column) => `#   ${described(column)}`),
  ];
  // Braces take lines that are uncommented; without them, an empty section would be none.
  const isEmpty = lines.every((line) => line.startsWith('#'));
  if (isEmpty)
    return ['account:', '  {', ...[supplier, ...lines, ...rest].map((line) => `    ${line}`), '  }'];
  return ['account:', ...[supplier, ...lines, ...rest].map((line) => `  ${line}`)];
}

/** An object of the account, from its own row or from that of another table. */
function partLines(part: Part, fields: readonly FieldGuess[], tables: readonly GuessedTable[]): string[] {
  const own = fields.filter((field) => field.part === part);
  const linked =
    own.filter(({ from }) => from === undefined).length < 2 ? tableWith(part, tables) : undefined;
  if (linked !== undefined) return linkedLines(part, linked);
  const [accounts] = tables;
  if (own.length === 0 || accounts === undefined) return [];
  const lines = own.map((field) => fieldLine(field, accounts, fields));
  if (part === 'billing_address')
    return ['billing_address:', ...withCountry(lines).map((line) => `  ${line}`)];
  const known = new Set(own.map(({ field }) => field));
  const contacts = contactsIn(tables, known).map(({ field, value }) => `${field}: ${value}`);
  return ['customers:', `  - { ${[...lines, ...contacts].join(', ')} }`];
}

function linkedLines(part: Part, { table, hop, fields }: LinkedPart): string[] {
  const lines = fields.map((field) => fieldLine(field, table));
  const match = hop === undefined ? [] : [matchText(hop)];
  const isSingle = part === 'billing_address';
  const each = withCountry(
    lines.filter((line) => part === 'customers' || line !== ''),
    isSingle,
  );
  const kind = hop === undefined && isSingle ? kindForBills(table) : undefined;
  const where = kind === undefined ? [] : [`where: ${kind.where} # a guess by what the kinds are called`];
  const isSeveral = hop === undefined && isSingle && !(kind?.isOnce ?? isOnce(table));
  // Without it, an account with several rows is a problem, and none of them is lost without a word.
  const take = isSeveral ? ['take: first'] : [];
  const found = [
    `${part}:`,
    `  from: ${table.name}`,
    ...[...match, ...where, ...take].map((line) => `  ${line}`),
    '  each:',
    ...each.map((line) => `    ${line}`),
  ];
  if (!isSeveral) return found;
  return [
    '# Some accounts have several rows: choose by where or order, then uncomment.',
    ...found.map((line) => `# ${line}`),
  ];
}

function withCountry(lines: readonly string[], isAddress = true): readonly string[] {
  const has = lines.some((line) => /^(?:# )?country:/.test(line));
  return has || !isAddress ? lines : [...lines, '# country: { constant: DE }'];
}

function matchText({ match: [theirs, ours] }: Hop): string {
  return `match: { ${quoted(theirs)}: ${quoted(ours)} }`;
}

/** A field's line; a country whose form is not that of the interface is a comment. `all`: the fields of the same row. */
function fieldLine(guess: FieldGuess, table: GuessedTable, all: readonly FieldGuess[] = []): string {
  const { field, column, from = [] } = guess;
  const value = (field === 'landline' ? phoneText(column, table, all) : undefined) ?? valueText(guess);
  const holder = from.at(-1)?.table ?? table;
  const line =
    field === 'country' ? country(holder.columns.find(({ name }) => name === column)) : `${field}: ${value}`;
  if (from.length === 0) return line;
  const [, isComment = '', name = '', said = ''] = /^(# )?(\w+): (.*)$/.exec(line) ?? [];
  const [plain = said, note = ''] = said.split(/ (?=# )/);
  const nested = from
    .toReversed()
    .reduce((inner, hop) => `{ from: ${hop.table.name}, ${matchText(hop)}, each: ${inner} }`, plain);
  return `${isComment}${name}: ${nested}${note === '' ? '' : ` ${note}`}`;
}

/** A phone number as one of the address's country, if its row has that: most have no prefix. */
function phoneText(column: string, table: GuessedTable, all: readonly FieldGuess[]): string | undefined {
  const land = all.find(({ field, from }) => field === 'country' && from === undefined)?.column;
  const form = table.columns.find(({ name }) => name === land)?.countryForm;
  if (land === undefined || form === undefined) return undefined;
  return `{ column: ${quoted(column)}, phone: { country: ${quoted(land)} } }`;
}

function valueText({ column, otherwise, piece, house }: FieldGuess): string {
  if (otherwise !== undefined) return `{ column: [${quoted(column)}, ${quoted(otherwise)}] }`;
  if (piece !== undefined) return `{ column: ${quoted(column)}, split: ' ', take: ${piece} }`;
  if (house === undefined || /[{}']/.test(column + house.column)) return quoted(column);
  const [first, second] = house.isFirst ? [house.column, column] : [column, house.column];
  return `{ template: '{${first}} {${second}}' }`;
}

/** The interface requires two letters. */
function country(column: GuessedColumn | undefined): string {
  if (column === undefined) return '# country: { constant: DE }';
  const name = quoted(column.name);
  if (column.countryForm === 'code') return `country: ${name}`;
  if (column.countryForm === 'name') return `country: { column: ${name}, country: true }`;
  const codes = codesOf(column.guess);
  if (codes === undefined) return `# country: ${name} # where it has two letters`;
  const meanings = codes.map((code) => `${quoted(code)}: XX`).join(', ');
  return `# country: { column: ${name}, codes: { ${meanings} } } # two letters for each`;
}

function codesOf(guess: ColumnGuess): readonly string[] | undefined {
  return guess.kind === 'code' ? guess.codes : undefined;
}
