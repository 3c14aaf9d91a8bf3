import type { Decimal } from '../domain/decimal.ts';
import type { AnswerValues, Element } from './answer-values.ts';
import { mapped } from './comparable-items.ts';
import { notReadable, present, type PlatformAccount, type ReadValue } from './platform-account.ts';
import { kindOf } from './expected-account.ts';
import { dateOf } from './read-times.ts';
import type { PartName, ReadShape } from './read-shape.ts';

/** The elements of a part, from all pages. */
export interface ReadPart {
  readonly elements: readonly { readonly element: Element; readonly values: AnswerValues }[];
  /** Why not all of them are known. */
  readonly hidden: string | undefined;
}

interface Reader {
  text(value: string): ReadValue<string>;
  time(value: string): ReadValue<string>;
  date(value: string): ReadValue<string>;
  flag(value: string): ReadValue<boolean>;
  amount(value: string): ReadValue<Decimal>;
}

/** Puts an account together from what was read of its parts. */
export function assembled(
  number: string,
  parts: Partial<Record<string, ReadPart>>,
  shape: ReadShape & { readonly timeZone?: string | undefined },
): PlatformAccount {
  const reader = (name: PartName, { element, values }: ReadPart['elements'][number]): Reader => {
    const place = (value: string) => shape.parts[name]?.values[value];
    return {
      text: (value) => values.text(element, place(value)),
      time: (value) => values.time(element, place(value), shape.times),
      date: (value) => dated(values.time(element, place(value), shape.times), shape.timeZone),
      flag: (value) => values.flag(element, place(value)),
      amount: (value) => values.amount(element, place(value), shape),
    };
  };
  const list = <Item>(name: PartName, read: (from: Reader) => Item): ReadValue<readonly Item[]> => {
    const part = parts[name];
    if (part === undefined) return notReadable('not_configured');
    if (part.hidden !== undefined) return notReadable(part.hidden);
    return present(part.elements.map((one) => read(reader(name, one))));
  };
  const balance = (reading: ReadValue<Decimal>) => (shape.credit === 'positive' ? reading : negated(reading));
  const own = parts['account'];
  const [first] = own?.elements ?? [];
  const account = first === undefined ? undefined : reader('account', first);
  const unread = notReadable(own?.hidden ?? 'not_configured');
  return {
    number,
    balance: account === undefined ? unread : balance(told(account.amount('balance'))),
    createdAt: account === undefined ? unread : told(timed(account.time('createdAt'), shape.timeZone)),
    ledgers: list('ledgers', (from) => ({
      number: from.text('number'),
      code: told(from.text('code')),
      balance: balance(told(from.amount('balance'))),
    })),
    transactions: list('transactions', (from) => {
      const named = from.text('type');
      const kind = named.kind === 'present' ? shape.types[named.value] : undefined;
      const type = kind === undefined ? named : present(kind);
      return {
        id: from.text('id'),
        date: told(from.date('date')),
        amount: signed(told(from.amount('amount')), type, shape),
        type,
        reason: from.text('reason'),
        reference: from.text('reference'),
        note: from.text('note'),
        document: from.text('document'),
      };
    }),
    notes: list('notes', (from) => ({
      body: from.text('body'),
      created: from.time('created'),
      pinned: from.flag('pinned'),
    })),
    bills: list('bills', (from) => ({
      identifier: from.text('identifier'),
      from: from.date('from'),
      to: from.date('to'),
      issued: from.date('issued'),
      amount: from.amount('amount'),
    })),
    agreements: list('agreements', (from) => ({
      product: from.text('product'),
      from: from.date('from'),
      to: from.date('to'),
      meterPoint: from.text('meterPoint'),
    })),
    paymentInstructions: list('paymentInstructions', (from) => ({
      type: mapped(from.text('type'), (name) => shape.instructionTypes[name] ?? name),
      vendor: from.text('vendor'),
      reference: from.text('reference'),
    })),
    metadata: list('metadata', (from) => ({ key: from.text('key'), value: from.text('value') })),
  };
}

/** A time that can be read as one. */
function timed(reading: ReadValue<string>, timeZone: string | undefined): ReadValue<string> {
  return reading.kind === 'present' && dateOf(reading.value, timeZone) === undefined
    ? notReadable('unexpected_form')
    : reading;
}

/** The date of a date or of a time. */
function dated(reading: ReadValue<string>, timeZone: string | undefined): ReadValue<string> {
  if (reading.kind !== 'present') return reading;
  const date = dateOf(reading.value, timeZone);
  return date === undefined ? notReadable('unexpected_form') : present(date);
}

/** Whether a kind of transaction adds to a balance. */
const signs: ReadonlyMap<string, boolean> = new Map([
  ['charge', false],
  ['refund', false],
  ['credit', true],
  ['payment', true],
]);

/** A value that every such item has: null says nothing of it. */
function told<Value>(reading: ReadValue<Value>): ReadValue<Value> {
  return reading.kind === 'absent' ? notReadable('not_in_answer') : reading;
}

/** An unsigned amount gets its sign from the type, which must be readable then. */
function signed(amount: ReadValue<Decimal>, type: ReadValue<string>, shape: ReadShape): ReadValue<Decimal> {
  if (shape.amounts === 'signed' || amount.kind !== 'present') return amount;
  if (shape.amounts === 'reversed') return negated(amount);
  if (type.kind !== 'present') return notReadable('type_not_readable');
  const { value } = type;
  if (shape.debits.some((debit) => debit.toLowerCase() === value.toLowerCase())) return negated(amount);
  const adds = signs.get(kindOf(value));
  if (adds === undefined) return notReadable('type_not_readable');
  return adds ? amount : negated(amount);
}

function negated(reading: ReadValue<Decimal>): ReadValue<Decimal> {
  return reading.kind === 'present' ? present(reading.value.times(-1)) : reading;
}
