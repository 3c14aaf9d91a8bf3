import type { Decimal } from '../domain/decimal.ts';
import type { StepName } from '../domain/steps.ts';
import { compareAccount, type CompareOptions } from './compare-account.ts';
import type { Comparison } from './comparison.ts';
import { addedOf, type ExpectedAccount } from './expected-account.ts';
import type { PlatformAccount, ReadValue } from './platform-account.ts';

/** One part of an account in the export, in the journal and on the platform: numbers of items, and the balance. */
export interface SideRow {
  readonly part: string;
  /** The number of items, or the transfer balance with what was added; undefined if no export was compared, or it does not say. */
  readonly export: string | undefined;
  /** The steps that send it, with their states in the journal. */
  readonly sent: Readonly<Partial<Record<StepName, string>>>;
  /** The number of items, or the balance; undefined if it is not readable. */
  readonly held: string | undefined;
  /** Why something of it is not readable. */
  readonly reason: string | undefined;
  /** Equal only if all that is compared could be read, and the platform acknowledged every step. */
  readonly compared: 'equal' | 'differs' | 'not-readable' | 'not-compared';
  /** Kinds of the differences, and `since` for what happened on the platform since. */
  readonly kinds: readonly string[];
}

export interface AccountSides {
  /** `no-number`: the journal has no number of the platform, so nothing was read. `changed-since`: the export is not as it was sent. */
  readonly state: 'compared' | 'no-export' | 'changed-since' | 'no-number' | 'no-account';
  readonly rows: readonly SideRow[];
}

const stepsOf = {
  balance: ['process', 'transactions', 'billing-documents'],
  ledgers: ['process'],
  transactions: ['process', 'transactions', 'billing-documents'],
  notes: ['notes'],
  bills: ['statements', 'billing-documents'],
  agreements: ['process', 'agreements'],
  paymentInstructions: ['payment-instruction'],
  metadata: ['process'],
} as const satisfies Readonly<Record<string, readonly StepName[]>>;

type SidePart = keyof typeof stepsOf;

interface Sides {
  readonly held: PlatformAccount;
  readonly steps: Readonly<Record<StepName, string>>;
  /** Absent: nothing is compared. */
  readonly expected: ExpectedAccount | undefined;
}

/** Puts the parts of an account side by side. */
export function sideBySide(
  { held, steps, expected }: Sides,
  options: CompareOptions = {},
): readonly SideRow[] {
  const comparison = expected && compareAccount(expected, held, options);
  return (Object.keys(stepsOf) as SidePart[]).map((part) => ({
    part,
    export: expected && sideText(part === 'balance' ? balanceOf(expected) : expected[part]),
    sent: Object.fromEntries(
      stepsOf[part].filter((step) => steps[step] !== 'none').map((step) => [step, steps[step]]),
    ),
    held: heldOf(held[part]),
    reason: reasonOf(part, held[part], comparison),
    ...comparedOf(
      part,
      held[part],
      comparison,
      stepsOf[part].every((step) => accepted.has(steps[step])),
    ),
  }));
}

/** The transfer balance, with what the transactions step added. */
function balanceOf({ balance, transactions }: ExpectedAccount): Decimal | undefined {
  const added = addedOf(transactions.filter(({ isCertain }) => isCertain));
  return added && balance?.plus(added);
}

/** Of anything else, what is missing is no difference, so nothing is equal either. */
const accepted: ReadonlySet<string> = new Set(['none', 'done']);

function isOf(part: SidePart): (one: { readonly field: string }) => boolean {
  return ({ field }) => field === part || field.startsWith(`${part}.`);
}

function hiddenOf(part: SidePart, { hidden }: Comparison): readonly string[] {
  return [...hidden].filter(([field]) => isOf(part)({ field })).map(([, reason]) => reason);
}

function reasonOf(
  part: SidePart,
  reading: ReadValue<unknown>,
  comparison: Comparison | undefined,
): string | undefined {
  if (reading.kind === 'not-readable') return reading.reason;
  return comparison && hiddenOf(part, comparison)[0];
}

function comparedOf(
  part: SidePart,
  reading: ReadValue<unknown>,
  comparison: Comparison | undefined,
  isAccepted: boolean,
): Pick<SideRow, 'compared' | 'kinds'> {
  if (comparison === undefined)
    return { compared: reading.kind === 'not-readable' ? 'not-readable' : 'not-compared', kinds: [] };
  const { differences, remarks, notCompared } = comparison;
  const found = differences.filter(isOf(part)).map(({ kind }) => kind);
  const kinds = [...new Set([...found, ...remarks.filter(isOf(part)).map(({ kind }) => kind)])];
  if (found.length > 0) return { compared: 'differs', kinds };
  if (reading.kind === 'not-readable' || hiddenOf(part, comparison).length > 0)
    return { compared: 'not-readable', kinds };
  return { compared: notCompared.has(part) || !isAccepted ? 'not-compared' : 'equal', kinds };
}

function sideText(value: Decimal | readonly unknown[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  return 'length' in value ? String(value.length) : value.toFixed();
}

function heldOf(reading: ReadValue<Decimal | readonly unknown[]>): string | undefined {
  if (reading.kind === 'present') return sideText(reading.value);
  return reading.kind === 'absent' ? '0' : undefined;
}
