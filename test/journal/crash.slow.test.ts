import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { zeroCounts } from '../../src/domain/account-state.ts';
import { stepNames } from '../../src/domain/steps.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { journalSpec } from '../../src/journal/sqlite/schema.ts';
import { openDatabase } from '../../src/sqlite/open-database.ts';
import { collect } from './conformance/collect.ts';
import { compileInto, linesOf } from './crash/programs.ts';

let compiled: string;
let directory: string;
let file: string;

beforeAll(() => {
  compiled = mkdtempSync(join(tmpdir(), 'compiled-'));
  compileInto(compiled);
});

afterAll(() => rmSync(compiled, { recursive: true }));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(directory, '.migrate', 'journal.db');
});

afterEach(() => rmSync(directory, { recursive: true }));

describe('a journal whose writer was killed', () => {
  it.each(['FULL', 'NORMAL'] as const)('holds all that was confirmed, under %s', async (synchronous) => {
    const confirmed: string[] = [];
    for (const [round, killAfter] of [1, 2, 17, 150, 700].entries()) {
      const args = [file, synchronous, String(round * 10_000)];
      const lines = await linesOf(compiled, 'writer.js', args, (said, child) => {
        if (said.length === killAfter) child.kill('SIGKILL');
      });
      confirmed.push(...lines);
      await checkAgainst(confirmed);
    }
  });
});

describe('several processes that start in the same moment', () => {
  it('make one journal, and one of them gets the lease', async () => {
    const takers = ['1', '2', '3', '4'].map((number) => linesOf(compiled, 'lease-taker.js', [file, number]));
    const said = (await Promise.all(takers)).flat();
    const owner = said
      .find((line) => line.startsWith('taken'))
      ?.split(' ')
      .at(-1);
    expect(said.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => `held by ${owner}`),
      `taken by ${owner}`,
    ]);
  });
});

async function checkAgainst(confirmed: readonly string[]): Promise<void> {
  const db = openDatabase(file, { ...journalSpec, synchronous: 'FULL' });
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('foreign_key_check')).toEqual([]);
  db.close();

  const journal = openJournal(file, { synchronous: 'FULL', create: true });
  const runs = await collect(journal.runs());
  const accounts = await collect(journal.accounts('p', 'S'));
  const byNumber = new Map(accounts.map((account) => [account.key.account, account]));
  for (const line of confirmed) {
    const [said = '', number = '', step] = line.split(' ');
    if (said === 'run') expect(runs.map(({ id }) => id)).toContain(Number(number));
    if (said === 'run' || said === 'opening') continue;
    const account = byNumber.get(number);
    const part = account?.parts.find((entry) => entry.step === step);
    if (said === 'opened') expect(account).toBeDefined();
    else if (said === 'intended') expect(part).toMatchObject({ hash: `hash of ${step}`, attempt: 1 });
    else if (said === 'settled') expect(part).toMatchObject({ state: 'done', status: 201 });
    else expect(account).toMatchObject({ state: 'completed', krakenAccountNumber: `K-${number}` });
  }

  const counts = zeroCounts();
  const done = Object.fromEntries(stepNames.map((step) => [step, 0]));
  for (const { state, steps } of accounts) {
    counts[state] += 1;
    for (const step of stepNames) if (steps[step] === 'done') done[step] = (done[step] ?? 0) + 1;
  }
  const [overview] = await journal.overview();
  expect(overview?.accounts ?? zeroCounts()).toEqual(counts);
  for (const step of stepNames) expect(overview?.steps[step].done ?? 0).toBe(done[step]);
  await journal.close();
}
