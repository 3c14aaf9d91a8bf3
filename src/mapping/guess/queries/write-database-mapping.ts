import { accountSection } from '../account-section.ts';
import { deletedRows } from '../deleted-rows.ts';
import { described } from '../described-column.ts';
import { oneLine, quoted } from '../mapping-lines.ts';
import { formatLines, sectionExample } from '../write-mapping.ts';
import type { GuessedDatabase, QueriedGuess, UnreachedTable } from './database-guess.ts';

/** The `source` of a mapping. */
export interface WrittenSource {
  readonly driver: string;
  /** Without a password. */
  readonly url?: string | undefined;
  /** SQLite: relative to the mapping. */
  readonly file?: string | undefined;
}

/** A first mapping file of a database, with the joins written out in its queries. `schema`: see writeMapping. */
export function writeDatabaseMapping(
  { tables, unreached }: GuessedDatabase,
  source: WrittenSource,
  schema: string,
): string {
  const guessed = tables.map((table) => table.guessed);
  return [
    `# yaml-language-server: $schema=${schema}`,
    '# Written by migrate init from the catalogue of the database and the first rows of its tables. Keys and joins that the',
    '# database declares are sure. All else is a guess: check every line, then',
    '#   migrate validate --mapping <this file>',
    '#   migrate explain <account> --mapping <this file>',
    '# The language: docs/mapping.md and docs/databases.md of the package.',
    'version: 1',
    '',
    'source:',
    `  driver: ${source.driver}`,
    ...(source.url === undefined ? [] : [`  url: ${quoted(source.url)}`]),
    ...(source.file === undefined ? [] : [`  file: ${quoted(source.file)}`]),
    '',
    ...formatLines(guessed),
    'tables:',
    ...tables.flatMap(tableLines),
    ...unreached.flatMap(unreachedLines),
    '',
    ...accountSection(guessed),
    '',
    ...rest(tables.slice(1)),
  ].join('\n');
}

function tableLines({ guessed, query, others }: QueriedGuess): string[] {
  const { name, sample, reason, key = '' } = guessed;
  const about = sample.declared?.comment;
  return [
    ...(reason === undefined ? [] : [`  # ${oneLine(reason)}`]),
    ...(query.otherwise === undefined ? [] : [`  # of rows without it: by ${oneLine(query.otherwise)}`]),
    ...others.map((other) => `  # another way, not used here: ${oneLine(other)}`),
    ...(about === undefined ? [] : [`  # ${oneLine(sample.file)}: ${oneLine(about)}`]),
    ...deletedRows(guessed).map((line) => `  # ${line}`),
    `  ${name}:`,
    `    key: ${quoted(key)}`,
    '    query: >-',
    ...query.lines.map((line) => `      ${line}`),
  ];
}

/** A table without a certain way to the accounts; the query of an uncertain one can be uncommented. */
function unreachedLines({ name, unsure, query }: UnreachedTable): string[] {
  return [
    `  # ${oneLine(name)}: nothing leads from its rows to an account${unsure.length === 0 ? '' : '; unsure:'}`,
    ...unsure.slice(0, 3).map((why) => `  #   ${oneLine(why)}`),
    ...(query === undefined
      ? []
      : [
          `  # ${query.name}:`,
          `  #   key: ${quoted(query.key)}`,
          '  #   query: >-',
          ...query.lines.map((line) => `  #     ${line}`),
        ]),
  ];
}

function rest(tables: readonly QueriedGuess[]): string[] {
  if (tables.length === 0) return [];
  return [
    '# The columns of the other queries. Read their rows with from: in account (supply_addresses, ledgers and so on), or in a',
    '# section of their own: notes, transactions, historical_agreements, historical_billing_documents, historical_statements,',
    '# payment_instructions. For example:',
    ...sectionExample(tables.map(({ guessed }) => guessed)),
    ...tables.flatMap(({ guessed: { name, key, columns } }) => [
      '#',
      `# ${name}`,
      ...columns.filter((column) => column.name !== key).map((column) => `#   ${described(column)}`),
    ]),
    '',
  ];
}
