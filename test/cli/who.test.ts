import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { versionAndCommit } from '../../src/host/packaged.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
const jane = { user: 'jane', host: 'night-1' };
const kim = { user: 'kim', host: 'night-2' };
const by = (who: typeof jane) => ({ ...who, version: versionAndCommit() });

/** An account with an uncertain note, and one that failed. */
beforeEach(async () => {
  space = workspace();
  ({ directory } = space);
  const journal = openJournal(join(directory, '.migrate/journal.db'), {
    synchronous: 'NORMAL',
    create: true,
  });
  await journal.takeMark(1);
  const run = await journal.startRun({
    ...{ platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: 1 },
    by: by(jane),
  });
  const one = await journal.open('p', { supplier: 'S', account: '1' });
  const created = { accountId: one.id, step: 'process', part: 0 } as const;
  await journal.recordSent(created, { hash: 'h', run, at: 1 }, { state: 'done', outcome: 'ok', at: 2 });
  const note = { accountId: one.id, step: 'notes', part: 0 } as const;
  await journal.intend(note, { hash: 'h', run, at: 1 });
  await journal.settle(note, { state: 'uncertain', outcome: 'unknown', code: 'connection_reset', at: 2 });
  await journal.change(one.id, {
    state: 'uncertain',
    steps: { process: 'done', notes: 'uncertain' },
    krakenAccountNumber: 'A-1',
  });
  const two = await journal.open('p', { supplier: 'S', account: '2' });
  await journal.change(two.id, { state: 'failed', code: 'http_503', steps: { stage: 'failed' } });
  await journal.close();
});
afterEach(() => space.dispose());

const resolved = () => ranHere(['resolve', '1', '--step', 'notes', '--as', 'done', '--json'], directory, kim);

it('a run, a ruling and a retry tell in the history who made them', async () => {
  concluded(await resolved(), 'resolve', 0);
  concluded(await ranHere(['retry', '--json'], directory, jane), 'retry', 0);
  const { stdout, ...ended } = await ranHere(['history', '--json'], directory);
  expect(concluded({ stdout, ...ended }, 'history', 0)).toMatchObject({ runs: 1, interventions: 2 });
  expect(linesOfType(stdout, 'run')).toMatchObject([{ run: 1, by: by(jane) }]);
  expect(linesOfType(stdout, 'intervention')).toMatchObject([
    { command: 'retry', accounts: 1, by: by(jane) },
    { command: 'resolve', accounts: 1, by: by(kim), at: expect.stringMatching(/Z$/) as string },
  ]);
  const text = (await ranHere(['history'], directory)).stdout;
  expect(text).toContain(`Started by jane@night-1, version ${versionAndCommit()}.`);
  await ranHere(['report', '--out', 'r.html'], directory);
  expect(readFileSync(join(directory, 'r.html'), 'utf8')).toContain(
    `>jane@night-1, version ${versionAndCommit()}<`,
  );
  expect(text).toMatch(/retry +1 +jane@night-1/);
  expect(text).toMatch(/resolve +1 +kim@night-2/);
});

it('an account tells who ruled on it, and who began the runs that sent something of it', async () => {
  concluded(await resolved(), 'resolve', 0);
  const shown = concluded(await ranHere(['show', '1', '--json'], directory), 'show', 0);
  expect(shown).toMatchObject({
    runs: [{ run: 1, by: by(jane) }],
    interventions: [{ command: 'resolve', by: by(kim), parts: [{ step: 'notes', part: 1, state: 'done' }] }],
  });
  const text = (await ranHere(['show', '1'], directory)).stdout;
  expect(text).toMatch(/Run 1, .*, by jane@night-1, version/);
  expect(text).toMatch(/resolve +notes 1 done +kim@night-2/);
  expect((await ranHere(['show', '2'], directory)).stdout).not.toContain('kim');
});

it('a restore is told in the history and of each account', async () => {
  const backup = ['journal', 'backup', 'backup.db', '--json'];
  concluded(await ranHere(backup, directory, jane), 'journal', 0);
  concluded(await ranHere(['journal', 'restore', 'backup.db', '--json'], directory, kim), 'journal', 0);
  const told = linesOfType((await ranHere(['history', '--json'], directory)).stdout, 'intervention');
  expect(told).toMatchObject([{ command: 'restore', accounts: null, by: by(kim) }]);
  const text = (await ranHere(['show', '2'], directory)).stdout;
  expect(text).toMatch(/restore +kim@night-2/);
});

describe('a backup that is older than the journal', () => {
  beforeEach(async () => {
    concluded(await ranHere(['journal', 'backup', 'backup.db', '--json'], directory), 'journal', 0);
    concluded(await resolved(), 'resolve', 0);
  });
  const restore = ['journal', 'restore', 'backup.db'];
  const loss = 'The backup does not have changes to 1 account and 1 ruling or retry.';

  it('is not restored where nobody can be asked, unless --yes is given', async () => {
    refused(
      await ranHere([...restore, '--json'], directory),
      'journal',
      2,
      'journal.db: last written',
      'backup.db: last written 1970-01-01',
      loss,
      'Add --yes',
    );
    const shown = concluded(await ranHere(['show', '1', '--json'], directory), 'show', 0);
    expect(shown).toMatchObject({ state: 'imported' });
    expect(concluded(await ranHere([...restore, '--yes', '--json'], directory), 'journal', 0)).toMatchObject({
      backupAt: '1970-01-01T00:00:00.002Z',
      lost: { runs: 0, accounts: 1, rulings: 1 },
    });
    expect(concluded(await ranHere(['show', '1', '--json'], directory), 'show', 0)).toMatchObject({
      state: 'uncertain',
    });
  });

  it('is restored where a person says so, who is told how old both are', async () => {
    const asked: string[] = [];
    const answering = (answer: boolean) => ({
      interactive: true,
      confirm: (question: string) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
    });
    const no = await ranHere(restore, directory, answering(false));
    expect(no).toMatchObject({ code: 6 });
    expect(no.stderr).toContain(`warning: ${loss}`);
    expect(no.stderr).toContain('Nothing is restored.');
    const yes = await ranHere(restore, directory, answering(true));
    expect(yes).toMatchObject({ code: 0 });
    expect(yes.stdout.replaceAll('\n', ' ')).toContain(loss);
    expect(asked).toEqual([expect.stringMatching(/^Replace .*journal\.db with backup\.db\?$/), asked[0]]);
  });
});

it('the rulings of a file are one command, and the export of the journal has them all', async () => {
  writeFileSync(join(directory, 'rulings.csv'), 'account,supplier,step,part,ruling\n1,S,notes,1,repeat\n');
  const args = ['resolve', '--from', 'rulings.csv', '--yes', '--json'];
  concluded(await ranHere(args, directory, kim), 'resolve', 0);
  const { stdout } = await ranHere(['journal', 'export'], directory);
  expect(linesOfType(stdout, 'intervention')).toMatchObject([
    { command: 'resolve', accounts: 1, by: by(kim) },
  ]);
  expect(linesOfType(stdout, 'account')).toMatchObject([
    { account: '1', interventions: [{ command: 'resolve' }] },
    { account: '2', interventions: [] },
  ]);
});

it('a run records who began it', async () => {
  const sample = project('fixtures/interface');
  const journal = ['--journal', 'run.db'];
  await ranHere(['run', sample, '--limit', '1', '--json', ...journal], directory, kim);
  const { stdout } = await ranHere(['history', '--json', ...journal], directory);
  expect(linesOfType(stdout, 'run')).toMatchObject([{ by: by(kim) }]);
});
