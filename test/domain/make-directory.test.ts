import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeDirectory } from '../../src/domain/make-directory.ts';

const directory = mkdtempSync(join(tmpdir(), 'directory-'));
afterAll(() => rmSync(directory, { recursive: true }));
const place = (name: string): string => join(directory, name);

it('a directory is made with those above it, and the first one made is named', () => {
  expect(makeDirectory(place('a/b/c'), 0o700)).toBe(place('a'));
  expect(statSync(place('a/b/c')).mode & 0o777).toBe(0o700);
  expect(makeDirectory(place('a/b/c'), 0o700)).toBeUndefined();
});

it('what cannot be made is an error, and no endless attempt', () => {
  symlinkSync('nowhere', place('link'));
  writeFileSync(place('file'), '');
  expect(() => makeDirectory(place('link/deep'), 0o700)).toThrow('ENOENT');
  expect(() => makeDirectory(place('file/deep'), 0o700)).toThrow('ENOTDIR');
  expect(() => makeDirectory(place('file'), 0o700)).toThrow('EEXIST');
  expect(() => makeDirectory('/proc/nobody/deep', 0o700)).toThrow('ENOENT');
});
