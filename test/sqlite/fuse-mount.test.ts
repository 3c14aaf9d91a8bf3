// Real file systems of FUSE, where the programs and the device for them are there.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyDatabase } from '../../src/sqlite/copy-database.ts';
import { openDatabase, type DatabaseSpec } from '../../src/sqlite/open-database.ts';

const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((at) => existsSync(join(at, program)));
function hasDevice(): boolean {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
const sftpServer = ['/usr/lib/openssh/sftp-server', '/usr/libexec/openssh/sftp-server'].find(existsSync);
const spec: DatabaseSpec = {
  what: 'journal',
  applicationId: 7,
  migrations: ['CREATE TABLE entry (text TEXT)'],
  synchronous: 'FULL',
};
let directory: string;
let mounted: string;

function said(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'it was opened';
}

function mount(program: string, ...args: string[]): void {
  const done = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  expect(done.status, done.stderr).toBe(0);
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fuse-'));
  mounted = join(directory, 'mounted');
  mkdirSync(join(directory, 'behind'));
  mkdirSync(mounted);
});
afterEach(() => {
  spawnSync('umount', ['-l', mounted], { stdio: 'ignore' });
  rmSync(directory, { recursive: true, force: true });
});

describe.skipIf(!hasDevice() || !has('bindfs'))('a directory that bindfs shows', () => {
  beforeEach(() => mount('bindfs', join(directory, 'behind'), mounted));

  it('takes no journal, and is called what it is, and no network', () => {
    const message = said(() => openDatabase(join(mounted, 'journal.db'), spec));
    expect(message).toContain(
      'is on a file system that another program serves (FUSE), perhaps from another machine',
    );
    expect(message).not.toContain('network');
  });

  it('takes a backup, which can be read there', () => {
    const journal = join(directory, 'journal.db');
    openDatabase(journal, spec).close();
    copyDatabase(journal, spec, join(mounted, 'backup.db'), { replace: false });
    copyDatabase(join(directory, 'behind', 'backup.db'), spec, join(directory, 'again.db'), {
      replace: false,
    });
    expect(said(() => copyDatabase(journal, spec, join(mounted, 'backup.db'), { replace: false }))).toContain(
      'already exists',
    );
  });
});

describe.skipIf(!hasDevice() || !has('sshfs') || sftpServer === undefined)(
  'a directory that sshfs shows',
  () => {
    it('takes no journal, and is called by its name', () => {
      const ssh = join(directory, 'ssh');
      writeFileSync(ssh, `#!/bin/sh\nexec ${sftpServer ?? ''}\n`);
      chmodSync(ssh, 0o755);
      mount('sshfs', `host:${join(directory, 'behind')}`, mounted, '-o', `ssh_command=${ssh}`);
      expect(said(() => openDatabase(join(mounted, 'journal.db'), spec))).toContain(
        '(FUSE: sshfs), perhaps from another machine',
      );
    });
  },
);
