import fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import { isSupportedCountry, isValidPhoneNumber } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { describe, expect, it } from 'vitest';
import { isPlainlyInternational, isPlainlyNational } from '../../../src/contract/rules/phones.ts';

const callingCodes = Object.keys(metadata.country_calling_codes);
const exampleNumbers = Object.entries(metadata.countries).flatMap(([country, [callingCode]]) => {
  const example = Object.entries(examples).find(([known]) => known === country)?.[1];
  return example === undefined ? [] : [`+${String(callingCode)}${example}`];
});

describe('a number in plain international form', () => {
  const random = fc
    .tuple(fc.constantFrom(...callingCodes), fc.stringMatching(/^\d{4,12}$/))
    .map(([code, national]) => `+${code}${national}`);
  const nearAnExample = fc
    .tuple(fc.constantFrom(...exampleNumbers), fc.nat(), fc.stringMatching(/^\d{1,3}$/))
    .map(([number, at, digits]) => {
      const place = 2 + (at % (number.length - 2));
      return number.slice(0, place) + digits + number.slice(place + digits.length);
    });

  it('is never taken where the library refuses it', () => {
    fc.assert(
      fc.property(fc.oneof(random, nearAnExample), (number) => {
        if (isPlainlyInternational(number)) expect(isValidPhoneNumber(number)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('is told without the library in nearly every country', () => {
    const valid = exampleNumbers.filter((number) => isValidPhoneNumber(number));
    expect(valid.length).toBeGreaterThan(200);
    expect(valid.filter(isPlainlyInternational).length / valid.length).toBeGreaterThan(0.8);
  });

  it('may have blanks between its digits', () => {
    expect(isPlainlyInternational('+44 20 7946 0958')).toBe(true);
    fc.assert(
      fc.property(blankedFrom(nearAnExample), (number) => {
        if (isPlainlyInternational(number)) expect(isValidPhoneNumber(number)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

/** Such texts with a blank after some of the characters. */
function blankedFrom(texts: fc.Arbitrary<string>) {
  return fc
    .tuple(texts, fc.array(fc.nat(3), { minLength: 20, maxLength: 20 }))
    .map(([text, places]) => Array.from(text, (one, at) => (places[at] === 0 ? `${one} ` : one)).join(''));
}

describe('a number as it is dialled in its country', () => {
  const countries = Object.keys(metadata.countries);
  const dialled = (country: string): string =>
    `0${Object.entries(examples).find(([known]) => known === country)?.[1] ?? '1212345678'}`;
  const nearAnExample = fc
    .tuple(fc.constantFrom(...countries), fc.nat(), fc.stringMatching(/^\d{0,3}$/))
    .map(([country, at, digits]) => {
      const number = dialled(country);
      const place = at % number.length;
      return { country, number: number.slice(0, place) + digits + number.slice(place + digits.length) };
    });
  const ofAnother = fc
    .tuple(fc.constantFrom(...countries), fc.constantFrom(...countries))
    .map(([country, other]) => ({ country, number: dialled(other) }));

  it('is never taken where the library refuses it', () => {
    fc.assert(
      fc.property(fc.oneof(nearAnExample, ofAnother), fc.boolean(), ({ country, number }, isSpaced) => {
        const text = isSpaced ? number.replace(/^(....)(...)/, '$1 $2 ') : number;
        if (isPlainlyNational(text, country) && isSupportedCountry(country))
          expect(isValidPhoneNumber(text, country)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    ['020 7946 0958', 'GB'],
    ['0121 234 5678', 'GB'],
    ['030 23125 000', 'DE'],
    ['01 99 00 12 34', 'FR'],
    ['02 5550 1234', 'AU'],
  ])('%s in %s is told without the library', (text, country) => {
    expect(isPlainlyNational(text, country)).toBe(true);
  });

  it.each([
    ['01534 123456', 'GB'],
    ['020 7946 0958', 'JE'],
    ['020 7946 0958', 'ZZ'],
    ['00 44 20 7946 0958', 'GB'],
    ['20 7946 0958', 'GB'],
  ])('%s in %s is left to the library', (text, country) => {
    expect(isPlainlyNational(text, country)).toBe(false);
  });
});
