import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ruleCodes, warningCodes } from '../../src/contract/rule-codes.ts';
import { project } from '../cli/tool.ts';

const guide = readFileSync(project('docs/troubleshooting.md'), 'utf8');
const explained = new Set([...guide.matchAll(/`([a-z_-]+)`/g)].map(([, code]) => code));

/** Words in the sources that look like codes and are none. */
const otherWords = new Set([
  'external_business_identifier',
  'business_payment_instructions',
  'business_contract_identifiers',
  ...['on_invalid', 'half_up', 'half_even'],
  ...['non_field_errors', 'account_id', 'invalid_value', 'too_big', 'unrecognized_keys', 'document_path'],
  ...['but_first', 'but_last', 'decimal_mark', 'thousands_mark', 'left_over', 'boot_id', 'minor_units'],
  ...['meter_points', 'billing_postcode', 'possible_errors', 'invalid_union', 'invalid_type'],
  ...['may_lose', 'when_account', 'on_invalid', 'row_groups', 'shift_jis'],
  // Catalogues of databases.
  ...['information_schema', 'pg_class'],
  // Tables and columns of the journal.
  ...[
    'read_back',
    'read_back_pass',
    'began_at',
    'sent_at',
    'started_at',
    'boot_at',
    'ended_at',
    'staged_hash',
    'plan_hash',
    'part_cell',
    'row_print',
    'from_schema',
    'to_schema',
    'from_version',
  ],
  // Catalogues of databases.
  ...['information_schema', 'pg_class'],
  ...['error_detail', 'transaction_data', 'historical_billing_document_transactions', 'rejected_because'],
]);

/** The codes of the rules, of fields and of values of a mapping. */
const ofAccounts: ReadonlySet<string> = new Set([
  ...ruleCodes,
  ...['required', 'null', 'blank', 'invalid', 'invalid_choice', 'max_length', 'min_items', 'invalid_date'],
  ...['invalid_amount', 'invalid_country', 'invalid_boolean', 'wrong_number_of_cells', 'orphan_row'],
]);

/** The interface's own fields, and the files of an export. */
function fieldNames(): Set<string> {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'properties')
        for (const name of Object.keys(z.object({}).loose().parse(inner))) names.add(name);
      walk(inner);
    }
  };
  walk(JSON.parse(readFileSync(project('docs/openapi.json'), 'utf8')));
  return new Set([...names, 'historical_agreements', 'historical_statements', 'payment_instructions']);
}

function* wordsIn(...rooms: string[]): Iterable<string> {
  for (const room of rooms)
    for (const file of readdirSync(project(`src/${room}`), { recursive: true, encoding: 'utf8' }))
      // The names of statements and tables of PostgreSQL are no codes.
      if (file.endsWith('.ts') && !file.startsWith('postgres'))
        for (const [, word = ''] of readFileSync(join(project(`src/${room}`), file), 'utf8').matchAll(
          /'([a-z]+(?:_[a-z]+)+)'/g,
        ))
          yield word;
}

it('explains every code that the tool prints', () => {
  const fields = fieldNames();
  const rooms = [
    'domain',
    'contract',
    'source',
    'mapping',
    'pipeline',
    'client',
    'journal',
    'report/reconciliation',
  ];
  const codes = new Set([...ruleCodes, ...wordsIn(...rooms)]);
  const missing = [...codes].filter(
    (word) => !explained.has(word) && !fields.has(word) && !otherWords.has(word),
  );
  const remedy =
    'Add each code to docs/troubleshooting.md. A word that is no code goes into `otherWords` above; ' +
    'a field of the interface into its schema, then regenerate docs/openapi.json.';
  expect(missing, remedy).toEqual([]);
});

it('the guide to checking names each rule that is a warning by default', () => {
  // "Levels" refers to the four codes of the chapter before it.
  const [, chapters = ''] =
    /^## Values that two accounts share\n([^]*)/m.exec(readFileSync(project('docs/checking.md'), 'utf8')) ??
    [];
  const missing = warningCodes.filter((code) => !chapters.includes(code));
  expect(missing, 'Add each code under "Levels" in docs/checking.md.').toEqual([]);
});

it('says of each code that an account may have what it means, and not of its neighbours too', () => {
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
  const shared = rows.flatMap((row) => {
    const codes = [...(row.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code);
    return codes.length > 1 && codes.some((code) => ofAccounts.has(code)) ? [codes] : [];
  });
  // Three names of one thing: no value.
  expect(shared).toEqual([['required', 'null', 'blank']]);
});
