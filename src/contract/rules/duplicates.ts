import type { AccountPayload, Address, Customer } from '../schemas/account.ts';
import { hasContact } from './customers.ts';
import { each } from './guarded.ts';
import type { Rule } from './rule.ts';

/** Reports each item but the first that has the same key as one before it. */
function checkUnique<Item>(
  items: readonly Item[] | undefined,
  keyOf: (item: Item) => string,
  report: (index: number) => void,
): void {
  const seen = new Set<string>();
  each(items, (item, index) => {
    const key = keyOf(item);
    if (seen.has(key)) report(index);
    seen.add(key);
  });
}

const supplyAddressesDiffer: Rule<AccountPayload> = {
  code: 'duplicate_supply_addresses_found',
  check({ supply_addresses }, report) {
    // Comparing the streets first distinguishes most of them.
    const streets = new Set<string>();
    let addresses = 0;
    each(supply_addresses, ({ supply_address }) => {
      streets.add(alike(supply_address.street_address ?? ''));
      addresses += 1;
    });
    if (streets.size === addresses) return;
    checkUnique(
      supply_addresses,
      ({ supply_address }) => written(supply_address),
      (index) =>
        report(
          `supply_addresses.${index}.supply_address.street_address`,
          'Another supply address of the account is the same.',
        ),
    );
  },
};

function written(address: Address): string {
  const { street_address, locality, administrative_area, postal_code, country } = address;
  return alike(JSON.stringify([street_address, locality, administrative_area, postal_code, country]));
}

/** White space that is not a single plain space. */
const notOneSpace = /\s{2,}|[^\S ]/g;

/** The text for comparison: case and spacing make no difference. */
function alike(text: string): string {
  return text.toLowerCase().replace(notOneSpace, ' ');
}

const ledgersDiffer: Rule<AccountPayload> = {
  code: 'duplicate_ledger_entries_found',
  check({ ledgers }, report) {
    checkUnique(
      ledgers,
      ({ ledger_code }) => ledger_code,
      (index) => report(`ledgers.${index}.ledger_code`, 'Another ledger of the account has the same code.'),
    );
  },
};

const metadataKeysDiffer: Rule<AccountPayload> = {
  code: 'metadata_has_duplicate_keys',
  check({ metadata }, report) {
    checkUnique(
      metadata,
      ({ key }) => key,
      (index) => report(`metadata.${index}.key`, 'Another metadata entry of the account has the same key.'),
    );
  },
};

/** A warning: the interface does not forbid it, and a customer may have left a supply point and come back. */
const supplyPointsDiffer: Rule<AccountPayload> = {
  code: 'duplicate_supply_points',
  check({ supply_addresses }, report) {
    const seen = new Set<string>();
    each(supply_addresses, ({ supply_points }, place) =>
      each(supply_points, ({ identifier, supply_type: type }, index) => {
        // An electricity and a gas meter may well have the same number.
        const key = `${type} ${identifier}`;
        if (seen.has(key))
          report(
            `supply_addresses.${place}.supply_points.${index}.identifier`,
            'Another supply point of the account has the same identifier. Remove one, or make sure that both are intended.',
          );
        seen.add(key);
      }),
    );
  },
};

const contactFields = ['email', 'landline', 'mobile'] as const;

/** A warning: two people of one household may have the same name. */
const customersDiffer: Rule<AccountPayload> = {
  code: 'duplicate_customers',
  check({ customers }, report) {
    const namesakes = new Map<string, Customer[]>();
    each(customers, (customer, index) => {
      const { given_name = '', family_name = '' } = customer;
      if (given_name === '' && family_name === '') return;
      const name = alike(`${given_name}\n${family_name}`);
      const others = namesakes.get(name);
      if (others === undefined) namesakes.set(name, [customer]);
      else {
        if (others.some((other) => isSamePerson(customer, other)))
          report(
            `customers.${index}.${given_name === '' ? 'family_name' : 'given_name'}`,
            'Another customer of the account has the same name, and no contact details that differ. ' +
              'Remove one, or make sure that both are intended.',
          );
        others.push(customer);
      }
    });
  },
};

/** Whether two namesakes share a contact, or one of them has none, and nothing tells them apart. */
function isSamePerson(one: Customer, other: Customer): boolean {
  const both = contactFields.filter((field) => one[field] !== undefined && other[field] !== undefined);
  if (both.length === 0 && hasContact(one) && hasContact(other)) return false;
  return (['title', ...both] as const).every((field) => agree(one[field], other[field]));
}

/** Whether two texts are alike, or one of them is absent. */
function agree(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || alike(one) === alike(other);
}

export const duplicateRules = [
  supplyAddressesDiffer,
  ledgersDiffer,
  metadataKeysDiffer,
  supplyPointsDiffer,
  customersDiffer,
];
