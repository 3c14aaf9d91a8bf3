import { numberText, type JsonValue } from '../domain/json.ts';
import { TypedDate, TypedNumber, typedValue, withoutType, type CellValue } from '../domain/typed-value.ts';
import { textSteps, type TextShape } from '../domain/text-shape.ts';
import { Fault } from './convert.ts';

/** The changes to a value before it is converted. */
export interface ValueShape {
  /** Separates the pieces of a text. */
  readonly split?: string | undefined;
  /** Which piece of a text, or element of a JSON array. */
  readonly take?: string | undefined;
  /** Further changes of a text: `trim` comes before the others and before the split. */
  readonly text?: TextShape | undefined;
  /** What the changes may leave out of an amount or a date: anything (true), or these texts. */
  readonly mayLose?: boolean | readonly string[] | undefined;
}

/** The field's type, where a character that is left out changes the value. */
export type Exact = 'amount' | 'date' | undefined;

/** One piece by its number from 1, the only one, or those at an end. */
export const takePattern = /^(?:first|last|only|but_first|but_last|[1-9]\d?)$/;

/**
 * The changes, or undefined if there are none. A value that is neither a text nor, for `take`, an array is not changed.
 * A pattern that does not match is a fault, and so are characters of an amount or a date that are left out.
 */
export function valueShape(
  shape: ValueShape,
  exact: Exact,
): ((raw: CellValue) => CellValue | Fault) | undefined {
  const { split, take, text: { normalize, trim, ...rest } = {}, mayLose = false } = shape;
  const [before, after] = [textSteps({ normalize, trim }), textSteps(rest)];
  const takes = take === undefined ? undefined : takeFrom(take, split);
  if (takes === undefined && before.length + after.length === 0) return undefined;
  const steps: ShapeSteps = {
    ...{ before, takes, after, exact, normalize },
    isForNumbers: exact === undefined && after.some(({ key }) => key !== 'case'),
    mayLose: mayLose === true || exact === undefined ? true : mayLose === false ? [] : mayLose,
  };
  return (raw) => {
    if (!(raw instanceof TypedNumber || raw instanceof TypedDate)) return changed(raw, steps);
    const text = withoutType(raw);
    const left = changed(text, steps);
    if (left === text) return raw;
    // What is left of a typed number is still one: -1.234 without its sign is 1.234. So it is with the day of a date.
    return typeof left === 'string' ? typedValue(left) : left;
  };
}

/** The changes of one value, in their order. */
interface ShapeSteps {
  readonly before: ReturnType<typeof textSteps>;
  readonly takes: ReturnType<typeof takeFrom> | undefined;
  readonly after: ReturnType<typeof textSteps>;
  /** Whether a number is changed as its text is. */
  readonly isForNumbers: boolean;
  readonly exact: Exact;
  readonly normalize: TextShape['normalize'];
  /** The characters that may be left out; true: all. */
  readonly mayLose: true | readonly string[];
}

function changed(raw: JsonValue, steps: ShapeSteps): JsonValue | Fault {
  const { before, takes, after, isForNumbers, exact, normalize, mayLose } = steps;
  let now: JsonValue | Fault = (isForNumbers ? numberText(raw) : undefined) ?? raw;
  for (const { apply } of before) if (typeof now === 'string') now = apply(now) ?? '';
  if (takes !== undefined) now = takes(now);
  if (typeof now !== 'string') return now;
  let text: string = now;
  for (const { key, apply } of after) {
    if (text === '') return '';
    const next = apply(text);
    if (next === undefined) return key === 'digits' ? decimalPart : key === 'check' ? failsCheck : noMatch;
    text = next;
  }
  if (mayLose === true || exact === undefined || typeof raw !== 'string') return text;
  const whole = normalize === undefined ? raw : raw.normalize(normalize);
  return losesOf(whole, text, exact, mayLose) ? lossy : text;
}

const noMatch = new Fault(
  'no_match',
  "The cell does not match the pattern of the mapping's match. Correct the cell or the pattern.",
);

const failsCheck = new Fault(
  'no_match',
  "The text does not match the mapping's check after its changes. Correct the cell or the mapping.",
);

const decimalPart = new Fault(
  'invalid',
  'A program wrote this as a decimal number, and digits would keep the zeros of its decimal part. ' +
    'Export the column as text, or remove the decimal part with replace in the mapping.',
);

const several = new Fault(
  'several_values',
  'Only one value is possible here, and the cell has several. Remove the others, or take first or last.',
);

const lossy = new Fault(
  'lossy_conversion',
  'The mapping drops characters that may change this value, such as a sign or digits. ' +
    'Correct the cell or the mapping, or name under may_lose what may be dropped.',
);

function takeFrom(take: string, split: string | undefined): (value: JsonValue) => JsonValue | Fault {
  return (value) => {
    if (Array.isArray(value)) {
      const filled = value.filter((item) => item !== null && item !== '');
      if (take === 'only' && filled.length > 1) return several;
      return filled.at(take === 'last' ? -1 : Math.max(0, Number(take) - 1 || 0)) ?? '';
    }
    if (typeof value !== 'string' || split === undefined) return value;
    const pieces = value.split(split);
    const piecesWithText = pieces.filter((piece) => piece.trim() !== '');
    if (take === 'only') return piecesWithText.length > 1 ? several : (piecesWithText[0]?.trim() ?? '');
    return pieceOf(pieces, split, take);
  };
}

function pieceOf(all: readonly string[], split: string, take: string): string {
  switch (take) {
    case 'first':
      return all[0]?.trim() ?? '';
    case 'last':
      return all.at(-1)?.trim() ?? '';
    case 'but_first':
      return all.slice(1).join(split).trim();
    case 'but_last':
      return all.slice(0, -1).join(split).trim();
    default:
      return all[Number(take) - 1]?.trim() ?? '';
  }
}

/** The characters that matter: in a date, separators do not. */
const significant = {
  amount: /[\p{L}\p{N}\p{S}\p{Pd}\p{Ps}\p{Pe}.,']/gu,
  date: /[\p{L}\p{N}+]/gu,
};

/** Whether a significant character of a text is missing in what it became, other than in texts that may be lost. */
function losesOf(
  before: string,
  after: string,
  exact: 'amount' | 'date',
  mayLose: readonly string[],
): boolean {
  const rest = mayLose.reduce((text, lost) => text.replaceAll(lost, ''), before);
  const kept = new Map<string, number>();
  for (const character of after.toLowerCase()) kept.set(character, (kept.get(character) ?? 0) + 1);
  for (const [character] of rest.toLowerCase().matchAll(significant[exact])) {
    const left = kept.get(character) ?? 0;
    if (left === 0) return true;
    kept.set(character, left - 1);
  }
  return false;
}
