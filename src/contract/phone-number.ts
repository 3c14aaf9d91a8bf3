import type * as library from 'libphonenumber-js/min';
import { lazily, load } from '../domain/lazily.ts';

/** Whether numbers of this country (two letters) are known. */
export function isPhoneCountry(country: string): boolean {
  return phoneLibrary().isSupportedCountry(country.toUpperCase());
}

/** A phone number in international form, or why a text is none: nothing of a text may be dropped without a word. */
export type PhoneReading =
  | { readonly number: string; readonly extension?: string }
  | { readonly fault: 'invalid' | 'decimal' | 'several' };

/**
 * The phone number of a text in international form (`+493012345678`), and its extension, for which that form has no place; a
 * number without a prefix belongs to this country (two letters), and is invalid without one.
 */
export function internationalPhone(text: string, country: string | undefined): PhoneReading {
  const code = country?.toUpperCase();
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneLibrary();
  const named = text
    .normalize('NFKC')
    .trim()
    .replace(/^(?:tel|phone)[.:]*\s*(?=[+(\p{Nd}])/iu, '');
  if (hasDecimalPart(named)) return { fault: 'decimal' };
  const home = code !== undefined && isSupportedCountry(code) ? { defaultCountry: code } : undefined;
  const number =
    code === undefined || home !== undefined
      ? parsePhoneNumberFromString(named, { ...home, extract: false })
      : undefined;
  if (number?.isValid() !== true || !endsAlike(named, number)) return { fault: 'invalid' };
  const [, first] = severalParts.exec(named) ?? [];
  if (first !== undefined && parsePhoneNumberFromString(first, home)?.isValid() === true)
    return { fault: 'several' };
  return number.ext === undefined || number.ext === ''
    ? { number: number.number }
    : { number: number.number, extension: number.ext };
}

/** What stands before a slash, or a line end, that digits follow: an area code, or a number that is already whole. */
const severalParts = /^(.*\p{Nd}.*)[/|\r\n](?=.*\p{Nd})[^/|\r\n]*$/su;

/** Whether a text is a number as a spreadsheet or a program writes one, with a decimal part: `15123456789.0`. */
export function hasDecimalPart(text: string): boolean {
  if (/\p{Nd}\s+[.,٫]\s*0+$/u.test(text.trim())) return true;
  const [, whole = '', mark = '', part = ''] = /^(.*\p{Nd})([.,٫])(\p{Nd}+)$/u.exec(text.trim()) ?? [];
  if (part === '' || whole.includes(mark)) return false;
  const digits = whole.replaceAll(/[^\p{Nd}]/gu, '').length;
  if (part.length <= 2) return digits > 5;
  return digits > 6 && /^\+?\p{Nd}+$/u.test(whole) && (part.length === 3 || /^0+$/.test(part));
}

/** Whether nothing behind the number was left out, such as the second of two numbers. */
function endsAlike(text: string, { number, ext = '' }: library.PhoneNumber): boolean {
  const digits = text.replaceAll(/\D/g, '');
  // Digits of other scripts are read by the library alone.
  return /[^\0-\x7f]/.test(text) || digits.endsWith(number.slice(-4) + ext);
}

/**
 * libphonenumber, loaded by the first number. The small metadata has the shape of each country's numbers, not of each
 * kind of number (mobile, premium ...): kinds change with every release of the metadata, so the larger sets would
 * refuse numbers that a platform with newer metadata accepts.
 */
export const phoneLibrary = lazily(() => load('libphonenumber-js/min') as typeof library);
