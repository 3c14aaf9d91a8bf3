import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ended, project, start, summaryOf, tool, workspace } from './tool.ts';

const bin = project('bin/migrate.js');
let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

function exported(accounts: number): Promise<unknown> {
  const path = join(directory, 'export');
  return generateExport({
    directory: path,
    accounts,
    seed: 5,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
}

it('runs in the empty environment of cron, without a home', async () => {
  await exported(3);
  const environment = ['-i', `PATH=${dirname(process.execPath)}`];
  const child = spawn('env', [...environment, bin, 'run', 'export', '--json'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(concluded(await ended(child), 'run', 0)).toMatchObject({ accounts: { completed: 3 } });
});

describe('colours', () => {
  // eslint-disable-next-line no-control-regex -- the escape character is what is looked for
  const colour = /\u001b\[[0-9;]*m/;
  const hasScript = spawnSync('script', ['--version']).status === 0;

  it('are for terminals alone', async () => {
    await exported(1);
    const run = await tool(['validate', 'export'], directory, { FORCE_COLOR: '1', TERM: 'xterm' });
    expect(run.code).toBe(0);
    expect(run.stdout + run.stderr).not.toMatch(colour);
  });

  it.skipIf(!hasScript)('are on a terminal, and not under NO_COLOR (needs script)', async () => {
    await exported(1);
    const onTerminal = async (env: Record<string, string>): Promise<string> => {
      const command = `${process.execPath} ${bin} validate export`;
      const child = spawn('script', ['-qec', command, '/dev/null'], {
        cwd: directory,
        env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const { code, stdout } = await ended(child);
      expect(code).toBe(0);
      return stdout;
    };
    expect(await onTerminal({})).toMatch(colour);
    expect(await onTerminal({ NO_COLOR: '1' })).not.toMatch(colour);
  });
});

describe('standard output that is closed early', () => {
  it('ends validate at once, quietly, with the code of a broken pipe', async () => {
    await exported(1);
    const account = readFileSync(join(directory, 'export/accounts.ndjson'), 'utf8').trimEnd();
    // More problems than a pipe holds, so that there is something left to write.
    const bad = Array.from({ length: 2000 }, (_, at) =>
      account.replaceAll('EXT-000001', `EXT-${at}`).replace('"transfer_balance":"', '"transfer_balance":"x'),
    );
    mkdirSync(join(directory, 'bad'));
    writeFileSync(join(directory, 'bad/accounts.ndjson'), bad.join('\n'));
    const child = start(['validate', 'bad', '--json', '--quiet'], directory);
    const end = ended(child);
    if (child.stdout === null) throw new Error('a child without stdout');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await end).toMatchObject({ code: 141, stderr: '' });
  });

  it.skipIf(process.platform !== 'linux')('by a full disk is told in one line (needs Linux)', async () => {
    await exported(1);
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `"$0" "$1" validate export --json >/dev/full`, process.execPath, bin],
      {
        cwd: directory,
        encoding: 'utf8',
      },
    );
    expect(status).toBe(2);
    expect(stderr).toContain('error: standard output cannot be written. A disk of this machine is full.');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.skipIf(process.platform !== 'linux')(
    'ends a run by a full disk with 2, not as if it was interrupted (needs Linux)',
    async () => {
      await exported(1);
      const command = `"$0" "$1" run export --json --journal full/journal.db >/dev/full`;
      const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, bin], {
        cwd: directory,
        encoding: 'utf8',
      });
      expect(stderr).toContain('error: standard output cannot be written. A disk of this machine is full.');
      expect(status).toBe(2);
    },
  );
});

it('a run with an end has no hours where TZ is no time zone', async () => {
  await exported(1);
  const args = ['run', 'export', '--until', '23:59', '--journal', 'zone/journal.db'];
  const { code, stderr } = await tool(args, directory, { TZ: 'Foo/Bar' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('Set timeZone to one such as Europe/London')]);
});

describe.skipIf(process.platform !== 'linux')('with few open files (needs Linux)', () => {
  const within = (limit: number, ...args: string[]) =>
    spawnSync('sh', ['-c', `ulimit -n ${limit} && exec "$0" "$@"`, process.execPath, bin, ...args], {
      cwd: directory,
      encoding: 'utf8',
    });

  it('does not start, and says what to raise', () => {
    const { status, stderr } = within(64, 'run', 'export');
    expect([status, stderr]).toEqual([
      2,
      'error: this process may have only 64 files open at a time, and needs 128. Raise the limit (ulimit -n, LimitNOFILE=).\n',
    ]);
  });

  it('a run takes as many connections as fit, says so, and completes', async () => {
    await exported(20);
    const { status, stderr } = within(132, 'run', 'export', '--journal', 'few/journal.db');
    expect(stderr).toContain(
      'warning: At most 4 requests at a time, because this process may have only 132 files open.',
    );
    expect(status).toBe(0);
  });
});

it('reads a table in more parts than a process may have files open', async () => {
  const book = join(directory, 'parts');
  mkdirSync(book);
  for (let part = 1; part <= 300; part += 1)
    writeFileSync(
      join(book, `accounts-${part}.csv`),
      `external_account_number,import_supplier\nA-${part},TENTACLE_ENERGY\n`,
    );
  const command = `ulimit -n 150; "$0" "$1" validate parts --json`;
  const child = spawn('bash', ['-c', command, process.execPath, bin], { cwd: directory });
  const { code, stdout } = await ended(child);
  expect(code).toBe(0);
  expect(summaryOf(stdout)).toMatchObject({ accounts: 300, valid: 300 });
});
