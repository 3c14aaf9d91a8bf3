import { openSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { KeptFiles, KeptFileWriter } from '../../src/source/kept-files.ts';
import { directoryWith } from './temporary-export.ts';

let directory: string;
beforeEach(() => {
  directory = directoryWith({});
});

const files = () => new KeptFiles(directory, 'kind-', { most: 2, makesDirectory: false });

function write(name: string, lines: readonly string[]): void {
  const file = files().write(name);
  for (const line of lines) file?.line(line);
  file?.finish();
}

test.each([
  ['no line', []],
  ['short lines', ['a', '', 'end\tb', 'ü']],
  ['a line of several parts of a file', ['before', 'ü'.repeat(400_000), 'after']],
])('what was written is read again: %s', (_what, lines) => {
  write('one', lines);
  expect([...(files().lines(['other', 'one']) ?? ['none'])]).toEqual(lines);
});

test('what another process removes or replaces while it is read is read to its end as it was', () => {
  write('one', ['a', 'b']);
  const lines = files().lines(['one']);
  write('one', ['c']);
  files().remove('one');
  expect([...(lines ?? [])]).toEqual(['a', 'b']);
  expect(files().lines(['one'])).toBeUndefined();
});

test('no more of a kind are kept than were asked for', () => {
  for (const [at, name] of ['one', 'two', 'three', 'two'].entries()) {
    write(name, [name]);
    for (const file of readdirSync(directory).filter((one) => one.endsWith(name)))
      utimesSync(join(directory, file), at + 1, at + 1);
  }
  expect(files().namesWith('')).toEqual(['two', 'three']);
});

test('a disk that is full while a file is written keeps the one before', () => {
  write('one', ['before']);
  const [before = ''] = readdirSync(directory);
  const abandoned = join(directory, 'abandoned');
  writeFileSync(abandoned, '');
  const text = readFileSync(join(directory, before), 'utf8');
  // It was opened for reading: what is written to it fails as on a full disk.
  const writer = new KeptFileWriter(openSync(abandoned, 'r'), abandoned, join(directory, before));
  for (let line = 0; line < 3; line += 1) writer.line('x'.repeat(100_000));
  writer.finish();
  writer.abandon();
  expect(readdirSync(directory)).toEqual([before]);
  expect(readFileSync(join(directory, before), 'utf8')).toBe(text);
});
