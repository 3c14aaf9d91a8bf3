import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

it('no output asks for a fix of data that only changed after the import', async () => {
  const { directory } = space;
  const accounts = join(directory, 'export', 'accounts.csv');
  await generateExport({
    directory: join(directory, 'export'),
    accounts: 3,
    seed: 5,
    supplier: 'TENTACLE_ENERGY',
    shape: 'flat',
  });
  const migrate = (...args: string[]) => ranHere(args, directory);
  concluded(await migrate('run', 'export', '--json'), 'run', 0);
  const [header = '', first = '', ...rest] = readFileSync(accounts, 'utf8').split('\n');
  const at = header.split(',').indexOf('billing_address.street_address');
  const cells = first.split(',');
  cells[at] = '1 Other Street';
  writeFileSync(accounts, [header, cells.join(','), ...rest].join('\n'));

  const run = await migrate('run', 'export');
  expect(run.stdout).toMatch(/rejected +1 +changed after the import/);
  const status = await migrate('status');
  expect(status.stdout).toMatch(/rejected +1 +changed after the import/);
  expect(summaryOf((await migrate('status', '--json')).stdout)).toMatchObject({
    suppliers: [{ accounts: { rejected: 1 }, changedAfterImport: 1 }],
  });
  const { stdout: page } = await migrate('report', '--out', '-');
  expect(page).toContain('1 changed after the import: an account that exists is not changed.');
  expect(page).not.toMatch(/refused; fix the data|correct the cells named below/);

  // A later run of other accounts alone says the same about the book.
  writeFileSync(join(directory, 'pilot'), 'EXT-000002\n');
  const pilot = await migrate('run', 'export', '--accounts', 'pilot');
  expect(pilot.stdout).toMatch(/rejected +1 +changed after the import/);
});

it('what changed of each kind is named by its field and cell, by the run and by reconcile', async () => {
  const { directory } = space;
  const directoryOf = { directory: join(directory, 'export'), accounts: 1, seed: 3 };
  await generateExport({ ...directoryOf, supplier: 'TENTACLE_ENERGY', shape: 'flat' });
  const migrate = (...args: string[]) => ranHere([...args, '--json'], directory);
  concluded(await migrate('run', 'export'), 'run', 0);
  const changes = [
    ['accounts.csv', 'billing_address.street_address', '1 Other Street', 'billing_address.street_address'],
    ['historical_agreements.csv', 'agreement.tariff_code', 'OTHER', 'agreement.tariff_code'],
    [
      'historical_billing_documents.csv',
      'issued_date',
      '2023-02-16',
      'historical_billing_documents.0.issued_date',
    ],
    ['historical_statements.csv', 'gross_amount', '9.91', 'statements.0.gross_amount'],
    ['payment_instructions.csv', 'reference', 'other', 'reference'],
    ['transactions.csv', 'note', 'other', 'transactions.0.note'],
  ] as const;
  for (const [name, column, text] of changes) {
    const file = join(directory, 'export', name);
    const [header = '', first = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    const cells = first.split(',');
    cells[header.split(',').indexOf(column)] = text;
    writeFileSync(file, [header, cells.join(','), ...rest].join('\n'));
  }
  const named = (all: readonly Readonly<Record<string, unknown>>[]) =>
    all.map(({ file, line, column, path }) => [file, line, column, path].join(' ')).sort();
  const expected = changes.map(([file, column, , path]) => `${file} 2 ${column} ${path}`).sort();
  const differenceNow = async () =>
    linesOfType((await migrate('reconcile', 'export')).stdout, 'difference')[0];
  // Before any run has read the changes, the journal's prints show the same.
  const unread = await differenceNow();
  expect(unread).toMatchObject({ code: 'changed_since_sent' });
  expect(named(unread?.['fields'] as never)).toEqual(expected);
  expect((await ranHere(['reconcile', 'export'], directory)).stdout).toMatch(
    /changed_since_sent {2}Changed since it was sent: .*csv:2:\w+.*, 1 more\. Run the export/,
  );
  const run = await migrate('run', 'export');
  const told = linesOfType(run.stdout, 'problem').filter(({ code }) => code === 'changed_after_import');
  expect(named(told)).toEqual(expected);
  const difference = await differenceNow();
  expect(difference).toMatchObject({ code: 'changed_since_sent' });
  expect(named(difference?.['fields'] as never)).toEqual(expected);
  expect((await ranHere(['reconcile', 'export'], directory)).stdout).toMatch(
    /changed_since_sent {2}It changed after it was sent, and cannot be sent again: .*csv:2:\w+.*, 1 more; correct/,
  );
});

it('reconcile tells records that are new or gone from those that changed, before a run', async () => {
  const { directory } = space;
  await generateExport({
    ...{ directory: join(directory, 'export'), accounts: 1, seed: 3 },
    ...{ supplier: 'TENTACLE_ENERGY', shape: 'interface' as const },
  });
  const migrate = (...args: string[]) => ranHere([...args, '--json'], directory);
  concluded(await migrate('run', 'export'), 'run', 0);
  const file = join(directory, 'export', 'notes.ndjson');
  const payload = JSON.parse(readFileSync(file, 'utf8')) as { readonly notes: readonly object[] };
  const [first, ...others] = payload.notes;
  writeFileSync(file, JSON.stringify({ ...payload, notes: [...others, { ...first, body: 'Another note' }] }));
  const [difference] = linesOfType((await migrate('reconcile', 'export')).stdout, 'difference');
  const path = `notes.${others.length}`;
  expect(difference).toMatchObject({
    code: 'changed_since_sent',
    fields: [{ step: 'notes', path: 'notes', file: null }],
    added: [{ step: 'notes', path, file: 'notes.ndjson', line: 1 }],
  });
  expect(difference?.['detail']).toContain(`(not sent), a record of notes that is gone`);
});

it.each([
  ['its own data', 'accounts.csv', 'billing_address.street_address', ['1 Other Street', '2 Other Street']],
  ['a statement', 'historical_statements.csv', 'gross_amount', ['9.91', '9.92']],
])(
  'an account that a person corrected by hand, in %s, is complete until it changes again',
  async (_what, name, column, [value = '', next = '']) => {
    const { directory } = space;
    const directoryOf = { directory: join(directory, 'export'), accounts: 3, seed: 5 };
    await generateExport({ ...directoryOf, supplier: 'TENTACLE_ENERGY', shape: 'flat' });
    const file = join(directory, 'export', name);
    const before = readFileSync(file, 'utf8');
    const write = (text: string): void => {
      const [header = '', first = '', ...rest] = before.split('\n');
      const cells = first.split(',');
      cells[header.split(',').indexOf(column)] = text;
      writeFileSync(file, [header, cells.join(','), ...rest].join('\n'));
    };
    const account = 'EXT-000001';
    const migrate = (...args: string[]) => ranHere([...args, '--json'], directory);
    concluded(await migrate('run', 'export'), 'run', 0);
    refused(
      await migrate('resolve', account, '--as', 'corrected'),
      'resolve',
      2,
      'it is not rejected as changed_after_import. `migrate show EXT-000001` shows its state',
    );
    write(value);
    concluded(await migrate('run', 'export'), 'run', 3);
    expect(concluded(await migrate('reconcile', 'export'), 'reconcile', 8)).toMatchObject({ matches: false });

    const ruled = await ranHere(['resolve', account, '--as', 'corrected'], directory);
    expect(ruled.stdout).toBe(
      '1 account resolved: corrected. It is completed, until the export changes again.\n',
    );
    expect((await ranHere(['journal', 'check'], directory)).code).toBe(0);
    for (const more of [[], ['--rejects', 'rejected'], ['--dry-run']])
      expect(concluded(await migrate('run', 'export', ...more), 'run', 0)).toMatchObject({
        accounts: { completed: 3 },
      });
    expect(concluded(await migrate('plan', 'export'), 'plan', 0)).toMatchObject({ accounts: { done: 3 } });
    expect(concluded(await migrate('reconcile', 'export'), 'reconcile', 0)).toMatchObject({
      ...{ matches: true, corrected: 1 },
    });
    expect((await ranHere(['reconcile', 'export'], directory)).stdout).toContain(
      '1 account was corrected on the platform by hand, as you ruled',
    );
    expect(concluded(await migrate('show', account), 'show', 0)).toMatchObject({
      ...{ state: 'completed', code: null, problems: [] },
    });

    // Whatever it changes to, be it what was sent first, the platform has something else.
    for (const changed of [next, undefined]) {
      if (changed === undefined) writeFileSync(file, before);
      else write(changed);
      expect(concluded(await migrate('run', 'export'), 'run', 3)).toMatchObject({
        ...{ requests: 0, changedAccounts: 1, accounts: { completed: 2, rejected: 1 } },
      });
      concluded(await migrate('reconcile', 'export'), 'reconcile', 8);
    }
    write(value);
    expect(concluded(await migrate('plan', 'export'), 'plan', 0)).toMatchObject({ accounts: { done: 3 } });
    concluded(await migrate('run', 'export'), 'run', 0);
    expect(concluded(await migrate('reconcile', 'export'), 'reconcile', 0)).toMatchObject({ corrected: 1 });
    expect((await ranHere(['journal', 'check'], directory)).code).toBe(0);
  },
);
