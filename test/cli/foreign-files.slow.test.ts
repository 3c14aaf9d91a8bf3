import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { project, tool, workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
afterAll(() => space.dispose());

const shared = join(directory, 'shared');
const ran = join(directory, 'ran');

/** A folder that every user can write, as a shared drive is one. */
beforeEach(() => {
  rmSync(shared, { recursive: true, force: true });
  rmSync(ran, { force: true });
  mkdirSync(join(shared, 'mine'), { recursive: true });
  cpSync(project('fixtures/flat'), join(shared, 'mine/export'), { recursive: true });
  chmodSync(shared, 0o777);
});

function settings(text: string, place = join(shared, '.migraterc')): void {
  writeFileSync(place, text);
}

const commands = `
baseUrl: http://127.0.0.1:9
apiKeyCommand: touch ${ran}
journalPasswordCommand: touch ${ran}
journal: postgres://127.0.0.1:9/x
notify: { command: touch ${ran} }
`;

describe.skipIf(process.platform === 'win32')('a .migraterc that others can replace (needs POSIX)', () => {
  it.each([
    ['run', 'export'],
    ['validate', 'export'],
    ['status'],
    ['doctor'],
    ['history'],
    ['reconcile', 'export'],
  ])('runs none of its commands (%s)', async (...words) => {
    settings(commands);
    const { code, stdout, stderr } = await tool(words, join(shared, 'mine'));
    expect([code, `${stdout}${stderr}`]).toEqual([
      2,
      expect.stringContaining('can be replaced by every user'),
    ]);
    expect(stdout + stderr).toContain(`chmod go-w ${shared}`);
    expect(existsSync(ran)).toBe(false);
  });

  it('runs none of its commands where a key is pressed', async () => {
    settings(commands);
    const { code, stdout } = await tool(['complete', '--', 'run', '--supplier', ''], join(shared, 'mine'));
    expect([code, stdout]).toEqual([0, '']);
    expect(existsSync(ran)).toBe(false);
  });

  it('is refused also where it is named', async () => {
    settings(commands);
    const { code, stderr } = await tool(['status', '--config', '../.migraterc'], join(shared, 'mine'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('can be replaced by every user')]);
  });
});

it('completion runs no command of a configuration that is trusted', async () => {
  settings(commands, join(shared, 'mine/.migraterc'));
  const { code, stdout } = await tool(['complete', '--', 'run', '--supplier', ''], join(shared, 'mine'));
  expect([code, stdout]).toEqual([0, '']);
  expect(existsSync(ran)).toBe(false);
});

describe.skipIf(process.platform === 'win32')('a file that decides what is sent (needs POSIX)', () => {
  const own = join(shared, 'mine');

  it.each([
    ['mapping', 'mapping: open\n', 'The mapping file'],
    ['contract', 'contract: open\n', 'The contract'],
    ['key', 'baseUrl: http://127.0.0.1:9\napiKeyFile: open\nteam: A\n', 'apiKeyFile'],
  ])('is refused where every user can write it: a %s', async (_of, text, what) => {
    settings(text, join(own, '.migraterc'));
    writeFileSync(join(own, 'open'), '');
    chmodSync(join(own, 'open'), 0o666);
    const { code, stderr } = await tool(['run', 'export', '--yes'], own);
    expect([code, stderr]).toEqual([2, expect.stringContaining('can be written by every user')]);
    expect(stderr).toContain(what);
    expect(stderr).toMatch(/chmod go-w \S+\/open/);
  });

  it('is refused where it is a module that every user can write', async () => {
    writeFileSync(
      join(own, 'mapping.yaml'),
      'version: 1\nmodule: functions.mjs\ntables:\n  accounts: { file: accounts.csv, key: external_account_number }\naccount: {}\n',
    );
    writeFileSync(
      join(own, 'functions.mjs'),
      `import { writeFileSync } from 'node:fs'; writeFileSync('${ran}', '');`,
    );
    chmodSync(join(own, 'functions.mjs'), 0o622);
    const { code, stderr } = await tool(['validate', 'export', '--mapping', 'mapping.yaml'], own);
    expect(code).toBe(2);
    expect(stderr).toContain('can be written by every user');
    expect(existsSync(ran)).toBe(false);
  });

  it.each([
    ['--config', 'pipe'],
    ['--mapping', 'pipe'],
    ['--contract', 'pipe'],
    ['--accounts', 'pipe'],
    ['--journal', 'pipe'],
    ['--config', '/dev/zero'],
    ['--mapping', '/dev/zero'],
    ['--contract', '/dev/zero'],
    ['--accounts', '/dev/zero'],
    ['--journal', '/dev/zero'],
  ])('is refused where it is no file: %s %s', async (option, file) => {
    spawnSync('mkfifo', [join(own, 'pipe')]);
    const { code, stderr } = await tool(['run', 'export', option, file], own);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/is a (pipe|device), not a file\. Name a regular file\./),
    ]);
  });

  it('is refused where a pipe was found', async () => {
    spawnSync('mkfifo', [join(own, '.migraterc')]);
    const { code, stderr } = await tool(['status'], own);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is a pipe, not a file')]);
  });
});
