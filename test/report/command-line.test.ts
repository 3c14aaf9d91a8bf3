import { expect, test } from 'vitest';
import { quoted } from '../../src/report/command-line.ts';

test.each([
  ['plain-name_1', 'plain-name_1', 'plain-name_1'],
  ['/books/november', '/books/november', '/books/november'],
  ["O'Neill", String.raw`'O'\''Neill'`, '"O\'Neill"'],
  ['two words', "'two words'", '"two words"'],
  [String.raw`C:\Exports\november`, String.raw`'C:\Exports\november'`, String.raw`C:\Exports\november`],
  [String.raw`C:\Exports 2026` + '\\', `'C:\\Exports 2026\\'`, String.raw`"C:\Exports 2026\\"`],
  ['a,b', 'a,b', '"a,b"'],
  ['@file', '@file', '"@file"'],
  ['-1', "'-1'", '"-1"'],
  ["Käufer's $5", String.raw`'Käufer'\''s $5'`, "'Käufer''s $5'"],
  ['', "''", '""'],
  ['Käufer’s book', "'Käufer’s book'", '"Käufer’s book"'],
  ['“Nord”', "'“Nord”'", "'“Nord”'"],
  ['„Nord‚ $5‘ ‛x’', "'„Nord‚ $5‘ ‛x’'", "'„Nord‚‚ $5‘‘ ‛‛x’’'"],
])('%s is quoted for the shells of each system', (text, there, onWindows) => {
  expect(quoted(text, 'linux')).toBe(there);
  expect(quoted(text, 'win32')).toBe(onWindows);
});
