import type { Decimal } from '../domain/decimal.ts';

/**
 * A value as the platform holds it. `absent`: the platform says that it has none. `not-readable`: nothing is known of it, so
 * it is equal to nothing; the reason is a code of the platform or of this component.
 */
export type Reading<T> =
  | { readonly kind: 'present'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'not-readable'; readonly reason: string };

export function present<T>(value: T): Reading<T> {
  return { kind: 'present', value };
}

export const absent = { kind: 'absent' } as const;

export function notReadable(reason: string): Reading<never> {
  return { kind: 'not-readable', reason };
}

/** The value of a reading; undefined if it is absent or not readable. */
export function valueOf<T>(reading: Reading<T>): T | undefined {
  return reading.kind === 'present' ? reading.value : undefined;
}

/** An account as the platform's own ledger has it. Amounts are exact; credit is positive. */
export interface PlatformAccount {
  readonly number: string;
  readonly balance: Reading<Decimal>;
  /** ISO 8601. */
  readonly createdAt: Reading<string>;
  readonly ledgers: Reading<readonly ReadLedger[]>;
  readonly transactions: Reading<readonly ReadTransaction[]>;
  readonly notes: Reading<readonly ReadNote[]>;
  readonly bills: Reading<readonly ReadBill[]>;
  readonly agreements: Reading<readonly ReadAgreement[]>;
  readonly paymentInstructions: Reading<readonly ReadInstruction[]>;
  readonly metadata: Reading<readonly ReadMetadata[]>;
}

export interface ReadLedger {
  readonly number: Reading<string>;
  readonly code: Reading<string>;
  readonly balance: Reading<Decimal>;
}

export interface ReadTransaction {
  readonly id: Reading<string>;
  /** `YYYY-MM-DD`. */
  readonly date: Reading<string>;
  /** What it adds to the balance: negative for charges and refunds. */
  readonly amount: Reading<Decimal>;
  readonly type: Reading<string>;
  readonly reason: Reading<string>;
  readonly reference: Reading<string>;
  readonly note: Reading<string>;
  /** Identifier of the billing document that has it. */
  readonly document: Reading<string>;
}

export interface ReadNote {
  readonly body: Reading<string>;
  /** ISO 8601. */
  readonly created: Reading<string>;
  readonly pinned: Reading<boolean>;
}

/** A bill, a billing document or a statement. */
export interface ReadBill {
  readonly identifier: Reading<string>;
  /** Dates, `YYYY-MM-DD`. */
  readonly from: Reading<string>;
  readonly to: Reading<string>;
  readonly issued: Reading<string>;
  readonly amount: Reading<Decimal>;
}

export interface ReadAgreement {
  readonly product: Reading<string>;
  /** Dates, `YYYY-MM-DD`. */
  readonly from: Reading<string>;
  readonly to: Reading<string>;
  readonly meterPoint: Reading<string>;
}

export interface ReadInstruction {
  readonly type: Reading<string>;
  readonly vendor: Reading<string>;
  readonly reference: Reading<string>;
}

export interface ReadMetadata {
  readonly key: Reading<string>;
  /** JSON as text. */
  readonly value: Reading<string>;
}
