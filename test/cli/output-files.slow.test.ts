import { execFile, execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { concluded, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
afterAll(() => space.dispose());

const at = (name: string): string => join(directory, name);
const supplier = ['--supplier', 'TENTACLE_ENERGY'];

beforeAll(async () => {
  await ranHere(['generate', 'export', '--accounts', '3'], directory);
  concluded(await ranHere(['run', 'export', '--json'], directory), 'run', 0);
  writeFileSync(at('.migraterc'), 'apiKeyFile: live.key\n');
  writeFileSync(at('live.key'), 'sk_of_nobody', { mode: 0o600 });
  writeFileSync(at('codes.csv'), 'code,name\nA,b\n');
  mkdirSync(at('links'));
  linkSync(at('.migrate/journal.db'), at('links/journal-hard'));
  symlinkSync(at('.migrate/journal.db'), at('links/journal-soft'));
  symlinkSync(at('.migrate'), at('links/around'));
  linkSync(at('export/notes.ndjson'), at('links/notes-hard.csv'));
  symlinkSync(at('export/notes.ndjson'), at('links/notes-soft.csv'));
  symlinkSync(at('.migrate/journal.db-wal'), at('links/wal-to-come'));
});

/** Every file that must be as it was. */
const kept = [
  '.migrate/journal.db',
  'export/notes.ndjson',
  'export/accounts.ndjson',
  '.migraterc',
  'live.key',
];

it.each([
  ['report', '--out', '.migrate/journal.db', 'the journal'],
  ['report', '--out', '.migrate/journal.db-wal', 'the journal'],
  ['report', '--out', 'links/journal-hard', 'the journal'],
  ['report', '--out', 'links/journal-soft', 'the journal'],
  ['report', '--out', 'links/around/journal.db-shm', 'the journal'],
  ['report', '--out', 'links/wal-to-come', 'the journal'],
  ['report', '--out', '.migrate/journal.db-mark', "the journal's mark"],
  ['report', '--out', '.migraterc', 'the configuration file'],
  ['numbers', '--out', 'live.key', 'the file of the API key'],
  ['numbers', '--out', '.migrate/platform.db', "the embedded platform's state"],
  ['validate', '--problems', 'export/accounts.ndjson', 'a file of export'],
  ['validate', '--problems', 'links/notes-hard.csv', 'a file of export'],
  ['validate', '--problems', 'links/notes-soft.csv', 'a file of export'],
  ['run', '--log', '.migrate/journal.db', 'the journal'],
  ['run', '--log', 'export/notes.ndjson', 'a file of export'],
  ['run', '--metrics-file', 'live.key', 'the file of the API key'],
])('%s %s %s writes over nothing that is read, even with --force', async (command, flag, path, what) => {
  const before = kept.map((name) => readFileSync(at(name)));
  const args = command === 'validate' || command === 'run' ? ['export'] : supplier;
  const ended = await ranHere([command, ...args, flag, path, '--force', '--json'], directory);
  refused(ended, command, 2, `${flag}: ${path} is ${what}`);
  expect(kept.map((name) => readFileSync(at(name)))).toEqual(before);
});

it.each([
  ['.migrate/journal.db', 'the journal'],
  ['.migrate/journal.db-mark', "the journal's mark"],
  ['links/journal-hard', 'the journal'],
  ['live.key', 'the file of the API key'],
  ['.migraterc', 'the configuration file'],
  ['.migrate/platform.db', "the embedded platform's state"],
])('journal backup %s writes over nothing that is read, even with --force', async (path, what) => {
  const before = kept.map((name) => readFileSync(at(name)));
  const ended = await ranHere(['journal', 'backup', path, '--force', '--json'], directory);
  refused(ended, 'journal', 2, `FILE: ${path} is ${what}`);
  expect(kept.map((name) => readFileSync(at(name)))).toEqual(before);
});

it('backs the journal up where the mapping of the settings is not there', async () => {
  const args = ['journal', 'backup', 'copy.db', '--json'];
  const ended = await ranHere(args, directory, { env: { MIGRATE_MAPPING: 'nowhere.yaml' } });
  concluded(ended, 'journal', 0);
});

it.each([
  ['--log', '.migrate/journal.db', 'the journal'],
  ['--log', 'live.key', 'the file of the API key'],
  ['--log', '.migrate/platform.db', "the embedded platform's state"],
  ['--log', 'operator.yaml', 'the operator file'],
  ['--state', '.migrate/journal.db', 'the journal'],
  ['--state', '.migraterc', 'the configuration file'],
])('serve %s %s writes over nothing that is read', async (flag, path, what) => {
  writeFileSync(at('operator.yaml'), '{}\n');
  const before = kept.map((name) => readFileSync(at(name)));
  const ended = await ranHere(['serve', '--operator', 'operator.yaml', flag, path, '--json'], directory);
  refused(ended, 'serve', 2, `${flag}: ${path} is ${what}`);
  expect(kept.map((name) => readFileSync(at(name)))).toEqual(before);
});

it('writes two outputs to two files', async () => {
  const ended = await ranHere(
    ['run', 'export', '--log', 'one.ndjson', '--problems', './links/../one.ndjson', '--json'],
    directory,
  );
  refused(ended, 'run', 2, '--log: one.ndjson is also the output of --problems');
  expect(existsSync(at('one.ndjson'))).toBe(false);
});

it('overwrites what it wrote itself, and another file only with --force', async () => {
  const outputs = [
    ['report', ...supplier, '--out', 'page.html'],
    ['numbers', ...supplier, '--out', 'numbers.csv'],
    ['validate', 'export', '--problems', 'problems.csv'],
    ['validate', 'export', '--problems', 'problems.ndjson'],
    ['validate', 'export', '--problems', 'export/problems.csv'],
    ['run', 'export', '--metrics-file', 'migrate.prom'],
    ['run', 'export', '--log', 'run.log'],
  ];
  for (const args of outputs) {
    const [command = '', , flag = ''] = args.length === 5 ? ['', '', args[3]] : args;
    const path = at(args.at(-1) ?? '');
    for (let time = 1; time <= 2; time += 1)
      expect([args, (await ranHere([...args, '--json'], directory)).code]).toEqual([args, 0]);
    rmSync(path);
    writeFileSync(path, 'Dear diary,\n');
    const ended = await ranHere([...args, '--json'], directory);
    expect([command, flag, ended.code, readFileSync(path, 'utf8')]).toEqual([
      command,
      flag,
      2,
      'Dear diary,\n',
    ]);
    if (path === at('export/problems.csv')) {
      rmSync(path);
      continue;
    }
    expect(ended.stderr).toContain('--force');
    expect((await ranHere([...args, '--force', '--json'], directory)).code).toBe(0);
  }
});

it('writes to a device and to a pipe', async () => {
  concluded(await ranHere(['report', ...supplier, '--out', '/dev/null', '--json'], directory), 'report', 0);
  execFileSync('mkfifo', [at('pipe')]);
  const reader = promisify(execFile)('cat', [at('pipe')]);
  concluded(await ranHere(['numbers', ...supplier, '--out', 'pipe', '--json'], directory), 'numbers', 0);
  expect((await reader).stdout).toContain('TENTACLE_ENERGY,');
});

it.each([
  ['tables: { accounts: { file: "a\\0b.csv", key: id } }\naccount: {}\n', '2:tables.accounts.file'],
  [
    'tables: { accounts: { file: accounts.csv, key: id } }\naccount: {}\nlookups: { c: { file: "\\0", key: a, value: b } }\n',
    '4:lookups.c.file',
  ],
  ['tables: { accounts: { file: accounts.csv, key: id } }\naccount: {}\nmodule: "x\\0.js"\n', '4:module'],
])('says of a NUL in the name of a file that it is there', async (mapping, place) => {
  writeFileSync(at('nul.yaml'), `version: 1\n${mapping}`);
  const ended = await ranHere(['validate', 'export', '--mapping', 'nul.yaml', '--json'], directory);
  expect([ended.code, ended.stderr]).toEqual([
    2,
    expect.stringContaining(`nul.yaml:${place}: This contains a NUL character.`),
  ]);
});

it('says of a NUL in the name of a file in the settings that it is there', async () => {
  writeFileSync(at('nul.rc'), '{"mapping": "a\\u0000b", "log": {"file": "j\\u0000"}}');
  const ended = await ranHere(['validate', 'export', '--config', 'nul.rc', '--json'], directory);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('mapping must not contain a NUL character');
  expect(ended.stderr).toContain('log.file must not contain a NUL character');
});
