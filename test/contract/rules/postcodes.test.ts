import { expect, it } from 'vitest';
import { isPostcode } from '../../../src/contract/rules/addresses.ts';

it.each([
  ['GB', 'SW1A 1AA'],
  ['gb', 'm11ae'],
  ['GB', 'W1A 0AX'],
  ['GB', 'BF1 3AA'],
  ['GB', 'GIR 0AA'],
  ['GB', 'ASCN 1ZZ'],
  ['AU', '0800'],
  ['NZ', '0110'],
  ['US', '10001'],
  ['US', '10001-1234'],
  ['DE', '01067'],
  ['FR', '75008'],
  ['ES', '28001'],
  ['IT', '00118'],
  ['JP', '100-0001'],
  ['JP', '1000001'],
  ['IE', 'D02 AF30'],
  ['CA', 'K1A 0B1'],
  ['BM', 'HM DX'],
  ['NL', '1012 AB'],
  ['PT', '1000-001'],
  ['BR', '01310-100'],
])('takes a postcode of %s: %s', (country, text) => {
  expect(isPostcode(text, country)).toBe(true);
});

it.each([
  ['GB', '12345'],
  ['GB', 'SW1A'],
  ['AU', '800'],
  ['US', '1234'],
  ['DE', '1067'],
  ['JP', '100-000'],
  ['CA', '?'],
  ['JP', '〒100-0001'],
  ['JP', '１００−０００１'],
  ['JP', '100−0001'],
  ['JP', '100\u20100001'],
  ['JP', '100ー0001'],
  ['DE', '０１０６７'],
  ['BR', '-'],
  ['NL', '1012 AB; DROP'],
  ['PT', '12345678901234567'],
])('does not take for a postcode of %s: %s', (country, text) => {
  expect(isPostcode(text, country)).toBe(false);
});
