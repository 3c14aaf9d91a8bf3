import { kindOf, type Expected } from './expected-account.ts';
import type { HeldItem } from './match-items.ts';
import {
  absent,
  notReadable,
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
  return held.map(({ body, created, pinned }) => ({ body: filled(body), created: timeOf(created), pinned }));
}

export function expectedNotes(
  expected: readonly Expected<'body' | 'created' | 'pinned'>[],
): Expected<'body' | 'created' | 'pinned'>[] {
  return expected.map((note) => {
    const { created, body } = note.values;
    return {
      ...note,
      values: {
        ...note.values,
        ...(typeof created === 'string' ? { created: instant(created) ?? created } : {}),
        ...(body === '' ? { body: null } : {}),
      },
    };
  });
}

/** No text, and an empty one, are the same note. */
function filled(body: ReadValue<string>): ReadValue<string> {
  return body.kind === 'present' && body.value === '' ? absent : body;
}

function timeOf(created: ReadValue<string>): ReadValue<string> {
  if (created.kind !== 'present') return created;
  const time = instant(created.value);
  return time === undefined ? notReadable('unexpected_form') : present(time);
}

export function comparableInstructions(
  held: readonly ReadInstruction[],
): HeldItem<'type' | 'vendor' | 'reference'>[] {
  return held.map((item) => ({ ...item, type: mapped(item.type, (type) => type.toUpperCase()) }));
}

export function mapped<From, To>(reading: ReadValue<From>, change: (value: From) => To): ReadValue<To> {
  return reading.kind === 'present' ? present(change(reading.value)) : reading;
}

/** undefined if it is no time as text: a number of seconds or milliseconds is none. */
function instant(text: string): string | undefined {
  return Number.isNaN(Date.parse(text)) || !/^\d{4}-/.test(text) ? undefined : new Date(text).toISOString();
}
