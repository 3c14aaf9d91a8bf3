import type { RuleCode } from '../rule-codes.ts';
import type { AccountPayload, Address } from '../schemas/account.ts';
import { attempt, each } from './guarded.ts';
import type { Report, Rule } from './rule.ts';

/** A rule on each address of the account; `at` is its own path. */
function addressRule(
  code: RuleCode,
  check: (address: Address, at: string, report: Report) => void,
): Rule<AccountPayload> {
  return {
    code,
    check(account, report) {
      attempt(() => {
        const { billing_address } = account;
        if (billing_address !== undefined) check(billing_address, 'billing_address', report);
      });
      each(account.supply_addresses, ({ supply_address }, index) =>
        check(supply_address, `supply_addresses.${index}.supply_address`, report),
      );
    },
  };
}

const postcodeOfCountry = addressRule('invalid_postcode', ({ postal_code, country }, at, report) => {
  if (postal_code !== undefined && country !== undefined && !isPostcode(postal_code, country))
    report(`${at}.postal_code`, `Not a valid postcode in ${country}.`);
});

const lines = ['street_address', 'locality', 'administrative_area', 'postal_code'] as const;
const letterOrDigit = /[\p{L}\p{N}]/u;

/** Which lines an address needs differs by country, so any line with content is enough. */
const saysSomething = addressRule('invalid_address', (address, at, report) => {
  attempt(() => {
    if (lines.every((line) => address[line] === undefined))
      report(`${at}.street_address`, 'The address contains only its country.');
  });
  each(lines, (line) => {
    const text = address[line];
    if (line !== 'postal_code' && text !== undefined && !letterOrDigit.test(text))
      report(`${at}.${line}`, 'This line contains no letter and no digit.');
  });
});

export const addressRules = [postcodeOfCountry, saysSomething];

/** The formats of countries whose postcodes have one, compared in capitals without spaces and dashes. */
const shapes: ReadonlyMap<string, RegExp> = new Map([
  ['AU', /^\d{4}$/],
  ['DE', /^\d{5}$/],
  ['ES', /^\d{5}$/],
  ['FR', /^\d{5}$/],
  // Also the territories with ASCN 1ZZ, and the giro bank's GIR 0AA.
  ['GB', /^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|[A-Z]{4}1ZZ|GIR0AA)$/],
  ['IT', /^\d{5}$/],
  ['JP', /^\d{7}$/],
  ['NZ', /^\d{4}$/],
  ['US', /^\d{5}(?:\d{4})?$/],
]);

/**
 * Groups of letters or digits of any script, separated by spaces or hyphens, at most 16 characters: valid for any
 * country.
 */
const plausible = /^(?=.{1,16}$)[\p{L}\p{N}]+(?:[ -]+[\p{L}\p{N}]+)*$/u;

/** Whether the text can be a postcode of the country (two letters, in either case). */
export function isPostcode(text: string, country: string): boolean {
  const plain = text.trim();
  // It is stored as it is: full-width digits and other dashes, as in Japanese exports, are none of a postcode.
  if (text !== text.normalize('NFKC')) return false;
  if (!plausible.test(plain)) return false;
  const shape = shapes.get(country.toUpperCase());
  return shape === undefined || shape.test(plain.replace(/[ -]/g, '').toUpperCase());
}
