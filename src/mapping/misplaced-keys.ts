import type { FieldKind } from '../contract/schemas/fields.ts';
import type { ValueEntry } from './mapping-keys.ts';
import type { Exact } from './text-shape.ts';

/** What a value's keys are checked against. */
export interface ValuePlace {
  readonly kind: FieldKind;
  /** What the field must keep of a text, if anything. */
  readonly exact: Exact;
  /** Whether a code table or the like says what a text means. */
  readonly hasOwnMeaning: boolean;
  /** Whether there are texts that the keys do not allow. */
  readonly canBeInvalid: boolean;
  readonly hasModule: boolean;
  readonly isCsv: boolean;
}

export const amountKinds: ReadonlySet<FieldKind> = new Set(['number', 'decimal-string', 'amount', 'decimal']);

interface Rule {
  readonly key: keyof ValueEntry;
  /** Whether the key, which is given, does not belong there. */
  readonly isMisplaced: (entry: ValueEntry, place: ValuePlace) => boolean;
  /** With the remedy. */
  readonly why: string;
}

const rules: readonly Rule[] = [
  {
    key: 'take',
    isMisplaced: ({ split }, { isCsv }) => split === undefined && isCsv,
    why: 'Also give the text at which to split.',
  },
  {
    key: 'split',
    isMisplaced: ({ take }) => take === undefined,
    why: 'This is not an array: select one piece with take.',
  },
  {
    key: 'calc',
    isMisplaced: (_, { kind }) => !amountKinds.has(kind),
    why: 'A calculation gives an amount, which this field does not accept.',
  },
  {
    key: 'call',
    isMisplaced: ({ column }, { hasModule }) => column === undefined || !hasModule,
    why: 'Name the columns with column, and the module at the top of the mapping.',
  },
  {
    key: 'round',
    isMisplaced: (_, { kind }) => !amountKinds.has(kind),
    why: 'This field does not accept an amount. Remove the key.',
  },
  {
    key: 'month',
    isMisplaced: (_, { kind }) => kind !== 'date',
    why: 'This field does not accept a date. Remove the key.',
  },
  {
    key: 'may_lose',
    isMisplaced: ({ phone }, { exact, hasOwnMeaning }) =>
      phone === undefined && (exact === undefined || hasOwnMeaning),
    why: 'Only amounts, dates and phone numbers must keep all their characters. Remove the key.',
  },
  {
    key: 'on_invalid',
    isMisplaced: ({ on_invalid: what }, { kind, canBeInvalid }) =>
      what !== 'reject' && (kind === 'string' || kind === 'json') && !canBeInvalid,
    why: 'Any text is valid here, so this has no effect. Say with phone, match, check, codes or lookup which texts are valid, or remove the key.',
  },
  {
    key: 'phone',
    isMisplaced: ({ phone, column }) => typeof phone === 'object' && column === undefined,
    why: 'Name the column of the numbers with column.',
  },
];

/** The first key of a value that has no place or no effect there, and why. */
export function misplacedKey(
  entry: ValueEntry,
  place: ValuePlace,
): { readonly key: keyof ValueEntry; readonly why: string } | undefined {
  return rules.find(({ key, isMisplaced }) => entry[key] !== undefined && isMisplaced(entry, place));
}
