import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { documentDirectory } from '../../src/domain/document-directory.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

test('what is at a path is told apart, whatever the system', () => {
  const root = temporaryDirectory('documents-');
  mkdirSync(join(root, 'bills'));
  writeFileSync(join(root, 'bills/Jörg.pdf'), '%PDF');
  writeFileSync(join(root, 'empty.pdf'), '');
  symlinkSync(join(root, 'bills'), join(root, 'Older'));
  for (const system of ['linux', 'darwin', 'win32'] as const) {
    const at = documentDirectory(root, { system });
    expect(['bills/Jörg.pdf', './bills/Jörg.pdf', 'Older/Jörg.pdf'].map(at)).toEqual([
      'there',
      'there',
      'there',
    ]);
    expect(['bills/jörg.pdf', 'bills', 'empty.pdf', 'empty.pdf/a', 'x'.repeat(5000)].map(at)).toEqual([
      'missing',
      'no file',
      'empty',
      'missing',
      'missing',
    ]);
  }
});

/** A disk that finds its one document, by its path and by others, as Windows and macOS do. */
function careless(document: string, others: readonly string[]) {
  const found = new Map([document, ...others].map((path) => [path, document]));
  const root = temporaryDirectory('documents-');
  writeFileSync(join(root, 'document'), '%PDF');
  return (system: string) =>
    documentDirectory(root, {
      system,
      stat: (path) => (found.has(relative(root, path)) ? statSync(join(root, 'document')) : undefined),
      // A directory that was asked for by other capitals has its own, and so has each part before a backslash.
      nameOf: (path) => document.split('/')[relative(root, path).split('/').length - 1],
    });
}

test.each([
  ['other capitals', 'bills/B.pdf', 'bills/b.pdf'],
  ['a directory in other capitals', 'bills/B.pdf', 'Bills/B.pdf'],
  ['accents composed otherwise', 'bills/J\u00f6rg.pdf', 'bills/Jo\u0308rg.pdf'],
  ['a dot at the end', 'bills/B.pdf', 'bills/B.pdf.'],
  ['a blank at the end of a directory', 'bills/B.pdf', 'bills /B.pdf'],
  ['a short name', 'billing documents/B.pdf', 'BILLIN~1/B.pdf'],
  ['a backslash', 'bills/B.pdf', 'bills\\B.pdf'],
])('a disk that finds a document by %s has it under another name', (_, document, asked) => {
  for (const system of ['win32', 'darwin']) {
    const at = careless(document, [asked])(system);
    expect([at(document), at(`./${document}`), at(asked)]).toEqual(['there', 'there', 'other spelling']);
  }
});

test('a stream of a document is none', () => {
  expect(careless('B.pdf', ['B.pdf::$DATA'])('win32')('B.pdf::$DATA')).toBe('missing');
});
