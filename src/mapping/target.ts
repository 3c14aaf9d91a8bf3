import type { FieldKind } from '../contract/schemas/fields.ts';

/** The structure of a field of the interface, as its contract describes it (sections 2.3 to 2.11). */
export type Target =
  | { readonly type: 'value'; readonly kind: FieldKind }
  | { readonly type: 'object'; readonly fields: Fields }
  | { readonly type: 'list'; readonly element: Target }
  /**
   * An object that the interface passes on without showing it: any fields, of any shape, `without` aside. Fields of the
   * names in `single` have one value wherever the interface shows them.
   */
  | { readonly type: 'open'; readonly without: readonly string[]; readonly single?: readonly string[] };

export type Fields = ReadonlyMap<string, Target>;

/** The field of objects with a single field (`document_path`): lists of them are written like plain values. */
export function onlyField(target: Target): readonly [name: string, field: Target] | undefined {
  if (target.type !== 'object' || target.fields.size !== 1) return undefined;
  return [...target.fields][0];
}
