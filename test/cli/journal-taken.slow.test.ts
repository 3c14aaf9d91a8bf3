import Database from 'better-sqlite3';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, refused } from './endings.ts';
import { contents } from './platform-contents.ts';
import { ended, lines, served, start, summaryOf, tool, workspace, type Ended, type Served } from './tool.ts';

const accounts = 50;
let shared: ReturnType<typeof workspace>;
let book: string;
let whole: Map<string, string>;
beforeAll(async () => {
  shared = workspace();
  book = join(shared.directory, 'book');
  await generateExport({
    directory: book,
    accounts,
    seed: 23,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
  const undisturbed = await served(shared.directory, '--port', '0', '--state', 'undisturbed.db');
  await tool(['run', book, '--yes', '--quiet'], shared.directory, environment(undisturbed));
  await undisturbed.stop();
  whole = contents(join(shared.directory, 'undisturbed.db'));
});
afterAll(() => shared.dispose());

let space: ReturnType<typeof workspace>;
let directory: string;
let platform: Served;
let place: string;
let journal: string;
beforeEach(async () => {
  space = workspace();
  ({ directory } = space);
  platform = await served(directory, '--port', '0', '--state', 'platform.db');
  place = join(directory, 'place');
  mkdirSync(place);
  journal = join(place, 'journal.db');
});
afterEach(async () => {
  await platform.stop();
  space.dispose();
});

const environment = ({ url, apiKey }: Served) => ({
  MIGRATE_BASE_URL: url,
  MIGRATE_API_KEY: apiKey,
  MIGRATE_TEAM: 'MIGRATIONS',
  MIGRATE_PATIENCE_QUIET_PERIOD_MS: '200',
});

const args = (...more: string[]) => ['run', book, '--yes', '--json', '--journal', journal, ...more];
const run = (...more: string[]): Promise<Ended> => tool(args(...more), directory, environment(platform));

/** A run to which something is done as soon as it has told of an account. */
async function runMeanwhile(act: () => void, ...more: string[]): Promise<Ended> {
  const child = start(args('--concurrency', '4', ...more), directory, environment(platform));
  const end = ended(child);
  if (child.stdout === null) throw new Error('a child without stdout');
  await once(child.stdout, 'data');
  act();
  return end;
}

const held = () => contents(join(directory, 'platform.db'));
const told = ({ stdout }: Ended) => lines(stdout).filter(({ type }) => type === 'account').length;

describe('a run whose journal', () => {
  it.each([
    ['is deleted', () => rmSync(journal), () => savedIn(place)],
    ['is deleted with its log', () => taken('').forEach((path) => rmSync(path)), () => savedIn(place)],
    ['is moved', () => renameSync(journal, join(directory, 'away.db')), () => join(directory, 'away.db')],
    ['has another put in its place', () => renameSync(other(), journal), () => savedIn(place)],
  ])('%s stops, and goes on from its records', async (_, take, records) => {
    const stopped = await runMeanwhile(take);
    const message = 'was moved, replaced or deleted while the run used it. No further request was sent.';
    refused(stopped, 'run', 2, message);
    expect(stopped.stderr).toContain(records());
    expect(told(stopped)).toBeLessThan(accounts);
    renameSync(records(), journal);
    const again = await run();
    expect(concluded(again, 'run', 0)).toMatchObject({ accounts: { completed: accounts } });
    expect(again.stderr).not.toContain('mark');
    expect(held()).toEqual(whole);
  });

  it('is moved with its directory stops, and goes on when that is back', async () => {
    const stopped = await runMeanwhile(() => renameSync(place, `${place}-away`));
    refused(stopped, 'run', 2, `mv ${place}-away ${place}`);
    renameSync(`${place}-away`, place);
    expect(concluded(await run(), 'run', 0)).toMatchObject({ accounts: { completed: accounts } });
    expect(held()).toEqual(whole);
  });

  it('went back to a copy from before says so, and sends nothing twice', async () => {
    concluded(await run('--limit', '10'), 'run', 6);
    copyFileSync(journal, join(directory, 'snapshot.db'));
    concluded(await run('--limit', '20'), 'run', 6);
    rmSync(journal);
    renameSync(join(directory, 'snapshot.db'), journal);
    const back = await run();
    expect(back.stderr).toContain('is older than at its last use');
    // What the platform recognises is repeated; the rest is left to a person, and is not there twice.
    const missing = (summaryOf(back.stdout)['accounts'] as { uncertain: number }).uncertain;
    concluded(back, 'run', missing > 0 ? 8 : 0);
    const differs = [...held()].filter(([account, has]) => whole.get(account) !== has);
    expect(differs.length).toBeLessThanOrEqual(missing);
    expect(held().size).toBe(accounts);
  });

  it('is killed again and again is told to be the newest each time', async () => {
    // Two kills may meet one payment instruction, which leaves it to a person.
    const unpaid = ['validate', 'stage', 'process', 'notes', 'transactions', 'billing-documents'];
    for (let kill = 0; kill < 4; kill += 1) {
      const given = args('--concurrency', '4', '--steps', unpaid.join());
      const child = start(given, directory, environment(platform));
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      if (child.stdout === null) throw new Error('a child without stdout');
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'close');
      expect(stderr).not.toMatch(/older|mark|not the one/);
    }
    const end = await run();
    expect(end.stderr).not.toMatch(/older|mark|not the one/);
    expect(concluded(end, 'run', 0)).toMatchObject({ accounts: { completed: accounts } });
    expect(held()).toEqual(whole);
  });
});

describe('a journal that a stopped run holds', () => {
  it.each([
    ['run', () => args()],
    ['retry', () => ['retry', '--json', '--journal', journal]],
    [
      'resolve',
      () => ['resolve', '1', '--step', 'agreements', '--as', 'done', '--json', '--journal', journal],
    ],
    ['status', () => ['status', '--json', '--journal', journal]],
  ])('ends %s with 7, and names the process', async (command, given) => {
    const child = start(args('--concurrency', '1'), directory, environment(platform));
    if (child.stdout === null) throw new Error('a child without stdout');
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    const db = new Database(journal, { timeout: 0 });
    // As if it had been stopped in the middle of a write; now and then it is.
    try {
      db.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY')) throw error;
    }
    const end = await tool(given(), directory, environment(platform));
    db.close();
    child.kill('SIGKILL');
    await once(child, 'close');
    refused(end, command, 7, `process ${child.pid}`);
  });
});

/** The journal's files. */
const taken = (suffix: string) =>
  ['', '-wal', '-shm'].map((part) => `${journal}${part}${suffix}`).filter((path) => existsSync(path));

function savedIn(where: string): string {
  const saved = readdirSync(where).find((name) => name.includes('.saved-'));
  return join(where, saved ?? 'nothing');
}

function other(): string {
  const path = join(directory, 'other.db');
  copyFileSync(join(shared.directory, '.migrate', 'journal.db'), path);
  return path;
}
