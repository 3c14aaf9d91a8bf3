import { shownText } from '../domain/foreign-text.ts';
import type { BadRow } from './row.ts';

/** Neither blanks at an end nor anything but ASCII: nearly every number. */
const plain = /^[!-~](?:[ -~]*[!-~])?$/;

/** Characters without a width, and control characters. U+2800 is a blank of braille. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]/gu;

/** Blanks that look like a plain one, and are none. */
const otherBlank = /[^\P{Zs} ]/gu;

/** Hyphens and a minus sign that look like the one of keyboards. */
const otherHyphen = /[\u2010\u2011\u2212\ufe63]/gu;

/**
 * The fault of an account number that looks like another one: with blanks around it, or with characters that are not seen.
 * The account is that whose number looks the same.
 */
export function lookalikeNumber(account: string): Pick<BadRow, 'code' | 'detail' | 'account'> | undefined {
  if (plain.test(account)) return undefined;
  const seen = account.replaceAll(unseen, '').replaceAll(otherBlank, ' ').replaceAll(otherHyphen, '-').trim();
  if (seen === account) return undefined;
  const [character] = account.match(unseen) ??
    account.match(otherBlank) ??
    account.match(otherHyphen) ?? [' '];
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isHyphen = character.search(otherHyphen) === 0;
  const what = isHyphen
    ? `a hyphen that only looks like the usual one (${name})`
    : character === ' '
      ? 'a blank at its beginning or end'
      : `a character that is not seen (${name})`;
  const remedy = isHyphen
    ? 'Write -, or replace it for the key in the mapping.'
    : 'Remove it, or set trim for the table or its key in the mapping.';
  return {
    code: 'malformed_account_number',
    detail: `The account number "${shownText(account)}" has ${what}. ${remedy}`,
    account: seen === '' ? undefined : seen,
  };
}
