import fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  isValidPhoneNumber,
} from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import { checkPayload, defaultRuleContext } from '../../../src/contract/preflight.ts';
import { isPlainlyInternational } from '../../../src/contract/rules/phones.ts';
import { changed, today, valid, type Changes } from '../payloads.ts';

function phoneIsRight(landline: string, changes: Changes): boolean {
  const payload = changed(valid.account(), { 'customers.0.landline': landline, ...changes });
  const codes = checkPayload('stage', payload, defaultRuleContext(today)).map(({ code }) => code);
  return !codes.includes('invalid_phone_number');
}

const nowhere = { billing_address: undefined, supply_addresses: undefined };

it.each([
  ['020 7946 0958', {}],
  ['(02) 9374 4000', { 'billing_address.country': 'AU' }],
  ['089 / 123456', { 'billing_address.country': 'de' }],
  ['03-1234-5678', { billing_address: undefined, 'supply_addresses.1.supply_address.country': 'JP' }],
  // The bill goes abroad, the phone is at home.
  ['020 7946 0958', { 'billing_address.country': 'FR' }],
  ['+61 2 9374 4000', {}],
  ['+61 2 9374 4000', nowhere],
] as [string, Changes][])('takes %s as a number of the address’s country', (landline, changes) => {
  expect(phoneIsRight(landline, changes)).toBe(true);
});

it.each([
  ['020 7946 0958', nowhere],
  ['020 7946 0958', { 'billing_address.country': 'AB', supply_addresses: undefined }],
  ['12', {}],
  ['+44 12', {}],
  ['+999 123456789', {}],
] as [string, Changes][])('does not take %s', (landline, changes) => {
  expect(phoneIsRight(landline, changes)).toBe(false);
});

describe('a number in plain international form', () => {
  const callingCodes = getCountries().map((country) => getCountryCallingCode(country));
  const random = fc
    .tuple(fc.constantFrom(...callingCodes), fc.stringMatching(/^(?: ?\d){4,12}$/))
    .map(([code, national]) => `+${code}${national}`);
  const nearAnExample = fc
    .tuple(
      fc.constantFrom(...getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])),
      fc.nat(),
      fc.stringMatching(/^\d{1,3}$/),
    )
    .map(([{ number }, at, digits]) => {
      const place = 2 + (at % (number.length - 2));
      return number.slice(0, place) + digits + number.slice(place + digits.length);
    });

  it('is never taken if parsing it finds no valid number', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(random, nearAnExample), (text) => {
        if (!isPlainlyInternational(text)) return;
        taken += 1;
        expect(isValidPhoneNumber(text)).toBe(true);
      }),
      { numRuns: 5000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('is taken without parsing it in nearly every country', () => {
    const valid = getCountries()
      .map((country) => getExampleNumber(country, examples))
      .filter((example) => example?.isValid() === true)
      .map((example) => example?.number ?? '');
    expect(valid.filter(isPlainlyInternational).length / valid.length).toBeGreaterThan(0.8);
    expect(isPlainlyInternational('+44 20 7946 0958')).toBe(true);
    expect(isPlainlyInternational('+44  20 7946 0958')).toBe(false);
    expect(isPlainlyInternational('+999 123456789')).toBe(false);
  });
});
