import { parseDecimal, zero } from '../domain/decimal.ts';
import { numberText, type JsonValue } from '../domain/json.ts';
import type { Formula } from './calculation.ts';
import { textOf } from './condition.ts';
import { Fault, type Formats } from './convert.ts';
import { notDecimal } from './decimal-format.ts';
import type { ValueEntry } from './mapping-keys.ts';
import type { ColumnSpec, Gather } from './spec.ts';
import type { Template } from './template.ts';

/** The columns that a value is made from, and how they are combined. */
export function cellsOf(
  { column = [], template, calc }: ValueEntry,
  formats: Formats,
): Pick<ColumnSpec, 'columns' | 'gather'> {
  if (template !== undefined) return { columns: template.columns, gather: filled(template) };
  if (calc !== undefined) return { columns: calc.columns, gather: calculated(calc, formats) };
  return { columns: column };
}

function filled(template: Template): Gather {
  return (raws) =>
    raws.every((raw) => raw === undefined) ? undefined : template.fill(raws.map((raw) => textOf(raw)));
}

/** An empty column counts as zero; if all are empty, the value is empty. */
function calculated(calc: Formula, { decimal }: Formats): Gather {
  const plain = (raw: JsonValue): string | undefined =>
    typeof raw === 'string' ? decimal(raw) : numberText(raw);
  const lost = new Fault(
    'invalid_amount',
    'The result has infinitely many digits, or the calculation divides by zero. Correct the cell or the mapping.',
  );
  return (raws) => {
    if (raws.every((raw) => raw === undefined)) return undefined;
    const texts = raws.map((raw) => (raw === undefined ? undefined : (plain(raw) ?? '')));
    const values = texts.map((text) => (text === undefined ? zero : parseDecimal(text)));
    const wrong = values.indexOf(undefined);
    if (wrong !== -1)
      return new Fault('invalid_amount', notDecimal(decimal, 'so nothing can be calculated with it'), wrong);
    // Changing the sign of 12.00 keeps its decimal places.
    const places = Math.max(...texts.map((text) => text?.split('.')[1]?.length ?? 0));
    const whole = values.filter((value) => value !== undefined);
    return calc.result(whole, places) ?? lost;
  };
}
