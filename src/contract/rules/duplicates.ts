import type { AccountPayload, Address } from '../schemas/account.ts';
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

export const duplicateRules = [supplyAddressesDiffer, ledgersDiffer, metadataKeysDiffer];
