import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { concluded, linesOfType, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, served, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

const sample = project('fixtures/interface');
const plan = (...args: string[]) => ranHere(['plan', ...args, '--json'], directory);
const counts = async (...args: string[]) => concluded(await plan(...args), 'plan', 0)['accounts'];

describe('a plan', () => {
  it('of an export that was never run takes everything for new, and makes nothing', async () => {
    const ended = await plan(sample);
    expect(concluded(ended, 'plan', 0)).toMatchObject({
      platform: 'embedded',
      accounts: { total: 50, new: 50, changed: 0, unfinished: 0, done: 0, blocked: 0 },
      steps: { validate: 50, stage: 50, process: 50 },
      blocked: {},
    });
    expect(linesOfType(ended.stdout, 'account')).toHaveLength(50);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('agrees with the run that follows it, account by account, and with the one after that', async () => {
    const faulty = project('fixtures/faulty/export');
    const foreseen = linesOfType((await plan(faulty)).stdout, 'account');
    const run = await ranHere(['run', faulty, '--json'], directory);
    const ends = new Map(linesOfType(run.stdout, 'account').map((line) => [line['account'], line]));
    expect(foreseen).toHaveLength(64);
    for (const { account, plan: due, code } of foreseen)
      expect(ends.get(account)).toMatchObject(
        due === 'new' ? { state: 'completed', code: null } : { state: 'rejected', code },
      );
    expect(await counts(faulty)).toMatchObject({ total: 64, done: 34, blocked: 30 });
  });

  it('names every code that blocks accounts in full, as validate does', async () => {
    const faulty = project('fixtures/faulty/export');
    const validate = await ranHere(['validate', faulty], directory);
    const told = [(await ranHere(['plan', faulty], directory)).stdout, validate.stdout];
    expect(told.filter((text) => text.includes('...'))).toEqual([]);
    const longest = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount';
    for (const text of told) expect(text).toContain(longest);
  });

  it('takes what the filters of a run take', async () => {
    await ranHere(['run', sample, '--steps', 'validate,stage', '--limit', '20'], directory);
    expect(await counts(sample)).toMatchObject({ new: 30, unfinished: 20 });
    expect(await counts(sample, '--steps', 'stage')).toMatchObject({ new: 30, blocked: 20 });
    writeFileSync(join(directory, 'some.txt'), 'EXT-000001\nEXT-000050\n');
    expect(await counts(sample, '--accounts', 'some.txt')).toMatchObject({ total: 2, new: 1, unfinished: 1 });
    // As editors on Windows save it.
    writeFileSync(join(directory, 'marked.txt'), '\uFEFFEXT-000001\r\nEXT-000050\r\n');
    expect(await counts(sample, '--accounts', 'marked.txt')).toMatchObject({ total: 2 });
    writeFileSync(join(directory, 'slips.txt'), 'EXT-9999\nEXT-000001\nA\nB\nC\n');
    const slips = [sample, '--accounts', 'slips.txt'];
    const missing = '4 accounts of the list are not in the export: EXT-9999, A, B, ... Check the list.';
    const run = await ranHere(['run', ...slips, '--json'], directory);
    for (const ended of [await plan(...slips), run])
      expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining(missing) as string });
    expect(await counts(...slips)).toMatchObject({ total: 1 });
    // The run tells of the whole book.
    expect(summaryOf(run.stdout)).toMatchObject({ accounts: { total: 50, completed: 1 } });
  });

  it('counts rows that belong to no account, for which each run ends with 3', async () => {
    cpSync(project('fixtures/flat'), join(directory, 'flat'), { recursive: true });
    await ranHere(['run', 'flat'], directory);
    const notes = join(directory, 'flat/notes.csv');
    writeFileSync(
      notes,
      `${readFileSync(notes, 'utf8').trimEnd()}\nEXT-9,Lost,2024-01-20T23:51:31Z,true,,\n`,
    );
    expect(concluded(await plan('flat'), 'plan', 0)).toMatchObject({ accounts: { done: 50 }, faults: 1 });
    const { stdout } = await ranHere(['plan', 'flat'], directory);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      '1 fault of the export belongs to no account, such as a row without its account: `migrate validate` of the same export names the cells. ' +
        'Until it is fixed, a run that takes all accounts ends with exit code 3 at best.',
    );
    const run = await ranHere(['run', 'flat', '--json'], directory);
    expect(concluded(run, 'run', 3)).toMatchObject({ faults: 1 });
  });

  it('sees a row that was fixed, and a mapping that was', async () => {
    cpSync(project('fixtures/legacy'), join(directory, 'legacy'), { recursive: true });
    const args = ['legacy/export', '--mapping', 'legacy/mapping.yaml'];
    await ranHere(['run', ...args], directory);
    expect(await counts(...args)).toMatchObject({ total: 50, done: 50 });

    const remarks = join(directory, 'legacy/export/BEMERKUNGEN.csv');
    const rows = readFileSync(remarks, 'latin1');
    const added = 'EXT-000050;14.01.2024;10:00:00;Neue Bemerkung;N;;;';
    writeFileSync(remarks, `${rows.trimEnd()}\r\n${added}\r\n`, 'latin1');
    expect(await counts(...args)).toMatchObject({ done: 49, changed: 1 });

    const mapping = join(directory, 'legacy/mapping.yaml');
    const text = readFileSync(mapping, 'utf8');
    writeFileSync(mapping, text.replace(/(sales_channel: .*)/, 'sales_channel: { constant: OTHER }'));
    const changed = concluded(await plan(...args), 'plan', 0);
    expect(changed).toMatchObject({
      accounts: { changed: 1, blocked: 49 },
      blocked: { changed_after_import: 49 },
    });
    const run = await ranHere(['run', ...args, '--json'], directory);
    expect(concluded(run, 'run', 3)).toMatchObject({ requests: 1, accounts: { rejected: 50 } });
  });

  it('belongs to the platform that a run would go to', async () => {
    await ranHere(['run', sample], directory);
    expect(await counts(sample)).toMatchObject({ done: 50 });
    const platform = await served(directory, '--port', '0', '--state', 'other.db');
    const env = {
      MIGRATE_BASE_URL: platform.url,
      MIGRATE_API_KEY: platform.apiKey,
      MIGRATE_TEAM: 'MIGRATIONS',
    };
    const planned = async () => {
      const ended = await ranHere(['plan', sample, '--json'], directory, { env });
      return concluded(ended, 'plan', 0);
    };
    try {
      expect(await planned()).toMatchObject({ platform: platform.url, accounts: { new: 50 } });
      await ranHere(['run', sample, '--yes', '--limit', '10'], directory, { env });
      expect(await planned()).toMatchObject({ accounts: { new: 40, done: 10 } });
    } finally {
      await platform.stop();
    }
    // It tells from the journal alone, also when the platform is away.
    expect(await planned()).toMatchObject({ accounts: { new: 40, done: 10 } });
    rmSync(join(directory, '.migrate/platform.db'));
    expect(await counts(sample)).toMatchObject({ new: 50 });
  });

  it('is not made over rows that keep a run from starting', async () => {
    cpSync(project('fixtures/flat'), join(directory, 'flat'), { recursive: true });
    const notes = join(directory, 'flat/notes.csv');
    const [header = '', row = ''] = readFileSync(notes, 'utf8').split('\n');
    const [key = ''] = row.split(',');
    writeFileSync(notes, `${header}\n${row.replace(key, '')}\n`);
    refused(
      await plan('flat'),
      'plan',
      2,
      'notes.csv:2',
      'It is not known which accounts these rows belong to',
    );
    expect(await counts('flat', '--skip-unreadable')).toMatchObject({ total: 50 });
  });
});
