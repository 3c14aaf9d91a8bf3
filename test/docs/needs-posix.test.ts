import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project } from '../cli/tool.ts';

/** What a test does that Windows cannot, and by what it is known. */
const signs: ReadonlyMap<string, RegExp> = new Map([
  [
    'a shell of POSIX',
    /'(?:sh|bash|\/bin\/sh|script)'|spawnSync\('(?:mkfifo|tmux|sqlite3|iconv|mount|openssl)'|shell: true|ulimit|prlimit|mkfifo|openssl/,
  ],
  ['permissions', /\.mode & 0o|chmodSync|chownSync|getuid/],
  ['signals', /SIG(?:TERM|INT|STOP|CONT|HUP|QUIT|USR|PIPE|XCPU|ABRT)|process\.kill\(-|\.kill\('SIG/],
  ['links', /symlinkSync|symlink\(/],
  ['/proc or /dev', /\/proc\/|\/dev\/(?:full|null|stdin|stdout|fd)|tmpfs|mountedDisk/],
  ['programs of Debian', /postgresPrograms|startPostgres|startMariadb|startS3/],
]);

test('a test that needs POSIX is listed with its reason, so that Windows leaves it out by name', () => {
  const needing: Record<string, string> = {};
  for (const name of readdirSync(project('test'), { encoding: 'utf8', recursive: true })) {
    const file = join('test', name).replaceAll('\\', '/');
    const isTest = file.endsWith('.test.ts') && !file.startsWith('test/windows/');
    if (!isTest || file === 'test/docs/needs-posix.test.ts') continue;
    const text = readFileSync(project(file), 'utf8');
    const found = [...signs].flatMap(([reason, sign]) => (sign.test(text) ? [reason] : []));
    if (found.length > 0) needing[file] = found.join(', ');
  }
  expect(JSON.parse(readFileSync(project('test/needs-posix.json'), 'utf8'))).toEqual(needing);
});
