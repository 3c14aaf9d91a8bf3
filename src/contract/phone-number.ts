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

/** libphonenumber, loaded by the first number that needs it: it has fifty files, and few exports have such a number. */
export const phoneLibrary = lazily(() => load('libphonenumber-js/min') as typeof library);
