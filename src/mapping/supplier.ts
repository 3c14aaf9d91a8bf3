import type { Fields } from './target.ts';
import type { ConstantSpec, ObjectSpec, Spec } from './spec.ts';

/** The account with a supplier for data that names none (`--supplier`), in the contract's order of fields. */
export function withSupplier(
  account: ObjectSpec,
  supplier: string | undefined,
  accountFields: Fields,
): ObjectSpec {
  if (supplier === undefined) return account;
  const fields = new Map(account.fields);
  const own = fields.get('import_supplier');
  const given: ConstantSpec = { type: 'constant', value: supplier };
  if (own === undefined) fields.set('import_supplier', given);
  if (own?.type === 'column') fields.set('import_supplier', { ...own, fallback: own.fallback ?? given });
  return {
    ...account,
    fields: [...accountFields.keys()].flatMap((name): (readonly [string, Spec])[] => {
      const field = fields.get(name);
      return field === undefined ? [] : [[name, field]];
    }),
  };
}
