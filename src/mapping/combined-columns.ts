import { parseDecimal, zero } from '../domain/decimal.ts';
import { numberText } from '../domain/json.ts';
import type { CellValue } from '../domain/typed-value.ts';
import type { Formula, Template } from './calculation.ts';
import { joinedCodes } from './code-value.ts';
import { textOf } from './condition.ts';
import { Fault, type Formats } from './convert.ts';
import { notDecimal, plainDecimal } from './decimal-format.ts';
import type { ValueEntry } from './mapping-keys.ts';
import type { Rounding } from './rounding.ts';
import type { ColumnSpec, Gather, Spec } from './spec.ts';

interface Combining {
  readonly formats: Formats;
  /** The values that are no columns, by name. */
  readonly parts: ReadonlyMap<string, Spec>;
  /** The columns of the codes in a code table. */
  readonly keys: readonly string[];
  readonly shape: ColumnSpec['shape'];
}

/** The columns that a value is made from, and how they are combined. */
export function combinedColumns(
  { column = [], template, calc, round }: ValueEntry,
  { formats, parts, keys, shape }: Combining,
): Pick<ColumnSpec, 'columns' | 'gather'> {
  if (template !== undefined) return { columns: template.columns, gather: filled(template) };
  if (calc !== undefined) return { columns: calc.columns, gather: calculated(calc, formats, parts, round) };
  return keys.length < 2 ? { columns: column } : { columns: column, gather: ofAllKeys(shape) };
}

function filled(template: Template): Gather {
  return (raws) =>
    raws.every((raw) => raw === undefined) ? undefined : template.fill(raws.map((raw) => textOf(raw)));
}

/** An empty column counts as zero; if all are empty, the value is empty. */
function calculated(
  calc: Formula,
  formats: Formats,
  parts: Combining['parts'],
  round: Rounding | undefined,
): Gather {
  // A part has the interface's own form.
  const marks = calc.columns.map((name) => (parts.has(name) ? plainDecimal : formats.decimal));
  const plain = (raw: CellValue, at: number): string | undefined =>
    typeof raw === 'string' ? marks[at]?.(raw) : numberText(raw);
  const lost = new Fault(
    'invalid_amount',
    round === undefined
      ? 'The result has infinitely many digits, or the calculation divides by zero. Correct the cell or the mapping, or round the result.'
      : 'The calculation divides by zero. Correct the cell or the mapping.',
  );
  return (raws) => {
    if (raws.every((raw) => raw === undefined)) return undefined;
    const texts = raws.map((raw, at) => (raw === undefined ? undefined : (plain(raw, at) ?? '')));
    const values = texts.map((text) => (text === undefined ? zero : parseDecimal(text)));
    const wrong = values.indexOf(undefined);
    if (wrong !== -1)
      return new Fault(
        'invalid_amount',
        notDecimal(formats.decimal, 'so nothing can be calculated with it'),
        wrong,
      );
    // Changing the sign of 12.00 keeps its decimal places.
    const places = Math.max(...texts.map((text) => text?.split('.')[1]?.length ?? 0));
    const whole = values.filter((value) => value !== undefined);
    return calc.result(whole, places, round) ?? lost;
  };
}

/** One code from the codes in several columns, of which some may be empty. */
function ofAllKeys(shape: ColumnSpec['shape'] = (raw) => raw): Gather {
  return (raws) => {
    const codes: string[] = [];
    for (const [at, raw] of raws.entries()) {
      const code = raw === undefined ? '' : shape(raw);
      if (code instanceof Fault) return new Fault(code.code, code.detail, at);
      codes.push(textOf(code));
    }
    return codes.every((code) => code === '') ? undefined : joinedCodes(codes);
  };
}
