import { kindOf, type Expected } from './expected-account.ts';
import type { HeldItem } from './match-items.ts';
import {
  present,
  type ReadInstruction,
  type ReadNote,
  type ReadValue,
  type ReadTransaction,
} from './platform-account.ts';

/** Items of both sides in the form in which they are compared. */

export function comparableTransactions(
  held: readonly ReadTransaction[],
): HeldItem<'date' | 'amount' | 'type' | 'document'>[] {
  return held.map(({ date, amount, type, document }) => ({
    ...{ date, amount, document },
    type: mapped(type, kindOf),
  }));
}

/** A time is an instant, however it is written. */
export function comparableNotes(held: readonly ReadNote[]): HeldItem<'body' | 'created' | 'pinned'>[] {
  return held.map(({ body, created, pinned }) => ({ body, created: mapped(created, instant), pinned }));
}

export function expectedNotes(
  expected: readonly Expected<'body' | 'created' | 'pinned'>[],
): Expected<'body' | 'created' | 'pinned'>[] {
  return expected.map((note) => {
    const { created } = note.values;
    return typeof created === 'string'
      ? { ...note, values: { ...note.values, created: instant(created) } }
      : note;
  });
}

export function comparableInstructions(
  held: readonly ReadInstruction[],
): HeldItem<'type' | 'vendor' | 'reference'>[] {
  return held.map((item) => ({ ...item, type: mapped(item.type, (type) => type.toUpperCase()) }));
}

export function mapped<From, To>(reading: ReadValue<From>, change: (value: From) => To): ReadValue<To> {
  return reading.kind === 'present' ? present(change(reading.value)) : reading;
}

function instant(text: string): string {
  return Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString();
}
