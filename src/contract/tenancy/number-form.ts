import { parseDecimal } from '../../domain/decimal.ts';
import { ExactNumber, isJsonObject, numberText, parseJson, type JsonValue } from '../../domain/json.ts';
import type { ContractField } from './contract-field.ts';

/** Gives a value its contract's form; returns the value itself if it already has it. */
type Form = (value: JsonValue) => JsonValue;

/**
 * Makes a function that writes the numbers of a payload as a contract requires: a decimal string where it has
 * a string of the format `decimal`, a JSON number where it has a number or an integer. Exact either way: no
 * digit is added or lost. What is not a number, and a fraction where an integer is required, stays as it is,
 * and the check refuses it.
 */
export function numberFormOf(root: ContractField): Form {
  return new Forms().of(root);
}

class Forms {
  readonly #known = new Map<ContractField, { form: Form }>();

  of(field: ContractField): Form {
    const known = this.#known.get(field);
    // A schema may contain itself: the form is looked up when it is needed.
    if (known !== undefined) return (value) => known.form(value);
    const made: { form: Form } = { form: same };
    this.#known.set(field, made);
    made.form = this.#made(field);
    return made.form;
  }

  #made(field: ContractField): Form {
    const scalar = scalarForm(field);
    const element = field.element === undefined ? undefined : this.of(field.element);
    const fields = [...field.fields].map(([name, inner]) => [name, this.of(inner)] as const);
    const forms = new Map(fields);
    const others = field.others === undefined ? same : this.of(field.others);
    const inner = [element ?? same, others, ...forms.values()];
    if (inner.every((form) => form === same)) return scalar;
    return (value) => {
      if (Array.isArray(value)) return element === undefined ? value : eachElement(value, element);
      if (isJsonObject(value)) return eachField(value, (name) => forms.get(name) ?? others);
      return scalar(value);
    };
  }
}

const same: Form = (value) => value;

function scalarForm({ types, formats }: ContractField): Form {
  const wantsNumber = types.has('number') || types.has('integer');
  if (wantsNumber === types.has('string')) return same;
  if (wantsNumber) return types.has('number') ? asNumber : asInteger;
  return formats.has('decimal') ? asDecimalText : same;
}

function asDecimalText(value: JsonValue): JsonValue {
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return value;
  const digits = numberText(value) ?? '';
  return parseDecimal(digits) === undefined ? value : digits;
}

function asNumber(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || parseDecimal(value) === undefined) return value;
  // JSON has no leading zeros.
  return parseJson(value.replace(/^(-?)0+(?=\d)/, '$1'));
}

function asInteger(value: JsonValue): JsonValue {
  const whole = parseDecimal(numberText(value) ?? '');
  return whole === undefined || !whole.eq(whole.round()) ? value : asNumber(whole.toFixed());
}

function eachElement(list: JsonValue[], form: Form): JsonValue[] {
  let changed: JsonValue[] | undefined;
  for (const [index, value] of list.entries()) {
    const formed = form(value);
    if (formed === value) continue;
    changed ??= [...list];
    changed[index] = formed;
  }
  return changed ?? list;
}

function eachField(
  object: Record<string, JsonValue>,
  formOf: (name: string) => Form,
): Record<string, JsonValue> {
  let changed: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(object)) {
    const value = object[name] as JsonValue;
    const formed = formOf(name)(value);
    if (formed === value) continue;
    changed ??= { ...object };
    changed[name] = formed;
  }
  return changed ?? object;
}
