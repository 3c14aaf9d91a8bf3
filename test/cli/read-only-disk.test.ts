import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { canMount, mountedDisk, type MountedDisk } from '../mounted-disk.ts';
import { linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';

describe.skipIf(!canMount())('on a read-only disk (needs the right to mount)', () => {
  let disk: MountedDisk;
  beforeEach(() => void (disk = mountedDisk() ?? expect.fail()));
  afterEach(() => disk.remove());

  it('doctor says that the disk is, and advises no mode', async () => {
    const { directory } = disk;
    mkdirSync(join(directory, '.migrate'), { mode: 0o755 });
    const journal = openJournal(join(directory, '.migrate', 'journal.db'), {
      synchronous: 'FULL',
      create: true,
    });
    await journal.takeMark(1);
    await journal.close();
    writeFileSync(join(directory, 'live.key'), 'sk_of_nobody', { mode: 0o640 });
    writeFileSync(join(directory, '.migraterc'), 'apiKeyFile: live.key\n');
    disk.makeReadOnly();
    const { code, stdout, stderr } = await ranHere(['doctor', '--json'], directory);
    expect(stdout + stderr).not.toContain('chmod');
    const findings = linesOfType(stdout, 'finding');
    const told = (check: string) => findings.filter((one) => one['check'] === check);
    expect(told('secrets')).toEqual([
      expect.objectContaining({
        state: 'warning',
        remedy: expect.stringContaining('Its file system is read-only') as string,
      }),
    ]);
    expect(JSON.stringify(told('journal'))).toContain('read-only file system');
    expect(code).toBe(2);
  });
});
