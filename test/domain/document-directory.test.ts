import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentDirectory, isSpelledOtherwise } from '../../src/domain/document-directory.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

test('what is at a path is told apart, whatever the system', () => {
  const root = temporaryDirectory('documents-');
  mkdirSync(join(root, 'bills'));
  writeFileSync(join(root, 'bills/Jörg.pdf'), '%PDF');
  writeFileSync(join(root, 'empty.pdf'), '');
  symlinkSync(join(root, 'bills'), join(root, 'Older'));
  for (const system of ['linux', 'darwin', 'win32'] as const) {
    const at = documentDirectory(root, system);
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

test.each([
  ['a/B.pdf', 'a/B.pdf', false],
  ['a/b.pdf', 'a/B.pdf', true],
  ['A/B.pdf', 'a/B.pdf', true],
  ['./a/B.pdf', 'a/B.pdf', false],
  ['Jo\u0308rg.pdf', 'J\u00f6rg.pdf', true],
  ['linked/B.pdf', 'elsewhere/B.pdf', false],
])('%s, which a disk has as %s, is spelled otherwise: %s', (asked, onDisk, otherwise) => {
  expect(isSpelledOtherwise(asked, onDisk)).toBe(otherwise);
});
