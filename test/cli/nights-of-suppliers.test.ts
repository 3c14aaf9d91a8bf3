import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemShell } from '../../src/cli/shell.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { zeroCounts } from '../../src/domain/account-state.ts';
import type { Journal, RunEnd } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { nightAfter } from '../../src/run/night-verdict.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
const platform = 'https://platform.example';
const now = Date.now();
let journal: Journal;

type Name = 'kelp' | 'tent' | 'reed';
afterAll(async () => {
  await journal.close();
  space.dispose();
});

/** A run of a supplier whose accounts are in an export and a profile of its own. */
async function ran(name: Name, minutesAgo: number, end: Partial<RunEnd> = {}): Promise<number> {
  const startedAt = now - minutesAgo * 60_000;
  const facts = {
    ...{ profile: name, rehearsal: false, unattended: true, typed: [] },
    given: {
      ...{ place: join(directory, name), accounts: 2, files: [], sample: [name.length] },
      ...{ mapping: [], codeTables: [], contract: [], settings: {} },
    },
  };
  const head = { platform, platformLabel: platform, dryRun: false, export: `./${name}`, facts };
  const run = await journal.startRun({ ...head, startedAt });
  const ended = {
    endedAt: startedAt + 1000,
    exit: 0,
    reason: '',
    accounts: zeroCounts(),
    requests: 1,
    retries: 0,
  };
  await journal.finishRun(run, { ...ended, ...end });
  return run;
}

async function account(name: Name, number: string): Promise<number> {
  const key = { supplier: name.toUpperCase(), account: number };
  return (await journal.open(platform, key, join(directory, name))).id;
}

const morning = async (exit: number) => {
  const { stdout } = await ranHere(['morning'], directory);
  const summary = concluded(await ranHere(['morning', '--json'], directory), 'morning', exit);
  return { text: stdout.replaceAll(/\s+/g, ' '), summary };
};

describe('a morning of suppliers with runs of their own', () => {
  let [tent, kelp] = [0, 0];
  beforeAll(async () => {
    journal = openJournal(join(directory, '.migrate', 'journal.db'), { synchronous: 'NORMAL', create: true });
    for (const [name, numbers] of [
      ['tent', ['T-1', 'T-2']],
      ['kelp', ['K-1', 'K-2']],
    ] as const)
      for (const number of numbers) {
        const id = await account(name, number);
        if (number !== 'T-2')
          await journal.change(id, { state: 'completed', krakenAccountNumber: `A-${number}` });
      }
    for (const name of ['tent', 'kelp']) await journal.endReading(platform, join(directory, name));
    tent = await ran('tent', 90, { exit: 2, reason: 'export-shrank', detail: 'the export has shrunk.' });
    kelp = await ran('kelp', 30);
  });

  it('is not good as long as that of one is not, whatever came after it', async () => {
    const { text, summary } = await morning(2);
    expect(summary).toMatchObject({
      ...{ good: false, reason: 'export-shrank', run: tent, accounts: { total: 4, completed: 3 } },
      next: expect.stringContaining('migrate plan ./tent --supplier TENT --profile tent') as string,
    });
    expect(text).toContain('Not a good night for TENT: the export, or a code table of its mapping, shrank');
    expect(text).toContain(`KELP: a good night: everything is done (run ${kelp}); 2 of 2 complete.`);
    // Two books are not compared.
    expect(text).not.toContain('Different from');
    expect(
      concluded(await ranHere(['morning', '--supplier', 'KELP', '--json'], directory), 'morning', 0),
    ).toMatchObject({ good: true });
  });

  it('does not count against the run of another, which ends as its own night went', async () => {
    const shell = { ...systemShell(), cwd: directory, env: {} };
    const config = await loadConfig({ cwd: shell.cwd, env: {}, flags: {}, ruleCodes: [] });
    if ('problems' in config) throw new Error(JSON.stringify(config.problems));
    expect(await nightAfter(shell, config, kelp)).toMatchObject({ run: kelp, good: true });
    expect(await nightAfter(shell, config, tent)).toMatchObject({ run: tent, reason: 'export-shrank' });
  });

  it('has the commands of the supplier that is told', async () => {
    await journal.markAbsent([await account('tent', 'T-3')]);
    await ran('tent', 20, { exit: 6, reason: 'hours', detail: 'until 05:30' });
    await ran('kelp', 10);
    const { text } = await morning(3);
    expect(text).toContain('Not a good night for TENT: accounts left the export before they were created');
    expect(text).toContain('migrate list --supplier TENT --profile tent --gone');
    expect(text).toContain('migrate resolve --supplier TENT --profile tent --as gone');
    expect(text).toContain('migrate plan ./tent --supplier TENT --profile tent');
    expect(text).not.toMatch(/--profile kelp/);
  });

  it('names one whose finished book got a run each night, and gets none any more', async () => {
    const id = await account('reed', 'R-1');
    await journal.change(id, { state: 'completed', krakenAccountNumber: 'A-R-1' });
    await journal.endReading(platform, join(directory, 'reed'));
    for (const days of [6, 5, 4, 3]) await ran('reed', days * 24 * 60);
    const { text } = await morning(6);
    expect(text).toContain('Not a good night for REED: no run began');
  });
});
