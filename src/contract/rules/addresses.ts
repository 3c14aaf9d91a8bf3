import type { AccountPayload, Address } from '../schemas/account.ts';
import type { RuleCode } from '../rule-codes.ts';
import { attempt, each } from './guarded.ts';
import { isPostcode } from './postcodes.ts';
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
