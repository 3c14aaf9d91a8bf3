import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, tool, workspace } from './tool.ts';

let directory: string;
let dispose: () => void;
beforeEach(() => {
  const space = workspace();
  ({ directory } = space);
  dispose = () => space.dispose();
});
afterEach(() => dispose());

type Account = Record<string, unknown> & { external_account_number: string };

const all = readFileSync(project('fixtures/interface/accounts.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .slice(0, 6)
  .map((line) => JSON.parse(line) as Account);
const [first, second, third] = all as [Account, Account, Account];
const broken = (account: Account): Account => ({ ...account, customers: 'none' });
const typed = (account: Account, type: string): Account => ({ ...account, account_type: type });
const path = (...names: string[]): string => join(directory, ...names);

function exported(name: string, accounts: readonly Account[]): void {
  mkdirSync(path(name), { recursive: true });
  writeFileSync(
    path(name, 'accounts.ndjson'),
    accounts.map((account) => `${JSON.stringify(account)}\n`).join(''),
  );
}

/** Replaces the account's row in a directory of rejects by a sound one. */
function fixed(name: string, accounts: readonly Account[]): void {
  const rows = readFileSync(path(name, 'accounts.ndjson'), 'utf8').trim().split('\n');
  const sound = rows.map((row) => {
    const { external_account_number: number } = JSON.parse(row) as Account;
    return (
      accounts.find(({ external_account_number: one }) => one === number) ?? (JSON.parse(row) as Account)
    );
  });
  exported(name, sound);
}

const run = (...args: string[]) => tool(['run', ...args, '--json'], directory);
const here = (...args: string[]) => ranHere([...args, '--json'], directory);

describe('nights with fixes', () => {
  it('a fix taken by --with stays, with it and without it, and reconcile matches with and without', async () => {
    exported('book', [broken(first), ...all.slice(1)]);
    concluded(await run('book', '--rejects', 'rej'), 'run', 3);
    fixed('rej', [first]);
    expect(concluded(await here('validate', 'book', '--with', 'rej'), 'validate', 0)).toMatchObject({
      accounts: 6,
      valid: 6,
    });
    expect(concluded(await here('plan', 'book', '--with', 'rej'), 'plan', 0)['accounts']).toMatchObject({
      total: 6,
      done: 5,
      changed: 1,
    });
    expect(concluded(await run('book', '--with', 'rej'), 'run', 0)['accounts']).toMatchObject({
      total: 6,
      completed: 6,
    });

    const cron = await run('book');
    expect(concluded(cron, 'run', 0)).toMatchObject({ requests: 0, accounts: { total: 6, completed: 6 } });
    expect(linesOfType(cron.stdout, 'problem')).toMatchObject([
      { code: 'superseded_by_fix', severity: 'warning', file: 'accounts.ndjson', line: 1 },
    ]);
    expect(cron.stdout).toContain(`${path('rej')}/accounts.ndjson:1:`);
    expect(concluded(await run('book'), 'run', 0)).toMatchObject({ requests: 0 });
    expect(concluded(await run('book', '--with', 'rej'), 'run', 0)).toMatchObject({ requests: 0 });
    for (const more of [[], ['--with', 'rej']])
      expect(concluded(await here('reconcile', 'book', ...more), 'reconcile', 0)).toMatchObject({
        matches: true,
        absent: 0,
      });
    expect(concluded(await here('plan', 'book'), 'plan', 0)).toMatchObject({
      accounts: { done: 6 },
      absent: 0,
    });
  });

  it('a fix of an account that no run has seen stays too', async () => {
    exported('book', [typed(first, 'BUSINESS'), broken(second), third]);
    exported('fix', [first, second]);
    concluded(await run('book', '--with', 'fix'), 'run', 0);
    expect(concluded(await run('book'), 'run', 0)).toMatchObject({ requests: 0, accounts: { completed: 3 } });
    expect(concluded(await here('reconcile', 'book'), 'reconcile', 0)).toMatchObject({ matches: true });
  });

  it('a row that changes in the export after that is new data', async () => {
    exported('book', [broken(first), second]);
    exported('fix', [first]);
    concluded(await run('book', '--with', 'fix'), 'run', 0);
    exported('book', [typed(broken(first), 'NONE'), second]);
    const next = await run('book');
    expect(concluded(next, 'run', 3)).toMatchObject({ requests: 0, accounts: { completed: 2 } });
    expect(next.stdout).not.toContain('superseded_by_fix');
    expect(concluded(await run('book', '--with', 'fix'), 'run', 0)).toMatchObject({ requests: 0 });
    expect(concluded(await run('book'), 'run', 0)).toMatchObject({ requests: 0 });
  });

  it('what is still wrong in a fix is told by its own file and line, and goes back as it is there', async () => {
    exported('book', [second, broken(first), third]);
    concluded(await run('book', '--rejects', 'rej'), 'run', 3);
    const again = await run('book', '--with', 'rej', '--rejects', 'rej2');
    expect(concluded(again, 'run', 3)).toMatchObject({ accounts: { total: 3, completed: 2, rejected: 1 } });
    const problems = linesOfType(again.stdout, 'problem');
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatchObject({ file: 'rej/accounts.ndjson', line: 1 });
    expect(readdirSync(path('rej2'))).toEqual(['accounts.ndjson']);
    const row = JSON.parse(readFileSync(path('rej2', 'accounts.ndjson'), 'utf8')) as Account;
    expect(row.external_account_number).toBe(first.external_account_number);
    const reason = String(row['rejected_because']);
    expect(reason).toMatch(/ at rej\/accounts\.ndjson:1:/);
    expect(reason).not.toMatch(/ at accounts\.ndjson/);
    fixed('rej2', [first]);
    concluded(await run('book', '--with', 'rej', '--with', 'rej2'), 'run', 0);
    expect(concluded(await run('book'), 'run', 0)).toMatchObject({ requests: 0 });
    expect(concluded(await run('book', '--with', 'rej'), 'run', 0)).toMatchObject({ requests: 0 });
  });

  it('rejects of several directories go back each in its own format, with the lines of its own files', async () => {
    exported('book', [broken(first), second, third]);
    exported('json', [broken(second)]);
    mkdirSync(path('csv'));
    const number = third.external_account_number;
    const [header = '', ...rows] = readFileSync(project('fixtures/flat/accounts.csv'), 'utf8').split('\n');
    const row = rows.find((one) => one.startsWith(`${number},`)) ?? '';
    writeFileSync(path('csv', 'accounts.csv'), `${header}\n${row.replace(',GB,', ',Nowhere,')}\n`);
    const fixes = ['--with', 'json', '--with', 'csv'];
    const ended = await here('validate', 'book', ...fixes, '--rejects', 'rej');
    expect(concluded(ended, 'validate', 3)).toMatchObject({ accounts: 3, invalid: 3 });

    const rowOf = (name: string, account: Account): string => {
      const rows = readFileSync(path(name), 'utf8').split('\n');
      return rows.find((row) => row.includes(account.external_account_number)) ?? '';
    };
    expect(rowOf('rej/accounts.ndjson', first)).toMatch(/"rejected_because":"\w+ at accounts\.ndjson:1:/);
    expect(rowOf('rej/with-1/accounts.ndjson', second)).toMatch(/at json\/accounts\.ndjson:1:/);
    expect(rowOf('rej/with-2/accounts.csv', third)).toMatch(/ at csv\/accounts\.csv:2/);
    expect(rowOf('rej/with-1/accounts.ndjson', third)).toBe('');

    // Fed back, each reason gives way to one about the new place.
    const again = await here(
      ...['validate', 'book', '--with', 'rej', '--with', 'rej/with-1', '--with', 'rej/with-2'],
      ...['--rejects', 'rej2'],
    );
    concluded(again, 'validate', 3);
    const reason = rowOf('rej2/with-2/accounts.csv', third);
    expect(reason).toMatch(/ at rej\/with-2\/accounts\.csv:2/);
    expect(reason).not.toContain('at csv/');
  });

  it('rejects of the export and of a fix are copied apart, each a directory that can be fed back', async () => {
    exported('book', [broken(first), broken(second), third]);
    exported('fix', [broken(first)]);
    const ended = await here('validate', 'book', '--with', 'fix', '--rejects', 'rej');
    concluded(ended, 'validate', 3);
    const numbers = (name: string): unknown =>
      (JSON.parse(readFileSync(path(name, 'accounts.ndjson'), 'utf8')) as Account).external_account_number;
    expect(numbers('rej')).toBe(second.external_account_number);
    expect(numbers('rej/with-1')).toBe(first.external_account_number);
    expect(ended.stderr).toContain('--rejects: the rows of accounts of --with fix are in rej/with-1.');
    fixed('rej', [second]);
    fixed('rej/with-1', [first]);
    concluded(await here('validate', 'book', '--with', 'rej', '--with', 'rej/with-1'), 'validate', 0);
  });
});

describe('rows that name no supplier', () => {
  const mapped = ['--mapping', 'm.yaml'];
  const rows = (supplier: string, name: string): string =>
    `ID,FIRM,NAME,MAIL\n1,01,Ada,ada@example.com\n2,${supplier},${name},eve@example.com\n`;
  const book = (name: string, text: string): void => {
    mkdirSync(path(name), { recursive: true });
    writeFileSync(path(name, 'A.csv'), text, 'latin1');
  };
  beforeEach(() => {
    writeFileSync(
      path('m.yaml'),
      [
        'version: 1',
        'format: { encoding: windows-1252 }',
        'tables: { accounts: { file: A.csv, key: ID } }',
        'account:',
        "  import_supplier: { column: FIRM, codes: { '01': TENTACLE_ENERGY } }",
        '  customers: [{ given_name: NAME, family_name: NAME, email: MAIL }]',
      ].join('\n'),
    );
  });

  it.each([
    ['an unknown code', rows('07', 'Eve')],
    ['no code', rows('', 'Eve')],
    ['a byte that cannot be read', rows('01', 'E\x81e')],
  ])('%s: a fix stays, told once, in the total that it has', async (_what, text) => {
    book('book', text);
    concluded(await here('run', 'book', ...mapped), 'run', 3);
    book('fix', rows('01', 'Eve').replace('1,01,Ada,ada@example.com\n', ''));
    expect(concluded(await here('run', 'fix', ...mapped), 'run', 0)['accounts']).toMatchObject({
      completed: 2,
    });
    const plan = concluded(await here('plan', 'book', ...mapped), 'plan', 0);
    expect(plan).toMatchObject({ accounts: { total: 2, done: 2, blocked: 0 } });
    const night = await here('run', 'book', ...mapped);
    expect(concluded(night, 'run', 0)['accounts']).toMatchObject({ total: 2, completed: 2 });
    expect(linesOfType(night.stdout, 'problem')).toMatchObject([{ code: 'superseded_by_fix', account: '2' }]);
    const next = await here('run', 'book', ...mapped, '--checksum');
    expect(concluded(next, 'run', 0)['accounts']).toMatchObject({ total: 2, completed: 2 });
    expect(linesOfType(next.stdout, 'problem')).toEqual([]);
    expect(concluded(await here('reconcile', 'book', ...mapped), 'reconcile', 0)).toMatchObject({
      matches: true,
    });
  });
});

describe('the accounts of --with', () => {
  it('count once, and the last directory wins', async () => {
    exported('book', all);
    exported('one', [broken(first), broken(second)]);
    exported('two', [first, broken(third)]);
    const checked = await here('validate', 'book', '--with', 'one', '--with', 'two');
    expect(concluded(checked, 'validate', 3)).toMatchObject({ accounts: 6, invalid: 2 });
    expect(linesOfType(checked.stdout, 'problem').map(({ file }) => file)).toEqual(
      expect.arrayContaining(['one/accounts.ndjson', 'two/accounts.ndjson']),
    );
    const swapped = await here('validate', 'book', '--with', 'two', '--with', 'one');
    expect(concluded(swapped, 'validate', 3)).toMatchObject({ accounts: 6, invalid: 3 });
    const ended = await run('book', '--with', 'one', '--with', 'two');
    expect(concluded(ended, 'run', 3)['accounts']).toMatchObject({ total: 6, completed: 4, rejected: 2 });
  });

  it('that the export does not have are refused unless asked for, and are not absent without it', async () => {
    exported('book', all.slice(0, 3));
    exported('more', all.slice(2, 4));
    for (const command of ['validate', 'plan', 'run']) {
      const refused = await here(command, 'book', '--with', 'more');
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(
        `--with more: 1 account is not in the export: ${all[3]?.external_account_number}.`,
      );
      expect(refused.stderr).toContain('--with-new');
    }
    const ended = await run('book', '--with', 'more', '--with-new');
    expect(concluded(ended, 'run', 0)['accounts']).toMatchObject({ total: 4, completed: 4 });
    expect(ended.stderr).toContain(
      `--with more: 1 account is not in the export: ${all[3]?.external_account_number}. It is used anyway.`,
    );
    expect(concluded(await run('book'), 'run', 0)['accounts']).toMatchObject({ total: 4, completed: 4 });
    expect(concluded(await here('reconcile', 'book', '--with', 'more'), 'reconcile', 0)).toMatchObject({
      matches: true,
    });
  });

  it('are chosen by --accounts, and by --limit left for later', async () => {
    exported('book', [broken(first), ...all.slice(1)]);
    exported('fix', [first]);
    writeFileSync(path('list.txt'), `${first.external_account_number}\n`);
    const chosen = await run('book', '--with', 'fix', '--accounts', 'list.txt');
    expect(concluded(chosen, 'run', 0)['accounts']).toMatchObject({ total: 6, completed: 1, pending: 5 });
    expect(chosen.stderr).not.toContain('not in the export');
    const limited = await run('book', '--with', 'fix', '--limit', '2');
    expect(concluded(limited, 'run', 6)['accounts']).toMatchObject({ total: 6, completed: 3, pending: 3 });
  });

  it('are explained with the cells of their own files', async () => {
    exported('book', all);
    exported('fix', [{ ...second, brand: 'FIXED' }]);
    const ended = await here('explain', 'book', second.external_account_number, '--with', 'fix');
    concluded(ended, 'explain', 0);
    expect(linesOfType(ended.stdout, 'value')).toContainEqual(
      expect.objectContaining({ file: 'fix/accounts.ndjson', line: 1 }),
    );
    expect(ended.stdout).not.toContain('"file":"accounts.ndjson"');
    const other = await here('explain', 'book', third.external_account_number, '--with', 'fix');
    expect(other.stdout).not.toContain('fix/accounts.ndjson');
  });

  it('are read again where one of their files has changed since the export was finished', async () => {
    exported('book', all);
    exported('fix', [first]);
    concluded(await run('book', '--with', 'fix'), 'run', 0);
    expect(concluded(await run('book', '--with', 'fix'), 'run', 0)).toMatchObject({ unchangedSince: 1 });
    expect(concluded(await run('book'), 'run', 0)).not.toHaveProperty('unchangedSince');
    exported('fix', [broken(first)]);
    concluded(await run('book', '--with', 'fix'), 'run', 3);
  });

  it('may not be overwritten, and a directory that is not there is named', async () => {
    exported('book', all);
    exported('fix', [first]);
    const over = await run('book', '--with', 'fix', '--problems', 'fix/accounts.ndjson');
    expect(over.code).toBe(2);
    const missing = await here('validate', 'book', '--with', 'nowhere');
    expect(missing.code).toBe(2);
    expect(missing.stderr + missing.stdout).toContain('--with nowhere: ');
    const alone = await here('reconcile', '--with', 'fix');
    expect(alone.code).toBe(2);
    expect(alone.stderr + alone.stdout).toContain('Name one, or remove --with.');
  });
});

describe('the rejects of a mapped CSV export', () => {
  const mapping = `version: 1
tables:
  accounts: { file: A.csv, key: ID }
lookups:
  kinds: { file: KINDS.csv, key: CODE, value: KIND }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { column: KIND, lookup: kinds }
`;

  it('are replaced whole by their fix, under the same mapping', async () => {
    mkdirSync(path('book'));
    writeFileSync(path('KINDS.csv'), 'CODE,KIND\nP,DOMESTIC\n');
    writeFileSync(path('mapping.yaml'), mapping);
    writeFileSync(path('book', 'A.csv'), 'ID,KIND\n2,P\n1,X\n3,P\n');
    const book = ['book', '--mapping', 'mapping.yaml'];
    concluded(await run(...book, '--rejects', 'rej'), 'run', 3);
    const again = await run(...book, '--with', 'rej', '--rejects', 'rej2');
    expect(linesOfType(again.stdout, 'problem')).toMatchObject([
      { file: 'rej/A.csv', line: 2, column: 'KIND' },
    ]);
    const rows = readFileSync(path('rej2', 'A.csv'), 'utf8');
    expect(rows).toContain('unknown_code at rej/A.csv:2:KIND');
    expect(rows.match(/unknown_code/g)).toHaveLength(1);
    writeFileSync(path('rej2', 'A.csv'), rows.replace('1,X', '1,P'));
    concluded(await run(...book, '--with', 'rej2'), 'run', 0);
    expect(concluded(await run(...book), 'run', 0)['accounts']).toMatchObject({ total: 3, completed: 3 });
    for (const more of [[], ['--with', 'rej2']])
      expect(concluded(await here('reconcile', ...book, ...more), 'reconcile', 0)).toMatchObject({
        matches: true,
      });
    const explained = await here('explain', ...book, '1', '--with', 'rej2');
    expect(explained.stdout).toContain('"file":"rej2/A.csv"');
    expect(explained.stdout).toContain('"file":"mapping.yaml"');
  });
});
