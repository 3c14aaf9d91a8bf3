import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRegular, readTrustedText } from '../../src/domain/trusted-file.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const isRoot = process.getuid?.() === 0;
const somebody = 12_345;

/** A file in a directory of its own, each with its mode. */
function file({ mode = 0o600, folder = 0o755 } = {}): { readonly path: string; readonly folder: string } {
  const directory = join(temporaryDirectory('migrate-trust-'), 'a b');
  mkdirSync(directory);
  const path = join(directory, 'settings');
  writeFileSync(path, '\uFEFFteam: A\n');
  chmodSync(path, mode);
  chmodSync(directory, folder);
  return { path, folder: directory };
}

async function refusal(path: string, isChosen = false): Promise<string> {
  const text = await readTrustedText(path, { isChosen }).catch((error: unknown) =>
    error instanceof Error ? error : Promise.reject(new Error(String(error))),
  );
  return text instanceof Error ? text.message.replaceAll(path, 'FILE') : `read: ${text}`;
}

describe.skipIf(process.platform === 'win32')('a file that decides what is sent', () => {
  it('is read where only its user can write it', async () => {
    expect(await refusal(file().path)).toBe('read: team: A\n');
    expect(await refusal(file({ mode: 0o644, folder: 0o755 }).path)).toBe('read: team: A\n');
  });

  it('is read in a sticky directory, as /tmp is one', async () => {
    expect(await refusal(file({ folder: 0o1777 }).path)).toBe('read: team: A\n');
  });

  it.each([0o666, 0o602, 0o646])('is refused where every user can write it (%o)', async (mode) => {
    const { path } = file({ mode });
    const owner = process.getuid?.() ?? 0;
    const said = `can be written by every user (owner ${owner}, mode 0${mode.toString(8)}), so it is not read`;
    expect(await refusal(path)).toContain(said);
    expect(await refusal(path)).toContain("chmod go-w 'FILE'");
    expect(await refusal(path, true)).toContain(said);
  });

  it('is refused where every user can put another file in its place', async () => {
    const { path, folder } = file({ folder: 0o777 });
    expect(await refusal(path)).toContain('can be replaced by every user, who can write its directory');
    expect(await refusal(path)).toContain(`chmod go-w '${folder}'`);
    expect(await refusal(path, true)).toContain('can be replaced by every user');
  });

  it('is refused behind a link that every user can replace, or that leads to a file that every user can write', async () => {
    const open = file({ folder: 0o777 });
    const link = join(open.folder, 'link');
    symlinkSync(file().path, link);
    expect(await refusal(link)).toContain('can be replaced by every user');
    const own = join(file().folder, 'link');
    symlinkSync(file({ mode: 0o666 }).path, own);
    expect(await refusal(own)).toContain('can be written by every user');
    const fine = join(file().folder, 'link');
    symlinkSync(file().path, fine);
    expect(await refusal(fine)).toBe('read: team: A\n');
  });

  describe.skipIf(!isRoot)('and belongs to somebody else (needs root)', () => {
    it('is refused, with its owner and the command that takes it over', async () => {
      const { path } = file();
      chownSync(path, somebody, somebody);
      expect(await refusal(path)).toContain(`belongs to user ${somebody}, not to you (user 0)`);
      expect(await refusal(path)).toContain("chown 0 'FILE'");
    });

    it('is read where the user chose it, unless others can write it', async () => {
      const { path } = file();
      chownSync(path, somebody, somebody);
      expect(await refusal(path, true)).toBe('read: team: A\n');
      chmodSync(path, 0o666);
      expect(await refusal(path, true)).toContain('can be written by every user');
    });

    it('is refused where its directory belongs to somebody else', async () => {
      const { path, folder } = file();
      chownSync(folder, somebody, somebody);
      expect(await refusal(path)).toContain(`is in a directory of user ${somebody}`);
    });

    it('is refused where a group can write it', async () => {
      const { path } = file({ mode: 0o660 });
      chownSync(path, 0, somebody);
      expect(await refusal(path)).toContain(`can be written by group ${somebody}`);
    });

    it('is refused in a sticky directory', async () => {
      const { path } = file({ folder: 0o1777 });
      chownSync(path, somebody, somebody);
      expect(await refusal(path)).toContain(`belongs to user ${somebody}`);
    });
  });
});

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  it('is refused before it is opened: a pipe would wait for ever', async () => {
    const pipe = join(temporaryDirectory('migrate-trust-'), 'pipe');
    spawnSync('mkfifo', [pipe]);
    expect(await refusal(pipe)).toBe('FILE is a pipe, not a file. Name a regular file.');
    await expect(readRegular(pipe)).rejects.toThrow('is a pipe');
  });

  it('is refused where it is a device, which never ends', async () => {
    expect(await refusal('/dev/zero')).toBe('FILE is a device, not a file. Name a regular file.');
    await expect(readRegular('/dev/zero')).rejects.toThrow('is a device');
  });
});
