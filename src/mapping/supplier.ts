import { accountFields } from './sections.ts';
import type { ConstantSpec, ObjectSpec, Spec } from './spec.ts';

/** Adds the supplier for data that names none (`--supplier`) to the account, in the contract's order of fields. */
export function withSupplier(account: ObjectSpec, supplier: string | undefined): ObjectSpec {
  if (supplier === undefined) return account;
  const fields = new Map(account.fields);
  const own = fields.get('import_supplier');
  const given: ConstantSpec = { type: 'constant', value: supplier };
  if (own === undefined) fields.set('import_supplier', given);
  if (own?.type === 'column') fields.set('import_supplier', { fallback: given, ...own });
  return {
    ...account,
    fields: [...accountFields.keys()].flatMap((name): (readonly [string, Spec])[] => {
      const field = fields.get(name);
      return field === undefined ? [] : [[name, field]];
    }),
  };
}
