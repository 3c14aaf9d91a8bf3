import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { zipOf } from '../source/workbook.ts';
import { linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, served, summaryOf, workspace } from './tool.ts';

const mapping = `version: 1
tables:
  accounts: { file: A.csv, key: ID }
  notes: { file: N.csv, key: ID }
lookups:
  kinds: { file: codes/KINDS.csv, key: CODE, value: KIND }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { column: KIND, lookup: kinds }
notes: { from: notes, each: { body: TEXT, created_at: { constant: "2024-01-01T00:00:00Z" } } }
`;

let space: ReturnType<typeof workspace>;
const file = (name: string): string => join(space.directory, name);
const edit = (name: string, from: string | RegExp, to: string) =>
  writeFileSync(file(name), readFileSync(file(name), 'utf8').replace(from, to));

const accounts = Array.from({ length: 60 }, (_, at) => `A-${String(at).padStart(2, '0')}`);

beforeEach(() => {
  space = workspace();
  for (const directory of ['export', 'codes']) mkdirSync(file(directory));
  writeFileSync(file('export/A.csv'), `ID,KIND,UNUSED\n${accounts.map((id) => `${id},P,x\n`).join('')}`);
  writeFileSync(file('export/N.csv'), `ID,TEXT\n${accounts.map((id) => `${id},note of ${id}\n`).join('')}`);
  writeFileSync(file('codes/KINDS.csv'), 'CODE,KIND\nP,DOMESTIC\n');
  writeFileSync(file('mapping.yaml'), mapping);
});
afterEach(() => space.dispose());

interface Night {
  readonly code: number | null;
  readonly summary: Record<string, unknown>;
  readonly changed: readonly unknown[];
  readonly driven: readonly unknown[];
  readonly stdout: string;
}

async function night(name = 'export', ...more: readonly string[]): Promise<Night> {
  const ran = await ranHere(['run', name, '--mapping', 'mapping.yaml', '--json', ...more], space.directory);
  const named = (type: string) => linesOfType(ran.stdout, type).map(({ account }) => account);
  return {
    code: ran.code,
    summary: summaryOf(ran.stdout),
    changed: named('changed'),
    driven: named('account'),
    stdout: ran.stdout,
  };
}

it('of a finished export of which one row changed, that account alone is mapped and sent', async () => {
  const first = await night();
  expect(first.summary).toMatchObject({ changedAccounts: 0, unchangedAccounts: 0 });
  expect(first.driven).toHaveLength(60);

  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  const second = await night();
  expect(second.code).toBe(0);
  expect(second.summary).toMatchObject({
    ...{ changedAccounts: 1, unchangedAccounts: 59, requests: 1, ignoredRows: 0 },
    accounts: { total: 60, completed: 60 },
  });
  expect([second.changed, second.driven]).toEqual([['A-07'], ['A-07']]);

  // A dry run records nothing of what it reads.
  await ranHere(['run', 'export', '--mapping', 'mapping.yaml', '--dry-run'], space.directory);
  const listed = await ranHere(['list', '--changed', '--json'], space.directory);
  expect(linesOfType(listed.stdout, 'part').map(({ account }) => account)).toEqual(['A-07']);
  expect(
    summaryOf((await ranHere(['list', '--changed', '1', '--json'], space.directory)).stdout),
  ).toMatchObject({
    accounts: 0,
  });
  const shown = await ranHere(['show', 'A-07', '--json'], space.directory);
  expect(summaryOf(shown.stdout)).toMatchObject({ changedIn: 2 });
  expect((await ranHere(['show', 'A-07'], space.directory)).stdout).toMatch(/rows changed +run 2/);
  const other = await ranHere(['show', 'A-08', '--json'], space.directory);
  expect(summaryOf(other.stdout)).toMatchObject({ changedIn: null });
});

it('a night says for people, and in the log, how many accounts changed and which', async () => {
  await night();
  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  edit('export/N.csv', 'A-09,note', 'A-09,another note');
  const ran = await ranHere(
    ['run', 'export', '--mapping', 'mapping.yaml', '--log', 'run.log'],
    space.directory,
  );
  expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '2 accounts changed in the export: `migrate list --changed` names them. 58 unchanged accounts not checked again.',
  );
  const log = readFileSync(file('run.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('rows changed'));
  expect(log.map((line): unknown => (JSON.parse(line) as { account: unknown }).account)).toEqual([
    'A-07',
    'A-09',
  ]);
});

it('a row that changed and says the same changes nothing, and is not looked at again', async () => {
  await night();
  edit('export/A.csv', 'A-07,P,x', 'A-07,P,y');
  const second = await night();
  expect(second).toMatchObject({ changed: ['A-07'], driven: [] });
  expect(second.summary).toMatchObject({ requests: 0, changedAccounts: 1, unchangedAccounts: 59 });
  edit('export/A.csv', 'A-08,P,x', 'A-08,P,y');
  expect(await night()).toMatchObject({ changed: ['A-08'], driven: [] });
});

it('accounts that come and go are noticed', async () => {
  await night();
  edit('export/A.csv', 'A-07,P,x\n', '');
  edit('export/N.csv', /A-07,.*\n/, '');
  edit('export/A.csv', 'A-08', 'A-075,P,x\nA-08');
  const second = await night();
  expect(second).toMatchObject({ changed: [], driven: ['A-075'] });
  expect(second.summary).toMatchObject({ unchangedAccounts: 59, accounts: { total: 61, completed: 61 } });
  const plan = await ranHere(['plan', 'export', '--mapping', 'mapping.yaml', '--json'], space.directory);
  expect(summaryOf(plan.stdout)).toMatchObject({ accounts: { done: 60 } });
});

it.each([
  ['the mapping', () => edit('mapping.yaml', 'version: 1', 'version: 1\n# another one')],
  ['a code table', () => edit('codes/KINDS.csv', 'P,DOMESTIC\n', 'P,DOMESTIC\nQ,BUSINESS\n')],
  ['a setting', () => writeFileSync(file('.migraterc'), 'notesPerRequest: 7\n')],
])('where %s changed, every account is mapped again', async (_what, change) => {
  await night();
  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  change();
  const second = await night();
  expect(second.summary).toMatchObject({ changedAccounts: 0, unchangedAccounts: 0, requests: 1 });
  expect(second.driven).toEqual(['A-07']);
});

it('an account that was refused is told of every night, and is completed when its row is right', async () => {
  edit('export/A.csv', 'A-07,P', 'A-07,?');
  const first = await night();
  expect(first.code).toBe(3);
  edit('export/N.csv', 'A-09,note', 'A-09,another note');
  const second = await night();
  expect(second.code).toBe(3);
  expect(second.summary).toMatchObject({ changedAccounts: 1, unchangedAccounts: 58 });
  const errors = linesOfType(second.stdout, 'problem').filter(({ severity }) => severity === 'error');
  expect(errors).toMatchObject([{ account: 'A-07' }]);
  edit('export/A.csv', 'A-07,?', 'A-07,P');
  const third = await night();
  expect(third).toMatchObject({ code: 0, changed: ['A-07'], driven: ['A-07'] });
  expect(third.summary).toMatchObject({ unchangedAccounts: 59 });
});

it('a completed account whose row becomes wrong is told of every night', async () => {
  await night();
  edit('export/A.csv', 'A-07,P', 'A-07,?');
  for (const changed of [['A-07'], []]) {
    const next = await night();
    expect(next).toMatchObject({ code: 3, changed });
    expect(linesOfType(next.stdout, 'problem')).toMatchObject([{ account: 'A-07' }]);
    // The file is another one, and holds the same.
    writeFileSync(file('export/N.csv'), `${readFileSync(file('export/N.csv'), 'utf8')}\n`);
  }
});

it('list, show and report know of a completed account whose row is refused, until it is right again', async () => {
  const here = async (...args: string[]) => {
    const { stdout } = await ranHere([...args, '--json'], space.directory);
    return { lines: linesOfType(stdout, 'part'), summary: summaryOf(stdout) };
  };
  const refusedPart = { account: 'A-07', state: 'completed', code: 'unknown_code' };
  await night();
  edit('export/A.csv', 'A-07,P', 'A-07,?');
  await night('export', '--dry-run');
  expect((await here('show', 'A-07')).summary).toMatchObject({ code: null, problems: [] });
  for (const _of of ['a night', 'the next one']) {
    await night();
    const cells = [{ file: 'A.csv', line: 9, column: 'KIND' }];
    expect((await here('list', '--code', 'unknown_code')).lines).toMatchObject([{ ...refusedPart, cells }]);
    expect((await here('show', 'A-07')).summary).toMatchObject({
      ...{ state: 'completed', code: 'unknown_code' },
      problems: [{ code: 'unknown_code', severity: 'error', ...cells[0] }],
    });
    await ranHere(['report', '--out', 'report.html'], space.directory);
    const page = readFileSync(file('report.html'), 'utf8');
    expect(page).toMatch(/A-07<[^]*A\.csv:9:KIND/);
    expect(page).toContain('The data of 1 account in the export is refused now.');
    expect(page).toContain('1 account that arrived earlier has data in the export now that is refused');
    const status = await ranHere(['status'], space.directory);
    expect(status.stdout).toMatch(
      /completed +\d+ +everything arrived; the data of 1 in the export is refused now/,
    );
    expect((await here('status')).summary).toMatchObject({ suppliers: [{ refusedData: 1 }] });
  }
  const shown = await ranHere(['show', 'A-07'], space.directory);
  expect(shown.stdout).toContain('everything has arrived; the data in the export is refused now');

  edit('export/A.csv', 'A-07,?', 'A-07,P');
  expect(await night()).toMatchObject({ code: 0, changed: ['A-07'], driven: [] });
  expect((await here('show', 'A-07')).summary).toMatchObject({ code: null, problems: [] });
  expect((await here('status')).summary).toMatchObject({ suppliers: [{ refusedData: 0 }] });
});

it('a row that a fix replaced is told of when it changes', async () => {
  edit('export/A.csv', 'A-07,P', 'A-07,?');
  await night();
  for (const name of ['A.csv', 'N.csv']) {
    const [header = '', ...rows] = readFileSync(file(`export/${name}`), 'utf8').split('\n');
    mkdirSync(file('fix'), { recursive: true });
    const own = rows.filter((row) => row.startsWith('A-07')).map((row) => row.replace('?', 'P'));
    writeFileSync(file(`fix/${name}`), `${[header, ...own].join('\n')}\n`);
  }
  await night('export', '--with', 'fix');
  // The old row is neither sent nor new, however often it is read.
  for (const _of of ['a night', 'the next one'])
    expect(await night()).toMatchObject({ code: 0, changed: [], driven: [] });
  edit('export/A.csv', 'A-07,?,x', 'A-07,P,x');
  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  expect(await night()).toMatchObject({ code: 0, changed: ['A-07'], driven: ['A-07'] });
});

it('a night that lists every problem maps all accounts, and knows and leaves what changed', async () => {
  const listing = ['run', 'export', '--mapping', 'mapping.yaml', '--force', '--problems', 'p.csv', '--json'];
  const listed = async () => {
    const { stdout } = await ranHere(['list', '--changed', '--json'], space.directory);
    return linesOfType(stdout, 'part').map(({ account }) => account);
  };
  await ranHere(listing, space.directory);
  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  expect((await night()).changed).toEqual(['A-07']);
  edit('export/N.csv', 'A-09,note', 'A-09,another note');
  const second = await ranHere(listing, space.directory);
  expect(summaryOf(second.stdout)).toMatchObject({ changedAccounts: 1, unchangedAccounts: 59, requests: 1 });
  expect(await listed()).toEqual(['A-09']);
  expect(await night()).toMatchObject({ changed: [], driven: [] });
});

it('what keeps a finished book from exit code 0 is said and counted', async () => {
  await night();
  edit('export/A.csv', 'A-07,P', 'A-07,?');
  writeFileSync(file('export/N.csv'), `${readFileSync(file('export/N.csv'), 'utf8')}A-99,of nobody\n`);
  const ran = await ranHere(['run', 'export', '--mapping', 'mapping.yaml'], space.directory);
  expect(ran.code).toBe(3);
  const told = ran.stdout.replaceAll(/\s+/g, ' ');
  expect(told).toContain('1 account that arrived earlier has data in the export now that is refused.');
  expect(told).toContain('1 fault of the export belongs to no account');
  expect((await night()).summary).toMatchObject({ refusedData: 1, faults: 1, accounts: { completed: 60 } });
});

it('exports of a new name each night are compared too, as directories and as archives', async () => {
  await night();
  cpSync(file('export'), file('export-2'), { recursive: true });
  edit('export-2/N.csv', 'A-07,note', 'A-07,another note');
  const second = await night('export-2');
  expect(second.summary).toMatchObject({
    ...{ changedAccounts: 1, unchangedAccounts: 59, requests: 1 },
    accounts: { total: 60, completed: 60 },
  });
  const parts = {
    'A.csv': readFileSync(file('export-2/A.csv')),
    'N.csv': readFileSync(file('export-2/N.csv')),
  };
  const text = parts['N.csv'].toString().replace('A-11,note', 'A-11,another note');
  writeFileSync(file('export-3.zip'), await zipOf({ ...parts, 'N.csv': text }));
  const third = await night('export-3.zip');
  expect(third).toMatchObject({ code: 0, changed: ['A-11'], driven: ['A-11'] });
  expect(third.summary).toMatchObject({ unchangedAccounts: 59 });
  const plan = await ranHere(
    ['plan', 'export-3.zip', '--mapping', 'mapping.yaml', '--json'],
    space.directory,
  );
  expect(summaryOf(plan.stdout)).toMatchObject({ accounts: { done: 60 } });
});

it('files that are not sorted are compared too', async () => {
  edit('export/N.csv', /A-00.*\n/, '');
  writeFileSync(file('export/N.csv'), `${readFileSync(file('export/N.csv'), 'utf8')}A-00,"last, of all"\n`);
  await night();
  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  const second = await night();
  expect(second).toMatchObject({ code: 0, changed: ['A-07'], driven: ['A-07'] });
  expect(second.summary).toMatchObject({ unchangedAccounts: 59 });
});

it('the order of all rows is no change, sorted one night and not the next', async () => {
  edit('export/N.csv', 'A-07,note of A-07', 'A-07,"note, of A-07"');
  await night();
  for (const name of ['export/A.csv', 'export/N.csv']) {
    const [header = '', ...rows] = readFileSync(file(name), 'utf8').trimEnd().split('\n');
    writeFileSync(file(name), [header, ...rows.reverse(), ''].join('\n'));
  }
  expect((await night()).summary).toMatchObject({ changedAccounts: 0, unchangedAccounts: 60 });
});

it('the order of rows is a change where their positions mean something', async () => {
  cpSync(project('fixtures/flat'), file('flat'), { recursive: true });
  const here = (...args: string[]) => ranHere([...args, '--json'], space.directory);
  expect((await here('run', 'flat')).code).toBe(0);
  // The points of supply name their address by its position.
  edit('flat/supply_addresses.csv', /^(.*\n)(.*\n)(.*\n)/, '$1$3$2');
  const second = await here('run', 'flat');
  expect(summaryOf(second.stdout)).toMatchObject({ changedAccounts: 1, accounts: { rejected: 1 } });
  expect(second.stdout).toContain('changed_after_import');
});

it('the order of rows is a change where the mapping takes the first or the last of them', async () => {
  const taking = `  sales_channel: { from: notes, take: last, each: TEXT }\nnotes:`;
  writeFileSync(file('mapping.yaml'), mapping.replace('notes: { from', `${taking} { from`));
  edit('export/N.csv', /(A-07),.*/, '$1,EVENTS\n$1,OTHER');
  expect((await night()).code).toBe(0);
  edit('export/N.csv', 'A-07,EVENTS\nA-07,OTHER', 'A-07,OTHER\nA-07,EVENTS');
  expect((await night()).summary).toMatchObject({ changedAccounts: 1, accounts: { rejected: 1 } });
});

it.each([[[]], [['--rejects', 'rej']], [['--problems', 'problems.csv']]])(
  "the order of an account's rows in its files is no change to a run with %j, a plan or a proof",
  async (more) => {
    const withList = mapping.replace(
      /notes: \{ from.*/,
      `  billing_address: { street_address: { constant: Weg 1 }, locality: { constant: Bonn }, postal_code: { constant: '53111' }, country: { constant: DE } }
  customers: [{ given_name: ID, family_name: ID, email: { constant: a@example.com } }]
  transfer_balance: { constant: '0.00' }
  ledgers:
    - ledger_code: { constant: ENERGY }
      ledger_balance: { constant: '0' }
      last_statement_balance: { constant: '0' }
      last_statement_closing_date: { constant: 2026-05-01 }
      historical_statement_transactions:
        from: notes
        each: { transaction_id: TEXT, transaction_date: { constant: 2026-04-01 }, amount: { constant: '0' }, type: { constant: CHARGE } }`,
    );
    writeFileSync(file('mapping.yaml'), withList);
    edit('export/N.csv', /(A-07),.*/, '$1,first\n$1,second');
    const first = await night();
    expect(first).toMatchObject({ code: 0, summary: { accounts: { completed: 60 } } });
    edit('export/N.csv', 'A-07,first\nA-07,second', 'A-07,second\nA-07,first');
    edit('export/N.csv', 'A-30,note', 'A-30,another note');
    const blocked = { accounts: { done: 59, blocked: 1 }, blocked: { changed_after_import: 1 } };
    const plan = () => ranHere(['plan', 'export', '--mapping', 'mapping.yaml', '--json'], space.directory);
    expect(summaryOf((await plan()).stdout)).toMatchObject(blocked);
    const second = await night('export', ...more);
    expect(second.summary).toMatchObject({
      accounts: { completed: 59, rejected: 1 },
      unchangedAccounts: 59,
    });
    expect(summaryOf((await plan()).stdout)).toMatchObject(blocked);
    const proof = await ranHere(
      ['reconcile', 'export', '--mapping', 'mapping.yaml', '--json'],
      space.directory,
    );
    expect(linesOfType(proof.stdout, 'difference')).toMatchObject([{ account: 'A-30' }]);
    expect((await night()).summary).toMatchObject({
      accounts: { completed: 59, rejected: 1 },
      unchangedAccounts: 59,
    });
  },
);

it('chosen accounts and dry runs are compared with the last night too', async () => {
  await night();
  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  writeFileSync(file('list.txt'), 'A-08\n');
  const chosen = await night('export', '--accounts', 'list.txt');
  expect(chosen.summary).toMatchObject({ changedAccounts: 0, unchangedAccounts: 1 });
  const rehearsed = await night('export', '--dry-run');
  expect(rehearsed.summary).toMatchObject({ changedAccounts: 1, unchangedAccounts: 59 });
  expect(rehearsed.changed).toEqual(['A-07']);
});

it('a run that was stopped is continued, and leaves out what is done', async () => {
  await night('export', '--limit', '20');
  const rest = await night();
  expect(rest.code).toBe(0);
  expect(rest.driven).toHaveLength(40);
  expect(rest.summary).toMatchObject({ unchangedAccounts: 20, accounts: { completed: 60 } });
});

it('a journal that was restored is compared as it is', async () => {
  await night();
  await ranHere(['journal', 'backup', 'backup.db'], space.directory);
  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  await night();
  const restored = await ranHere(['journal', 'restore', 'backup.db', '--yes'], space.directory);
  expect(restored.code).toBe(0);
  const again = await night();
  expect(again.summary).toMatchObject({
    accounts: { completed: 60 },
    changedAccounts: 1,
    unchangedAccounts: 59,
  });
});

it('another platform has no account that is known', async () => {
  await night();
  renameSync(file('.migrate/platform.db'), file('old.db'));
  edit('export/N.csv', 'A-07,note', 'A-07,another note');
  const second = await night();
  expect(second.driven).toHaveLength(60);
  rmSync(file('old.db'));
});

it.skipIf(!hasPostgres)(
  'on a journal that machines share, each leaves out what is unchanged (needs PostgreSQL)',
  async () => {
    const server = await startPostgres();
    const platform = await served(space.directory, '--port', '0');
    try {
      const env = {
        ...server.env,
        MIGRATE_JOURNAL: server.url(await server.makeDatabase()),
        MIGRATE_BASE_URL: platform.url,
        MIGRATE_API_KEY: platform.apiKey,
        MIGRATE_TEAM: 'MIGRATIONS',
      };
      const here = (machine: string, command: string, ...more: string[]) => {
        cpSync(file('export'), file(`${machine}/export`), { recursive: true });
        const args = [command, 'export', '--mapping', '../mapping.yaml', '--json', ...more];
        return ranHere(args, file(machine), { env });
      };
      expect((await here('a', 'run', '--yes')).code).toBe(0);
      edit('export/N.csv', 'A-07,note', 'A-07,another note');
      const second = await here('b', 'run', '--yes');
      expect(second.code).toBe(0);
      expect(summaryOf(second.stdout)).toMatchObject({
        ...{ changedAccounts: 1, unchangedAccounts: 59, requests: 1 },
        accounts: { total: 60, completed: 60 },
      });
      expect(summaryOf((await here('b', 'plan')).stdout)).toMatchObject({ accounts: { done: 60 } });
    } finally {
      await platform.stop();
      await server.remove();
    }
  },
);

it('takes the rows of an account that has the number at another supplier for no earlier rows', async () => {
  edit('mapping.yaml', '{ constant: TENTACLE_ENERGY }', '{ column: UNUSED }');
  edit('export/A.csv', /,x$/gm, ',TENTACLE_ENERGY');
  expect((await night()).code).toBe(0);
  mkdirSync(file('other'));
  for (const name of ['A.csv', 'N.csv']) cpSync(file(`export/${name}`), file(`other/${name}`));
  edit('other/A.csv', /TENTACLE_ENERGY/g, 'PAUSED_ENERGY');
  const other = await night('other');
  expect(other.summary).toMatchObject({ changedAccounts: 0 });
  expect(other.changed).toEqual([]);
  edit('export/N.csv', 'note of A-07', 'a new note');
  expect((await night()).changed).toEqual(['A-07']);
});
