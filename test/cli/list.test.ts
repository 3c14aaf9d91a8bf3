import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
afterAll(() => space.dispose());

const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const cell = (line: number) => ({ file: 'notes.csv', line, column: 'body' });

/** One completed account, one refused in two parts of its notes, one uncertain, one refused here, one not begun. */
beforeAll(async () => {
  const journal = openJournal(join(directory, '.migrate/journal.db'), {
    synchronous: 'NORMAL',
    create: true,
  });
  const run = await journal.startRun({
    ...{ platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: 1 },
  });
  const created = async (account: string) => {
    const { id } = await journal.open('p', { supplier: 'S', account });
    await journal.change(id, {
      state: 'imported',
      steps: { process: 'done' },
      krakenAccountNumber: `A-${account}`,
    });
    return id;
  };
  await journal.change(await created('done'), { state: 'completed' });
  const notes = await created('=notes');
  for (const part of [0, 2]) {
    const ref = { accountId: notes, step: 'notes', part } as const;
    await journal.intend(ref, { hash: `h${part}`, run, at: at - 1000 });
    await journal.settle(ref, { state: 'refused', outcome: 'refused', status: 400, code: 'invalid', at });
    await journal.intend(ref, { hash: `h${part}`, run, at });
    await journal.settle(ref, {
      ...{ state: 'refused', outcome: 'refused', status: 400, code: 'invalid', at },
      words: 'The account already has this note',
    });
  }
  await journal.setProblems(notes, [
    { step: 'notes', code: 'invalid', path: 'notes.1.body', cell: cell(3) },
    { step: 'notes', code: 'invalid', path: 'notes.2.body', cell: cell(4) },
  ]);
  await journal.change(notes, { state: 'rejected', code: 'invalid', steps: { notes: 'refused' } });
  const payment = await created('payment');
  const ref = { accountId: payment, step: 'payment-instruction', part: 0 } as const;
  await journal.intend(ref, { hash: 'h', run, at });
  await journal.settle(ref, { state: 'uncertain', outcome: 'unknown', code: 'connection_reset', at });
  await journal.setPartCells(payment, [
    { step: 'payment-instruction', part: 0, cell: { file: 'payments.csv', line: 7, column: '' } },
  ]);
  const steps = { 'payment-instruction': 'uncertain' } as const;
  await journal.change(payment, { state: 'uncertain', code: 'connection_reset', steps });
  const { id: local } = await journal.open('p', { supplier: 'T', account: 'local' });
  await journal.change(local, { state: 'rejected', code: 'invalid_phone_number' });
  await journal.setProblems(payment, [{ code: 'row_not_mapped', path: '', cell: cell(5), isWarning: true }]);
  await journal.setProblems(local, [
    { code: 'row_not_mapped', path: '', cell: cell(8), isWarning: true },
    { step: 'stage', code: 'invalid_phone_number', path: 'customers.0.landline', cell: cell(9) },
  ]);
  const { id: open } = await journal.open('p', { supplier: 'T', account: 'new' });
  await journal.setProblems(open, [{ code: 'KT-CT-1111', path: '', cell: cell(9), isWarning: true }]);
  await journal.close();
});

const list = (...args: string[]) => ranHere(['list', ...args], directory);

describe('migrate list', () => {
  it('tells each account with the parts that are not done, their cells, when and how often', async () => {
    const ended = await list('--json');
    expect(concluded(ended, 'list', 0)).toMatchObject({ accounts: 5, parts: 6, isCut: false });
    const sentAt = '2026-01-02T03:04:05.000Z';
    expect(linesOfType(ended.stdout, 'part')).toMatchObject([
      {
        account: '=notes',
        state: 'rejected',
        code: 'invalid',
        step: 'notes',
        part: 1,
        cells: [cell(3)],
        attempts: 2,
      },
      {
        account: '=notes',
        step: 'notes',
        part: 3,
        cells: [cell(4)],
        sentAt,
        attempts: 2,
        partState: 'refused',
      },
      { account: 'done', supplier: 'S', state: 'completed', code: null, step: null, part: null, attempts: 0 },
      { account: 'payment', state: 'uncertain', code: 'connection_reset', partState: 'uncertain' },
      { account: 'local', supplier: 'T', step: 'stage', part: null, cells: [cell(9)], sentAt: null },
      { account: 'new', state: 'pending', cells: [] },
    ]);
  });

  it.each([
    [['--state', 'uncertain'], ['payment']],
    [
      ['--state', 'rejected', '--supplier', 'S'],
      ['=notes', '=notes'],
    ],
    [['--code', 'invalid_phone_number'], ['local']],
    [['--step', 'payment-instruction'], ['payment']],
    [
      ['--limit', '1'],
      ['=notes', '=notes'],
    ],
  ])('tells those of %j alone', async (args, accounts) => {
    const ended = await list(...args, '--json');
    expect(linesOfType(ended.stdout, 'part').map(({ account }) => account)).toEqual(accounts);
    expect(concluded(ended, 'list', 0)).toMatchObject({ isCut: args[0] === '--limit' });
  });

  it('tells people where to look, and that the list was cut', async () => {
    const { code, stdout } = await list('--state', 'rejected', '--limit', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Account {2}Supplier {2}State {5}Step and part {2}Reason\n=notes/);
    expect(stdout).toMatch(
      /=notes {3}S {9}rejected {2}notes part 1 {3}invalid\n {4}sent twice, last 2026-01-02 /,
    );
    expect(stdout).toContain('\n    The account already has this note\n    notes.csv:3:body\n');
    expect(stdout).toContain('1 account. There are more: --limit N shows more, --csv FILE writes all.');
  });

  it('shows people the urgent accounts first', async () => {
    const { stdout } = await list();
    const states = [...stdout.matchAll(/^\S+ +[ST] +(\w+)/gm)].map(([, state]) => state);
    expect(states.indexOf('rejected')).toBeGreaterThan(states.lastIndexOf('uncertain'));
    expect(states[0]).toBe('uncertain');
    expect(states).not.toContain('completed');
    expect(stdout).toContain('Not listed: 1 completed account. --state completed lists it.');
    expect((await list('--state', 'completed')).stdout).toMatch(/^done +S +completed$/m);
  });

  it('asks for the code or state that a mistyped one means', async () => {
    refused(await list('--code', 'invalidd', '--json'), 'list', 2, "no account has the code 'invalidd'. Did you mean invalid?"); // prettier-ignore
    refused(await list('--state', 'rejcted', '--json'), 'list', 2, 'Did you mean rejected?');
  });

  it('warns of a code that no account has, such as one of the tenancy, and of none that the choice leaves out', async () => {
    for (const code of ['KT-CT-9999', 'nope', 'invalid_move']) {
      const { code: exit, stdout, stderr } = await list('--code', code);
      expect({ exit, stdout }).toEqual({ exit: 0, stdout: '0 accounts\n' });
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
        `warning: --code: no account has the code '${code}'. \`migrate list --summary\` lists the codes`,
      );
    }
    // Others have it, or one of these does in another state, run or supplier.
    for (const [code, ...choice] of [
      ['connection_reset', '--state', 'completed'],
      ['row_not_mapped', '--changed'],
      ['KT-CT-1111', '--supplier', 'S'],
      ['KT-CT-1111', '--state', 'uncertain'],
    ] as const)
      expect(await list('--code', code, ...choice)).toMatchObject({ code: 0, stderr: '' });
    const ended = await list('--code', 'KT-CT-1112', '--json');
    expect(concluded(ended, 'list', 0)).toMatchObject({ accounts: 0, unknownCode: 'KT-CT-1112' });
  });

  it('lists nothing for a warning, which show calls one', async () => {
    const ended = await list('--json');
    expect(linesOfType(ended.stdout, 'part').map(({ code }) => code)).not.toContain('row_not_mapped');
    const { stdout } = await ranHere(['show', 'payment'], directory);
    expect(stdout).toContain('row_not_mapped, a warning');
    const story = concluded(await ranHere(['show', 'payment', '--json'], directory), 'show', 0);
    expect(story['problems']).toMatchObject([{ code: 'row_not_mapped', severity: 'warning' }]);
  });

  it('tells where the export has what waits for a ruling, or what is known of it', async () => {
    const ended = await list('--state', 'uncertain', '--json');
    expect(linesOfType(ended.stdout, 'part')).toMatchObject([
      { account: 'payment', cells: [{ file: 'payments.csv', line: 7, column: '' }] },
    ]);
    expect((await list('--state', 'uncertain')).stdout).toContain('\n    payments.csv:7\n');
    const shown = await ranHere(['show', 'payment'], directory);
    expect(shown.stdout).toContain('  payment-instruction part 1, uncertain\n    payments.csv:7\n');
    const story = concluded(await ranHere(['show', 'payment', '--json'], directory), 'show', 0);
    expect(story['parts']).toEqual([
      {
        step: 'payment-instruction',
        part: 1,
        state: 'uncertain',
        cells: [{ file: 'payments.csv', line: 7, column: '' }],
      },
    ]);

    const change = async (work: (journal: Journal, id: number) => Promise<unknown>) => {
      const journal = openJournal(join(directory, '.migrate/journal.db'), {
        synchronous: 'NORMAL',
        create: false,
      });
      const { id } = await journal.open('p', { supplier: 'S', account: 'payment' });
      await work(journal, id);
      await journal.close();
    };
    await change((journal, id) => journal.setPartCells(id, []));
    expect((await list('--state', 'uncertain')).stdout).toContain('\n    cells not recorded\n');
    await change((journal) => journal.open('p', { supplier: 'S', account: 'payment' }, '/exports/book'));
    expect((await list('--state', 'uncertain')).stdout).toContain(
      'cells not recorded; last read from /exports/book',
    );
    expect((await ranHere(['show', 'payment'], directory)).stdout).toContain(
      'Cells of its parts, in /exports/book',
    );
  });

  it('writes them for a spreadsheet, without formulas, readable by their owner alone', async () => {
    const ended = await list('--csv', 'list.csv', '--json');
    expect(concluded(ended, 'list', 0)).toMatchObject({ csv: 'list.csv', accounts: 5 });
    const file = join(directory, 'list.csv');
    expect(readFileSync(file, 'utf8').split('\n').slice(0, 3)).toEqual([
      'account,supplier,state,code,step,part,part_state,cells,words,sent_at,attempts,ruling,number,codes',
      "'=notes,S,rejected,invalid,notes,1,refused,notes.csv:3:body,The account already has this note,2026-01-02T03:04:05.000Z,2,,,invalid",
      "'=notes,S,rejected,invalid,notes,3,refused,notes.csv:4:body,The account already has this note,2026-01-02T03:04:05.000Z,2,,,invalid",
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const plain = readFileSync(file, 'utf8');
    // The second time over a file of its own kind.
    for (const _time of [1, 2]) expect((await list('--csv', 'list.csv', '--bom', '--json')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`\ufeff${plain}`);
  });

  it('shows times in the zone of timeZone and names it, as every command does; programs get UTC', async () => {
    const zone = { env: { MIGRATE_TIME_ZONE: 'Asia/Tokyo' } };
    const commands = [
      ['list', '--state', 'uncertain'],
      ['show', 'payment'],
      ['status', '--account', 'payment'],
    ];
    for (const command of commands) {
      const { stdout } = await ranHere(command, directory, zone);
      // 03:04:05 in London.
      expect(stdout).toContain('12:04:05');
      expect(stdout).toContain('(Asia/Tokyo)');
      const json = await ranHere([...command, '--json'], directory, zone);
      expect(json.stdout).toContain('"2026-01-02T03:04:05.000Z"');
    }
    const history = await ranHere(['history'], directory, zone);
    expect(history.stdout).toContain('1970-01-01 09:00');
    expect(history.stdout).toContain('Times are in Asia/Tokyo.');
  });

  it('writes over no file of another kind', async () => {
    writeFileSync(join(directory, 'diary.csv'), 'Dear diary,\n');
    refused(await list('--csv', 'diary.csv', '--json'), 'list', 2, '--force');
    refused(await list('--csv', '.migrate/journal.db', '--force', '--json'), 'list', 2, 'the journal');
  });

  it('has the words of a refusal in show too, and not its status and a code that says nothing', async () => {
    const { stdout } = await ranHere(['show', '=notes'], directory);
    expect(stdout).toMatch(/refused\s+400 The /);
    expect(stdout).not.toContain('400 invalid The');
    const story = concluded(await ranHere(['show', '=notes', '--json'], directory), 'show', 0);
    expect(story['attempts']).toMatchObject([
      { attempt: 1, words: null },
      { attempt: 1, words: null },
      { attempt: 2, words: 'The account already has this note' },
      { attempt: 2, words: 'The account already has this note' },
    ]);
  });

  it('says of an account that a dry run staged what the platform holds', async () => {
    const journal = openJournal(join(directory, '.migrate/journal.db'), {
      synchronous: 'NORMAL',
      create: false,
    });
    const { id } = await journal.open('p', { supplier: 'T', account: 'new' });
    await journal.change(id, { stagedHash: 'h' });
    await journal.close();
    const staged = 'staged on the platform by a dry run, not created';
    const commands = [
      ['show', 'new'],
      ['list', '--state', 'pending'],
      ['status', '--supplier', 'T'],
    ];
    for (const command of commands) {
      const { stdout } = await ranHere(command, directory);
      expect(stdout).toContain(staged);
      expect(stdout).not.toContain('nothing was sent yet');
    }
    const [listed] = linesOfType((await list('--state', 'pending', '--json')).stdout, 'part');
    expect(listed).toMatchObject({ account: 'new', stagedByDryRun: true });
    const shown = concluded(await ranHere(['show', 'new', '--json'], directory), 'show', 0);
    expect(shown).toMatchObject({ stagedByDryRun: true });
    const status = concluded(await ranHere(['status', '--supplier', 'T', '--json'], directory), 'status', 0);
    expect(status).toMatchObject({ suppliers: [{ accounts: { pending: 1 }, stagedByDryRun: 1 }] });
  });
});

describe('migrate list --summary', () => {
  it('groups rejected and failed accounts by state, code, step and column', async () => {
    const ended = await list('--summary', '--json');
    expect(concluded(ended, 'list', 0)).toMatchObject({
      accounts: 2,
      groups: [
        { state: 'rejected', code: 'invalid', accounts: 1, step: 'notes', file: 'notes.csv', column: 'body' },
        { state: 'rejected', code: 'invalid_phone_number', accounts: 1, step: 'stage', shared: null },
      ],
    });
    expect((await list('--summary')).stdout).toContain('invalid_phone_number');
  });

  it('refuses an option that selects accounts', async () => {
    refused(await list('--summary', '--limit', '3', '--json'), 'list', 2, 'Remove --limit');
  });
});
