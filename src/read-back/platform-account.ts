import type { Decimal } from '../domain/decimal.ts';

/**
 * A value as the platform holds it. `absent`: the platform says that it has none. `not-readable`: nothing is known of it, so
 * it is equal to nothing; the reason is a code of the platform or of this component.
 */
export type ReadValue<T> =
  | { readonly kind: 'present'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'not-readable'; readonly reason: string };

export function present<T>(value: T): ReadValue<T> {
  return { kind: 'present', value };
}

export const absent = { kind: 'absent' } as const;

export function notReadable(reason: string): ReadValue<never> {
  return { kind: 'not-readable', reason };
}

/** The value of a reading; undefined if it is absent or not readable. */
export function valueOf<T>(reading: ReadValue<T>): T | undefined {
  return reading.kind === 'present' ? reading.value : undefined;
}

/** An account as the platform's own ledger has it. Amounts are exact; credit is positive. */
export interface PlatformAccount {
  readonly number: string;
  readonly balance: ReadValue<Decimal>;
  /** ISO 8601. */
  readonly createdAt: ReadValue<string>;
  readonly ledgers: ReadValue<readonly ReadLedger[]>;
  readonly transactions: ReadValue<readonly ReadTransaction[]>;
  readonly notes: ReadValue<readonly ReadNote[]>;
  readonly bills: ReadValue<readonly ReadBill[]>;
  readonly agreements: ReadValue<readonly ReadAgreement[]>;
  readonly paymentInstructions: ReadValue<readonly ReadInstruction[]>;
  readonly metadata: ReadValue<readonly ReadMetadata[]>;
}

export interface ReadLedger {
  readonly number: ReadValue<string>;
  readonly code: ReadValue<string>;
  readonly balance: ReadValue<Decimal>;
}

export interface ReadTransaction {
  readonly id: ReadValue<string>;
  /** `YYYY-MM-DD`. */
  readonly date: ReadValue<string>;
  /** What it adds to the balance: negative for charges and refunds. */
  readonly amount: ReadValue<Decimal>;
  readonly type: ReadValue<string>;
  readonly reason: ReadValue<string>;
  readonly reference: ReadValue<string>;
  readonly note: ReadValue<string>;
  /** Identifier of the billing document that has it. */
  readonly document: ReadValue<string>;
}

export interface ReadNote {
  readonly body: ReadValue<string>;
  /** ISO 8601. */
  readonly created: ReadValue<string>;
  readonly pinned: ReadValue<boolean>;
}

/** A bill, a billing document or a statement. */
export interface ReadBill {
  readonly identifier: ReadValue<string>;
  /** Dates, `YYYY-MM-DD`. */
  readonly from: ReadValue<string>;
  readonly to: ReadValue<string>;
  readonly issued: ReadValue<string>;
  readonly amount: ReadValue<Decimal>;
}

export interface ReadAgreement {
  readonly product: ReadValue<string>;
  /** Dates, `YYYY-MM-DD`. */
  readonly from: ReadValue<string>;
  readonly to: ReadValue<string>;
  readonly meterPoint: ReadValue<string>;
}

export interface ReadInstruction {
  readonly type: ReadValue<string>;
  readonly vendor: ReadValue<string>;
  readonly reference: ReadValue<string>;
}

export interface ReadMetadata {
  readonly key: ReadValue<string>;
  /** JSON as text. */
  readonly value: ReadValue<string>;
}
