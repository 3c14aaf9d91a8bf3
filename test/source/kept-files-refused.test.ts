import { closeSync, openSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KeptFiles } from '../../src/source/kept-files.ts';
import { directoryWith } from './temporary-export.ts';

const filesIn = (directory: string) => new KeptFiles(directory, 'kind-', { most: 2, makesDirectory: true });

test('a link that leads nowhere is none of them', () => {
  const directory = directoryWith({});
  filesIn(directory).write('one')?.finish();
  symlinkSync(join(directory, 'gone'), join(directory, 'kind-link'));
  expect(filesIn(directory).namesWith('')).toEqual(['one']);
});

test('the directory that is made is for its owner alone', () => {
  const directory = join(directoryWith({}), 'made');
  filesIn(directory).write('one')?.finish();
  expect(statSync(directory).mode & 0o77).toBe(0);
});

test('the lines end where the system does not read on', () => {
  const directory = directoryWith({ other: '' });
  const written = filesIn(directory).write('one');
  written?.line('a');
  written?.finish();
  const descriptor = openSync(join(directory, 'other'), 'r');
  closeSync(descriptor);
  const lines = filesIn(directory).lines(['one']);
  // The file's descriptor is that of a directory now, which nothing can be read of.
  closeSync(descriptor);
  expect(openSync(directory, 'r')).toBe(descriptor);
  expect([...(lines ?? ['none'])]).toEqual([]);
});
