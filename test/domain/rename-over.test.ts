import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { renameOver } from '../../src/domain/rename-over.ts';

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'rename-'));
  onTestFinished(() => {
    rmSync(made, { recursive: true, force: true });
  });
  return made;
}

/** Windows while a scanner has the file open for a number of looks. */
function windows(looks: number, code = 'EBUSY') {
  const pauses: number[] = [];
  let left = looks;
  const rename = (from: string, to: string): void => {
    if (left > 0) {
      left -= 1;
      throw Object.assign(new Error(code), { code });
    }
    renameSync(from, to);
  };
  return { pauses, system: { name: 'win32', rename, pause: (ms: number) => void pauses.push(ms) } };
}

it.each(['EBUSY', 'EPERM', 'EACCES'])('a scanner that has the file open (%s) is waited for', (code) => {
  const place = directory();
  const [from, to] = [join(place, 'new'), join(place, 'old')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  const { system, pauses } = windows(3, code);
  renameOver(from, to, system);
  expect(readFileSync(to, 'utf8')).toBe('new');
  expect(pauses).toHaveLength(3);
});

it('a program that keeps it open is an error after two seconds, and nothing is lost', () => {
  const place = directory();
  const [from, to] = [join(place, 'new'), join(place, 'old')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  const { system, pauses } = windows(1_000);
  expect(() => {
    renameOver(from, to, system);
  }).toThrow('EBUSY');
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(2_000);
  expect([readFileSync(from, 'utf8'), readFileSync(to, 'utf8')]).toEqual(['new', 'old']);
});

it('any other error is one at once', () => {
  const { system, pauses } = windows(1, 'ENOSPC');
  expect(() => {
    renameOver('from', 'to', system);
  }).toThrow('ENOSPC');
  expect(pauses).toEqual([]);
});

it.each([
  ['linux', Object.assign(new Error('EBUSY'), { code: 'EBUSY' })],
  ['win32', new Error('no code')],
])('on %s, an error that does not pass is one at once: %s', (name, error) => {
  const pauses: number[] = [];
  const rename = (): void => {
    throw error;
  };
  expect(() => {
    renameOver('from', 'to', { name, rename, pause: (ms) => void pauses.push(ms) });
  }).toThrow(error.message);
  expect(pauses).toEqual([]);
});

it('takes the place of an empty directory, and of no other', () => {
  const place = directory();
  const [from, to] = [join(place, 'draft'), join(place, 'rejects')];
  mkdirSync(from);
  writeFileSync(join(from, 'accounts.csv'), '');
  mkdirSync(to);
  renameOver(from, to, windows(0).system);
  expect(existsSync(join(to, 'accounts.csv'))).toBe(true);

  mkdirSync(from);
  expect(() => {
    renameOver(from, to, windows(0).system);
  }).toThrow('ENOTEMPTY');
  expect(existsSync(join(to, 'accounts.csv'))).toBe(true);
});
