import type * as library from 'libphonenumber-js/min';
import { lazily, load } from '../domain/lazily.ts';

/** Whether numbers of this country (two letters) are known. */
export function isPhoneCountry(country: string): boolean {
  return phoneLibrary().isSupportedCountry(country.toUpperCase());
}

/**
 * A phone number in international form (`+493012345678`); a number without a prefix belongs to this country (two
 * letters). undefined if it is not a number of its country. Digits of an extension are dropped, because the form has
 * no place for them.
 */
export function internationalPhone(text: string, country: string): string | undefined {
  const code = country.toUpperCase();
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneLibrary();
  const number = isSupportedCountry(code) ? parsePhoneNumberFromString(text, code) : undefined;
  return number?.isValid() === true ? number.number : undefined;
}

/**
 * libphonenumber, loaded by the first number. The small metadata has the shape of each country's numbers, not of each
 * kind of number (mobile, premium ...): kinds change with every release of the metadata, so the larger sets would
 * refuse numbers that a platform with newer metadata accepts.
 */
export const phoneLibrary = lazily(() => load('libphonenumber-js/min') as typeof library);
