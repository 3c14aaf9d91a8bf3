import { expect, test } from 'vitest';
import { meantRemedy } from '../../src/domain/nearest.ts';

test.each([
  ['Kundennr', 'Kundennr\u00a0', 'U+00A0'],
  ['Kunden nr', 'Kunden\u00a0nr', 'U+00A0'],
  ['ID', '\u200bID', 'U+200B'],
  ['ID', 'ID ', 'a blank'],
  ['Ｎｏ', 'No', 'U+FF2E'],
])('a name that looks the same is told by what it differs in: %j, %j', (word, meant, what) => {
  expect(meantRemedy(word, meant)).toContain(`It looks the same, and differs in ${what}. Copy the name`);
});

test('a name that looks different is only asked for', () => {
  expect(meantRemedy('Kundenr', 'Kundennr', "'")).toBe("Did you mean 'Kundennr'?");
});

test('a name in other capitals is seen to be another one', () => {
  expect(meantRemedy('A.csv', 'a.CSV')).toBe('Did you mean a.CSV?');
});
