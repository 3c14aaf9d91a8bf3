import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ContractField } from './contract-field.ts';

/** Whether a contract documents every field of a payload for requests; faster than to look for those that it does not. */
export function isAllKnown(value: JsonValue, field: ContractField): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    const { element } = field;
    return element === undefined || value.every((item) => isAllKnown(item, element));
  }
  if (!isJsonObject(value) || isNoObject(field)) return true;
  const { fields } = field;
  for (const name in value) {
    const inner = fields.get(name) ?? field.others;
    if (inner === undefined || inner.isReadOnly || !isAllKnown(value[name] as JsonValue, inner)) return false;
  }
  return true;
}

/** Calls `found` with the path of every field of a payload that a contract does not document, or has in answers alone. */
export function findUnknownFields(
  value: JsonValue,
  field: ContractField,
  found: (path: string, isReadOnly: boolean) => void,
  at = '',
): void {
  if (Array.isArray(value)) {
    const { element } = field;
    if (element !== undefined)
      for (const [index, item] of value.entries()) findUnknownFields(item, element, found, under(at, index));
    return;
  }
  if (!isJsonObject(value) || isNoObject(field)) return;
  for (const name of Object.keys(value)) {
    const inner = field.fields.get(name) ?? field.others;
    if (inner === undefined) found(under(at, name), false);
    else if (inner.isReadOnly) found(under(at, name), true);
    else findUnknownFields(value[name] as JsonValue, inner, found, under(at, name));
  }
}

/** Of an object where a contract wants something else, its type is the fault, and not its fields. */
function isNoObject({ types, fields }: ContractField): boolean {
  return types.size > 0 && !types.has('object') && fields.size === 0;
}

function under(at: string, name: string | number): string {
  return at === '' ? String(name) : `${at}.${name}`;
}
