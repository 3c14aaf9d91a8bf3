import { phoneLibrary } from './phone-library.ts';

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
