/** The fields that every account needs, by the lines of a mapping that fill them. */
const needed: readonly (readonly [field: string, filled: RegExp])[] = [
  ['import_supplier', /^ *import_supplier:/m],
  ['billing_address', /^ *billing_address:/m],
  ['billing_address.country', /^ *country:/m],
  ['customers with given_name and family_name', /^[^#\n]*\bgiven_name:[^#\n]*\bfamily_name:/m],
  ['an email or landline of a customer', /^[^#\n]*\b(?:email|landline):/m],
];

/** What the account section of a mapping that `init` wrote does not fill, and every account needs. `supplier`: that of the settings. */
export function missingFields(mapping: string, supplier?: string): readonly string[] {
  const [, section = ''] = /^account:\n((?: .*\n|\n)*)/m.exec(mapping) ?? [];
  const missing = needed.flatMap(([field, filled]) => (filled.test(section) ? [] : [field]));
  // Without an address, its country goes without saying.
  return missing.filter(
    (field) =>
      (field !== 'billing_address.country' || !missing.includes('billing_address')) &&
      (field !== 'import_supplier' || supplier === undefined),
  );
}
