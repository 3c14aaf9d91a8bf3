import type { AccountPayload, Customer } from '../schemas/account.ts';
import type { RuleCode } from '../rule-codes.ts';
import { each } from './guarded.ts';
import type { Rule } from './rule.ts';

/** Each customer of a known occupier needs this name. */
function nameRule(code: RuleCode, field: 'given_name' | 'family_name'): Rule<AccountPayload> {
  return {
    code,
    check({ customers, unknown_occupier }, report) {
      if (unknown_occupier === true) return;
      each(customers, (customer, index) => {
        if (customer[field] === undefined)
          report(`customers.${index}.${field}`, `${field} is required unless unknown_occupier is true.`);
      });
    },
  };
}

/** One contact for the account, not for each customer: of a couple, often only one gives an address or a number. */
const reachable: Rule<AccountPayload> = {
  code: 'missing_contact_user_email_or_phone',
  check({ customers = [], unknown_occupier }, report) {
    if (unknown_occupier === true || customers.length === 0 || customers.some(hasContact)) return;
    report('customers.0.email', 'No customer of the account has an email address or a phone number.');
  },
};

/** Whether a customer has an email address or a phone number. */
export function hasContact({ email, landline, mobile }: Customer): boolean {
  return email !== undefined || landline !== undefined || mobile !== undefined;
}

const unknownOccupierIsNobody: Rule<AccountPayload> = {
  code: 'customer_with_unknown_occupier',
  check({ customers = [], unknown_occupier }, report) {
    if (unknown_occupier === true && customers.length > 0)
      report('unknown_occupier', 'unknown_occupier is true, but the account has customers.');
  },
};

export const customerRules = [
  nameRule('customer_given_name_required', 'given_name'),
  nameRule('customer_family_name_required', 'family_name'),
  reachable,
  unknownOccupierIsNobody,
];
