import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeFile, removeLeftover } from '../../src/domain/remove-file.ts';

/** Windows while another program has the file open for a number of looks. */
function windows(looks: number) {
  const pauses: number[] = [];
  let left = looks;
  const remove = (path: string): void => {
    if ((left -= 1) >= 0) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
    rmSync(path, { force: true });
  };
  return { pauses, system: { name: 'win32', remove, pause: (ms: number) => void pauses.push(ms) } };
}

function draft(): string {
  const directory = mkdtempSync(join(tmpdir(), 'remove-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  const path = join(directory, 'draft');
  writeFileSync(path, '');
  return path;
}

it('a scanner that has the file open is waited for', () => {
  const path = draft();
  const { pauses, system } = windows(3);
  removeFile(path, system);
  expect([existsSync(path), pauses.length]).toEqual([false, 3]);
});

it('a program that keeps it open is an error after two seconds', () => {
  const path = draft();
  const { pauses, system } = windows(1_000);
  expect(() => {
    removeFile(path, system);
  }).toThrow('EBUSY');
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(2_000);
});

it('what is only left over stays then, without an error', () => {
  const path = draft();
  removeLeftover(path, windows(1_000).system);
  expect(existsSync(path)).toBe(true);
  removeLeftover(path);
  removeLeftover(path);
  expect(existsSync(path)).toBe(false);
});
