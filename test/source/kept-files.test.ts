import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { KeptFiles, KeptFileWriter } from '../../src/source/kept-files.ts';
import { KeptIndexes } from '../../src/source/kept-indexes.ts';
import { directoryWith } from './temporary-export.ts';

let directory: string;
beforeEach(() => {
  directory = directoryWith({});
});

const files = () => new KeptFiles(directory, 'kind-', { most: 2, makesDirectory: false });

function write(name: string, lines: readonly string[]): void {
  const file = files().write(name);
  expect(file).toBeDefined();
  for (const line of lines) file?.line(line);
  file?.finish();
}

test.each([
  ['no line', []],
  ['an empty line first', ['', 'a']],
  ['short lines', ['a', '', 'end\tb', 'ü']],
  ['a line of several parts of a file', ['before', 'ü'.repeat(400_000), 'after']],
  // The fingerprint at the end is in two parts of the file.
  ['a few bytes more than one part of a file', ['x'.repeat(256 * 1024 - 40)]],
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

/** The modification times of files, in seconds. */
function date(times: Readonly<Record<string, number>>): void {
  for (const [name, at] of Object.entries(times)) utimesSync(join(directory, name), at, at);
}

test('the one that takes the place of an older one counts once', () => {
  write('one', ['1']);
  write('two', ['2']);
  date({ 'kind-one': 1, 'kind-two': 2 });
  write('two', ['3']);
  expect(files().namesWith('').toSorted()).toEqual(['one', 'two']);
});

test('only those of the kind are counted, named and removed', () => {
  const others = ['other-a', 'other-b', 'other-c.new'];
  for (const name of others) writeFileSync(join(directory, name), '');
  date({ 'other-a': 1, 'other-b': 2, 'other-c.new': 3 });
  write('one', []);
  write('two', []);
  date({ 'kind-one': 4, 'kind-two': 5 });
  expect(files().namesWith('')).toEqual(['two', 'one']);
  expect(files().namesWith('t')).toEqual(['two']);
  expect(['one', 'three'].map((name) => files().has(name))).toEqual([true, false]);
  write('three', []);
  expect(readdirSync(directory).toSorted()).toEqual(['kind-three', 'kind-two', ...others]);
});

test('what was not finished is removed a day later, by the clock of its disk', () => {
  const now = Date.now() / 1_000;
  for (const name of ['kind-a.new', 'kind-b.new', 'kind-later']) writeFileSync(join(directory, name), '');
  date({ 'kind-a.new': now - 86_500, 'kind-b.new': now - 86_300, 'kind-later': now + 200_000 });
  write('one', []);
  expect(readdirSync(directory).toSorted()).toEqual(['kind-b.new', 'kind-later', 'kind-one']);
});

/** What the next file that is opened is known by: the same as before if all were closed. */
function nextDescriptor(): number {
  const descriptor = openSync(join(directory, 'any'), 'w');
  closeSync(descriptor);
  return descriptor;
}

test('no file stays open that was written, is not whole or was read', () => {
  const before = nextDescriptor();
  write('one', ['a']);
  expect(nextDescriptor()).toBe(before);
  writeFileSync(join(directory, 'kind-cut'), 'cut');
  expect([...(files().lines(['cut', 'one']) ?? [])]).toEqual(['a']);
  expect(nextDescriptor()).toBe(before);
  files().write('two')?.abandon();
  files().lines(['one'])?.return(undefined);
  expect(nextDescriptor()).toBe(before);
});

test('nothing is written where there is no directory, and nothing is left where its name is taken', () => {
  const none = join(directory, 'none');
  const asked = (makesDirectory: boolean) => new KeptFiles(none, 'kind-', { most: 2, makesDirectory });
  expect(asked(false).write('one')).toBeUndefined();
  expect(asked(false).namesWith('')).toEqual([]);
  expect(existsSync(none)).toBe(false);
  expect(asked(true).write('one')?.finish()).toBe(true);
  mkdirSync(join(directory, 'kind-taken', 'within'), { recursive: true });
  expect(files().write('taken')?.finish()).toBe(false);
  expect(readdirSync(directory).toSorted()).toEqual(['kind-taken', 'none']);
});

test('an error that the system has not reported is told', () => {
  expect(() => files().lines(['\0'])).toThrow(TypeError);
  write('one', ['a', 'b']);
  const lines = files().lines(['one']);
  lines?.next();
  expect(() => lines?.throw(new Error('of the reader'))).toThrow('of the reader');
});

test('indexes make no directory unless they are asked to, and have blocks of 32 accounts', () => {
  const none = join(directory, 'none');
  const index = { order: 0, accounts: 0, ignoredRows: 0, faults: [], counts: {} as never, starts: [] };
  expect(new KeptIndexes(none, '1').sorted.keep([], index)).toBe(false);
  const made = new KeptIndexes(none, '1', { makesDirectory: true, accountsEach: 4 });
  expect(made.sorted.keep([], index)).toBe(true);
  expect([made.blocks.accountsEach, new KeptIndexes(none, '1').blocks.accountsEach]).toEqual([4, 32]);
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
  expect(writer.finish()).toBe(false);
  writer.abandon();
  expect(readdirSync(directory)).toEqual([before]);
  expect(readFileSync(join(directory, before), 'utf8')).toBe(text);
});
