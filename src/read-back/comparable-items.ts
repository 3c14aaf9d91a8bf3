import { instructionTypes } from '../contract/schemas/payment-instruction.ts';
import { kindOf, type Expected } from './expected-account.ts';
import { instant } from './read-times.ts';
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

/** `held`: where all its times are whole seconds, the platform keeps no more of a time. */
export function expectedNotes(
  expected: readonly Expected<'body' | 'created' | 'pinned'>[],
  held: readonly ReadNote[],
): Expected<'body' | 'created' | 'pinned'>[] {
  const isWhole = held.every(({ created }) => created.kind !== 'present' || !/[.,]\d/.test(created.value));
  const timeOfSent = (text: string): string => {
    const time = instant(text);
    return isWhole && time !== undefined ? time.replace(/\.\d+Z$/, '.000Z') : (time ?? text);
  };
  return expected.map((note) => {
    const { created, body } = note.values;
    return {
      ...note,
      values: {
        ...note.values,
        ...(typeof created === 'string' ? { created: timeOfSent(created) } : {}),
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

const ofInterface: ReadonlySet<string> = new Set(instructionTypes);

/** A type that is none of the interface, nor one that was sent, says nothing of the instruction. */
export function comparableInstructions(
  held: readonly ReadInstruction[],
  expected: readonly Expected<'type' | 'vendor' | 'reference'>[],
): HeldItem<'type' | 'vendor' | 'reference'>[] {
  const sent = new Map(
    expected.flatMap(({ values: { type } }) =>
      typeof type === 'string' ? [[type.toUpperCase(), type] as const] : [],
    ),
  );
  const known = (type: ReadInstruction['type']): ReadInstruction['type'] => {
    if (type.kind !== 'present') return type;
    const name = type.value.toUpperCase();
    const own = sent.get(name) ?? (ofInterface.has(name) ? name : undefined);
    return own === undefined ? notReadable('type_not_readable') : present(own);
  };
  return held.map((item) => ({ ...item, type: known(item.type) }));
}

export function mapped<From, To>(reading: ReadValue<From>, change: (value: From) => To): ReadValue<To> {
  return reading.kind === 'present' ? present(change(reading.value)) : reading;
}
