import Database from 'better-sqlite3';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, refused } from './endings.ts';
import { contents } from './platform-contents.ts';
import { bin, ended, served, start, summaryOf, tool, workspace, type Ended, type Served } from './tool.ts';

const accounts = 60;
let shared: ReturnType<typeof workspace>;
let book: string;
let whole: Map<string, string>;
beforeAll(async () => {
  shared = workspace();
  // Where another user may read it.
  chmodSync(shared.directory, 0o755);
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
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

const environment = (platform: Served) => ({
  MIGRATE_BASE_URL: platform.url,
  MIGRATE_API_KEY: platform.apiKey,
  MIGRATE_TEAM: 'MIGRATIONS',
  MIGRATE_PATIENCE_QUIET_PERIOD_MS: '200',
});

/** Runs the book while the journal is in trouble, and again when it is well: the platform has what it should, once. */
async function survives(
  run: (args: readonly string[], env: Record<string, string>) => Promise<Ended>,
  relieve: () => void,
  { journal, error, exit = 2 }: { journal: string; error: string; exit?: number },
): Promise<void> {
  const platform = await served(directory, '--port', '0', '--state', 'platform.db');
  const args = ['run', book, '--yes', '--json', '--journal', journal];
  try {
    const broken = await run(args, environment(platform));
    refused(broken, 'run', exit, error);
    expect(broken.stderr).not.toContain('Interrupted');
    relieve();
    const again = await tool(args, directory, environment(platform));
    expect(concluded(again, 'run', 0)).toMatchObject({ accounts: { completed: accounts } });
  } finally {
    await platform.stop();
  }
  expect(contents(join(directory, 'platform.db'))).toEqual(whole);
  const check = await tool(['journal', 'check', '--json', '--journal', journal], directory);
  expect(concluded(check, 'journal', 0)).toMatchObject({ faults: 0 });
}

/** A disk of its own of so many KB, where the tests may make one. */
function smallDisk(kilobytes: number): string | undefined {
  const place = join(directory, 'disk');
  mkdirSync(place);
  const options = ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', place];
  return spawnSync('mount', options).status === 0 ? place : undefined;
}

/** Fills a disk but for so many bytes. */
function fill(disk: string, filler: string, free: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free)));
}

describe('a journal', () => {
  it('whose disk is full ends the run, and nothing is lost or sent twice once there is room', async ({
    skip,
  }) => {
    const disk = smallDisk(400);
    if (disk === undefined) return skip('no disk of its own can be mounted here');
    try {
      await survives(
        (args, env) => tool(args, directory, env),
        () => void spawnSync('mount', ['-o', 'remount,size=100m', disk]),
        {
          journal: join(disk, 'journal.db'),
          error: 'cannot grow: the disk is full. Free space and run again.',
        },
      );
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  it('whose disk is full is named by the notification, which takes the run for ended', async ({ skip }) => {
    const disk = smallDisk(400);
    if (disk === undefined) return skip('no disk of its own can be mounted here');
    const platform = await served(directory, '--port', '0', '--state', 'platform.db');
    try {
      const told = join(directory, 'told.json');
      const args = ['run', book, '--yes', '--journal', join(disk, 'journal.db')];
      await tool(args, directory, { ...environment(platform), MIGRATE_NOTIFY_COMMAND: `cat >${told}` });
      expect(JSON.parse(readFileSync(told, 'utf8'))).toMatchObject({
        event: 'failure',
        night: { good: false, reason: 'disk-full' },
      });
    } finally {
      await platform.stop();
      spawnSync('umount', [disk]);
    }
  });

  it('whose disk will fill is told before the first request, in the morning and by doctor', async ({
    skip,
  }) => {
    const disk = smallDisk(8_000);
    if (disk === undefined) return skip('no disk of its own can be mounted here');
    const on = (...args: string[]) => tool([...args, '--journal', join(disk, 'journal.db')], directory);
    try {
      const ran = await on('run', book, '--limit', '5');
      expect(ran.stderr).toMatch(
        /warning: the disk of the journal has \d MB free, and the journal may need \d+ MB for up to 5 accounts of the export\. Free space/,
      );
      const morning = await on('morning');
      expect(morning.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'MB for 55 accounts that are left. Free space before the next run.',
      );
      expect(summaryOf((await on('morning', '--json')).stdout)).toMatchObject({ disk: { accounts: 55 } });
      const examined = await on('doctor');
      expect(examined.stdout.replaceAll(/\s+/g, ' ')).toContain('MB for 55 accounts that are left');
      const elsewhere = { MIGRATE_BASE_URL: 'http://127.0.0.1:9', MIGRATE_API_KEY: 'key' };
      const other = await tool(['doctor', '--journal', join(disk, 'journal.db')], directory, elsewhere);
      expect(other.stdout).toContain('is in order and has accounts');
      expect(other.stdout.replaceAll(/\s+/g, ' ')).not.toContain('accounts that are left');
      spawnSync('mount', ['-o', 'remount,size=100m', disk]);
      expect((await on('run', book)).stderr).not.toContain('the disk of the journal');
      // Another supplier's accounts that are complete make no room for these.
      await generateExport({
        ...{ directory: join(directory, 'another'), accounts: 30, seed: 24 },
        ...{ shape: 'interface', supplier: 'ANOTHER_ENERGY' },
      });
      const room = statfsSync(disk);
      const used = Math.ceil(((room.blocks - room.bavail) * room.bsize) / 1024 ** 2);
      spawnSync('mount', ['-o', `remount,size=${used + 6}m`, disk]);
      expect((await on('run', 'another', '--limit', '20')).stderr).toContain(
        'for up to 20 accounts of the export',
      );
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  it('whose disk is full is not replaced by a backup, and is whole once there is room', async ({ skip }) => {
    const disk = smallDisk(40_000);
    if (disk === undefined) return skip('no disk of its own can be mounted here');
    const journal = join(disk, 'journal.db');
    const backup = join(directory, 'backup.db');
    const filler = join(disk, 'filler');
    const on = (...args: string[]) => tool([...args, '--json', '--journal', journal], directory);
    const completed = async () => summaryOf((await on('status')).stdout)['suppliers'];
    try {
      await on('run', book, '--limit', '20');
      concluded(await on('journal', 'backup', backup), 'journal', 0);
      await on('run', book);
      const before = await completed();
      const mark = readFileSync(`${journal}-mark`, 'utf8');
      for (const free of [0, 64]) {
        fill(disk, filler, free * 1024);
        refused(await on('journal', 'restore', backup, '--yes'), 'journal', 2, 'the disk is full');
        rmSync(filler);
        concluded(await on('journal', 'check'), 'journal', 0);
        expect(await completed()).toEqual(before);
        expect(readFileSync(`${journal}-mark`, 'utf8')).toBe(mark);
      }
      concluded(await on('journal', 'restore', backup, '--yes'), 'journal', 0);
      expect(await completed()).not.toEqual(before);
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  it.skipIf(process.platform === 'win32')(
    'that may not grow any more ends the run in the same way (needs POSIX)',
    async () => {
      // A limit on the size of a file, in blocks of 512 bytes; the log is the first to meet it.
      const limited = (args: readonly string[], env: Record<string, string>) =>
        ended(
          spawn('sh', ['-c', 'ulimit -f 400; exec "$@"', 'sh', process.execPath, bin, ...args], {
            cwd: directory,
            env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
            stdio: ['ignore', 'pipe', 'pipe'],
          }),
        );
      await survives(limited, () => undefined, {
        journal: join(directory, 'journal.db'),
        error:
          'a file would have more than the 204,800 bytes that this process may write (ulimit -f, LimitFSIZE=)',
      });
    },
  );

  it('that another program locks while the run goes on ends it, and it goes on afterwards', async () => {
    const journal = join(directory, 'journal.db');
    let holder: Database.Database | undefined;
    await survives(
      async (args, env) => {
        const child = start([...args, '--concurrency', '1'], directory, env);
        const end = ended(child);
        if (child.stdout === null) throw new Error('a child without stdout');
        await once(child.stdout, 'data');
        holder = new Database(journal);
        holder.exec('BEGIN IMMEDIATE');
        return end;
      },
      () => void holder?.close(),
      { journal, error: 'is locked: process', exit: 7 },
    );
  });

  it.each(['emptied', 'deleted'])(
    'that is damaged and whose log is %s is refused, and a backup goes on',
    async (log) => {
      const journal = join(directory, 'journal.db');
      const platform = await served(directory, '--port', '0', '--state', 'platform.db');
      const args = ['run', book, '--yes', '--json', '--journal', journal];
      const env = environment(platform);
      try {
        await tool([...args, '--limit', '20'], directory, env);
        concluded(
          await tool(['journal', 'backup', 'b.db', '--json', '--journal', journal], directory),
          'journal',
          0,
        );
        const page = pageInUse(journal);
        const killed = start([...args, '--concurrency', '1'], directory, env);
        if (killed.stdout === null) throw new Error('a child without stdout');
        await once(killed.stdout, 'data');
        killed.kill('SIGKILL');
        await once(killed, 'close');
        // The log may have the run's beginning.
        if (log === 'deleted') rmSync(`${journal}-wal`, { force: true });
        else new Database(journal).close();
        const handle = openSync(journal, 'r+');
        writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, 4096 * (page - 1));
        closeSync(handle);

        refused(await tool(args, directory, env), 'run', 2, 'is damaged. Restore it from a backup');
        expect((await tool(['journal', 'check', '--journal', journal], directory)).code).toBe(2);
        const restore = await tool(['journal', 'restore', 'b.db', '--json', '--journal', journal], directory);
        concluded(restore, 'journal', 0);
        const again = await tool(args, directory, env);
        expect(concluded(again, 'run', 0)).toMatchObject({ accounts: { completed: accounts } });
      } finally {
        await platform.stop();
      }
      expect(contents(join(directory, 'platform.db'))).toEqual(whole);
    },
  );
});

/** The number of a page where an index begins: the last one of a file may be one that nothing uses. */
function pageInUse(journal: string): number {
  const db = new Database(journal, { readonly: true });
  const page = db
    .prepare<[], number>("SELECT max(rootpage) FROM sqlite_master WHERE type = 'index'")
    .pluck()
    .get();
  db.close();
  if (page === undefined) throw new Error('a journal without an index');
  return page;
}

const nobody = 65_534;
const isRoot = process.geteuid?.() === 0;

/** Whether the other user can run the tool: not from a checkout in a directory that only root may enter. */
const mayRun =
  spawnSync(process.execPath, [bin, '--version'], isRoot ? { uid: nobody, cwd: '/' } : {}).status === 0;

describe.skipIf(!mayRun)('as a user who may not write (needs a checkout that others may read)', () => {
  /** Runs the tool as a user whom permissions bind. */
  function asOrdinaryUser(args: readonly string[]): Promise<Ended> {
    return ended(
      spawn(process.execPath, [bin, ...args], {
        cwd: shared.directory,
        env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(isRoot ? { uid: nobody } : {}),
      }),
    );
  }

  it('a journal in a directory of its own is refused, with the place and the remedy', async () => {
    const place = join(directory, 'locked');
    mkdirSync(place);
    chmodSync(directory, 0o755);
    chmodSync(place, 0o555);
    const file = join(place, 'journal.db');
    const args = ['run', book, '--json', '--journal', file];
    refused(
      await asOrdinaryUser(args),
      'run',
      2,
      `The journal ${file} cannot be created: you may not create files in ${place}`,
    );
    expect(existsSync(file)).toBe(false);
  });

  it('a journal that is there is refused too, and stays as it is', async () => {
    const place = join(directory, 'locked');
    mkdirSync(place);
    await tool(['run', book, '--quiet', '--limit', '1', '--journal', join(place, 'journal.db')], directory);
    const kept = join(directory, 'kept.db');
    copyFileSync(join(place, 'journal.db'), kept);
    if (isRoot) for (const path of [place, join(place, 'journal.db')]) chownSync(path, nobody, nobody);
    chmodSync(directory, 0o755);
    const file = join(place, 'journal.db');
    const refusedFor = async (why: string) => {
      const { stdout } = await asOrdinaryUser(['run', book, '--json', '--journal', file]);
      expect(stdout).toContain(`The journal ${file} ${why}`);
    };
    writeFileSync(`${file}-shm`, '');
    chmodSync(`${file}-shm`, 0o444);
    await refusedFor('cannot be written: you may not write to journal.db-shm');
    rmSync(`${file}-shm`);
    chmodSync(file, 0o400);
    chmodSync(place, 0o555);
    await refusedFor('cannot be written: you may not write to journal.db. Change its permissions');
    chmodSync(file, 0o600);
    await refusedFor(
      `cannot be opened: SQLite keeps two more files beside it, and you may not create files in ${place}`,
    );
    chmodSync(file, 0o200);
    await refusedFor('cannot be read: you may not read journal.db');
    chmodSync(place, 0o600);
    await refusedFor(`cannot be reached: you may not enter the directory ${place}`);
    chmodSync(place, 0o755);
    expect(statSync(file).size).toBe(statSync(kept).size);
  });
});
