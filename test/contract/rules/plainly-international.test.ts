import fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import { isValidPhoneNumber } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { describe, expect, it } from 'vitest';
import { isPlainlyInternational } from '../../../src/contract/rules/plainly-international.ts';

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
});
