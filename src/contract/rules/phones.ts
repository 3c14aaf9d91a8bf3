import { hasDecimalPart, phoneLibrary } from '../phone-number.ts';
import type { AccountPayload } from '../schemas/account.ts';
import { each } from './guarded.ts';
import type { Rule } from './rule.ts';

/**
 * A number is valid if it belongs to the billing address's country or a supply address's country; in international
 * form it names its own country. Without an address, international form is required.
 */
const phoneOfCountry: Rule<AccountPayload> = {
  code: 'invalid_phone_number',
  check(payload, report) {
    each(payload.customers, (customer, index) =>
      each(phones, (field) => {
        const number = customer[field];
        if (number !== undefined && !isPhone(number, payload))
          report(
            `customers.${index}.${field}`,
            'Not a valid phone number in the country of the address. Write numbers of other countries as +1 ..., or let the mapping leave it out (phone, on_invalid: omit).',
          );
      }),
    );
  },
};

const phones = ['landline', 'mobile'] as const;

function isPhone(text: string, account: AccountPayload): boolean {
  if (hasDecimalPart(text)) return false;
  if (text.trimStart().startsWith('+'))
    return isPlainlyInternational(text) || phoneLibrary().isValidPhoneNumber(text);
  const { billing_address, supply_addresses = [] } = account;
  return (
    isPhoneOf(text, billing_address?.country) ||
    supply_addresses.some(({ supply_address }) => isPhoneOf(text, supply_address.country))
  );
}

function isPhoneOf(text: string, country: string | undefined): boolean {
  const code = country?.toUpperCase();
  if (code === undefined) return false;
  const { isSupportedCountry, isValidPhoneNumber } = phoneLibrary();
  return isSupportedCountry(code) && isValidPhoneNumber(text, code);
}

/** Digits, with single blanks between them at most. */
const plainlyInternational = /^\+[1-9](?: ?\d){5,14}$/;

/**
 * Whether the text is a valid number in plain international form. False proves nothing. To parse a number takes the
 * library more than twice as long as to check one.
 */
export function isPlainlyInternational(text: string): boolean {
  if (!plainlyInternational.test(text)) return false;
  const { PhoneNumber } = phoneLibrary();
  try {
    return new PhoneNumber(text.replaceAll(' ', '')).isValid();
  } catch {
    // No country has this calling code.
    return false;
  }
}

export const phoneRules = [phoneOfCountry];
