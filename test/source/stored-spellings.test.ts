import { expect, it } from 'vitest';
import { StoredSpellings } from '../../src/source/stored-spellings.ts';

const number = (at: number): string => `MU\u0308-${at}`;
const page = (from: number) =>
  Array.from({ length: 1000 }, (_, at) => {
    const spelled = number(from + at);
    return { composed: spelled.normalize('NFC'), number: spelled };
  });

it('the spelling of an account is found by its composed number, the first one of several', () => {
  const spellings = new StoredSpellings();
  for (let from = 0; from < 20_000; from += 1000) spellings.add(page(from));
  spellings.add([{ composed: number(7).normalize('NFC'), number: 'another' }]);
  expect(spellings.of(number(7).normalize('NFC'))).toBe(number(7));
  expect(spellings.of(number(19_999).normalize('NFC'))).toBe(number(19_999));
  expect(spellings.of(number(20_000).normalize('NFC'))).toBeUndefined();
  expect(spellings.of('M-7')).toBeUndefined();
  spellings.close();
});
