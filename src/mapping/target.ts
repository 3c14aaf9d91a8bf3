import { z } from 'zod';
import type { FieldKind } from '../contract/schemas/fields.ts';

/** The structure of a field of the interface, derived from the contract's schemas (sections 2.3 to 2.11). */
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

/** The shape of a request's schema, or of a part of it; `without` excludes fields of its outermost object. */
export function targetOf(schema: unknown, without: readonly string[] = []): Target {
  if (schema instanceof z.ZodOptional) return targetOf(schema.unwrap(), without);
  if (schema instanceof z.ZodArray) return { type: 'list', element: targetOf(schema.element) };
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall instanceof z.ZodUnknown) return { type: 'open', without };
    return { type: 'object', fields: fieldsOf(schema, without) };
  }
  const kind = schema instanceof z.ZodType ? schema.meta()?.['kind'] : undefined;
  if (typeof kind !== 'string') throw new Error('A field of the contract has no kind.');
  return kind === 'json-object' ? { type: 'open', without } : { type: 'value', kind: kind as FieldKind };
}

/** The fields of an object, in the contract's order. */
export function fieldsOf(schema: z.ZodObject, without: readonly string[] = []): Fields {
  const fields = Object.entries(schema.shape).filter(([name]) => !without.includes(name));
  return new Map(fields.map(([name, field]) => [name, targetOf(field)]));
}

/** The field of objects with a single field (`document_path`): lists of them are written like plain values. */
export function onlyField(target: Target): readonly [name: string, field: Target] | undefined {
  if (target.type !== 'object' || target.fields.size !== 1) return undefined;
  return [...target.fields][0];
}
