import { zero, type Decimal } from '../domain/decimal.ts';
import { parseJson, type JsonValue } from '../domain/json.ts';
import { addedOf, sortedJson, type Expected, type ExpectedAccount, type Origin } from './expected-account.ts';
import {
  expectedText,
  heldText,
  matchItems,
  type HeldItem,
  type Matching,
  type Pairing,
} from './match-items.ts';
import {
  comparableInstructions,
  comparableNotes,
  comparableTransactions,
  expectedNotes,
  mapped,
} from './comparable-items.ts';
import type { Comparison, DifferenceKind, ReadDifference, ReadRemark } from './comparison.ts';
import { valueOf, type PlatformAccount, type ReadValue } from './platform-account.ts';
import { dateOf } from './read-times.ts';

export interface CompareOptions {
  readonly timeZone?: string | undefined;
}

/** The reason of a value without a place in the configuration. */
const notConfigured = 'not_configured';

/** Compares what was sent of an account with what the platform holds, to the minor unit. */
export function compareAccount(
  expected: ExpectedAccount,
  held: PlatformAccount,
  { timeZone }: CompareOptions = {},
): Comparison {
  const comparing = new Comparing(expected, held, timeZone);
  comparing.all();
  return comparing;
}

class Comparing implements Comparison {
  readonly differences: ReadDifference[] = [];
  readonly remarks: ReadRemark[] = [];
  readonly hidden = new Map<string, string>();
  readonly notCompared = new Set<string>();
  readonly #expected: ExpectedAccount;
  readonly #held: PlatformAccount;
  /** The day of the account's creation on the platform; undefined if that is not known. */
  readonly #createdOn: string | undefined;
  /** By what the balance is off because of the transactions that differ. */
  #shift: Decimal = zero;
  #isSinceKnown = true;

  constructor(expected: ExpectedAccount, held: PlatformAccount, timeZone: string | undefined) {
    this.#expected = expected;
    this.#held = held;
    const created = valueOf(held.createdAt);
    this.#createdOn = created === undefined ? undefined : dateOf(created, timeZone);
  }

  all(): void {
    const added = this.#transactions();
    if (added !== undefined) this.#balances(added);
    this.#notes();
    this.#bills();
    this.#agreements();
    this.#instructions();
    this.#metadata();
  }

  /** Compares the transactions; what was added after the account was created, undefined if that is not known. */
  #transactions(): Added | undefined {
    const { transactions } = this.#expected;
    const held = this.#list('transactions', this.#held.transactions);
    // Without a list, only what is known to be there counts, and nothing is known of what came since.
    this.#isSinceKnown = held !== undefined;
    if (held === undefined) return addedSince(addedOf(transactions.filter(({ isCertain }) => isCertain)), []);
    const values = ['date', 'amount', 'type', 'document'] as const;
    const pairing = { by: ['date', 'amount', 'type'], least: 2 } as const;
    const matching = withMovedTwins(
      this.#match('transactions', transactions, comparableTransactions(held), values, pairing),
      values,
    );
    for (const { expected, held: item, values } of matching.changed) {
      const isSign = expectedText(expected.values.amount) === heldText(negated(item.amount));
      for (const value of values)
        if (value === 'date' && expected.mayHaveMoved === true)
          this.remarks.push({ field: 'transactions.date', kind: 'moved_date', origin: expected.origin });
        else if (!(isSign && value === 'type'))
          this.#differs(`transactions.${value}`, kindFor(value, isSign), expected, value, item[value]);
    }
    this.#left('transactions', matching, (item) => valueOf(item.date));
    this.#shift = this.#shiftOf(matching);
    const found = new Set(matching.found);
    const known = transactions.filter((item) => item.isCertain || found.has(item));
    const since = matching.extra.filter((item) => this.#isSince(valueOf(item.date)));
    return addedSince(addedOf(known), since);
  }

  #shiftOf({ changed, missing, doubled, extra }: Matching<'date' | 'amount' | 'type' | 'document'>): Decimal {
    const amountOf = (item: { readonly amount: ReadValue<unknown> }) =>
      (valueOf(item.amount) as Decimal | undefined) ?? zero;
    const expectedAmount = ({ values }: { readonly values: { readonly amount?: unknown } }) =>
      (values.amount as Decimal | undefined) ?? zero;
    const sum = (amounts: readonly Decimal[]) => amounts.reduce((total, amount) => total.plus(amount), zero);
    const unexpected = extra.filter((item) => !this.#isSince(valueOf(item.date)));
    return sum([
      ...changed.map(({ expected, held }) => amountOf(held).minus(expectedAmount(expected))),
      ...missing
        .filter(({ origin }) => origin.step === 'transactions')
        .map((item) => expectedAmount(item).times(-1)),
      ...doubled.map(({ held }) => amountOf(held)),
      ...unexpected.map(amountOf),
    ]);
  }

  #balances(added: Added): void {
    const { balance: start, balanceOrigin, ledgers } = this.#expected;
    const held = this.#single('balance', this.#held.balance);
    if (start !== undefined && held !== undefined)
      this.#balance('balance', start, added, held, balanceOrigin);
    const read = this.#list('ledgers', this.#held.ledgers);
    if (read === undefined) return;
    const codes = read.map(({ code }) => this.#single('ledgers.code', code));
    if (codes.includes(undefined)) return;
    const off: { readonly balance: Decimal; readonly amount: Decimal; readonly origin: Origin }[] = [];
    for (const { code, balance, origin } of ledgers) {
      const at = codes.indexOf(code);
      const own = read[at];
      codes[at] = undefined;
      const amount = own && this.#single('ledgers.balance', own.balance);
      if (own === undefined)
        this.differences.push({ field: 'ledgers', kind: 'missing', origin, expected: code });
      else if (amount !== undefined && balance !== undefined && (ledgers.length === 1 || !amount.eq(balance)))
        off.push({ balance, amount, origin });
    }
    // With several ledgers, the platform decides which one has what was added since.
    const [only] = off;
    if (off.length === 1 && only !== undefined)
      this.#balance('ledgers.balance', only.balance, added, only.amount, only.origin);
    else
      for (const { balance, amount, origin } of off)
        this.#balance('ledgers.balance', balance, nothingAdded, amount, origin);
  }

  /** A balance that differs by what the transactions differ is no difference of its own. */
  #balance(field: string, start: Decimal, added: Added, held: Decimal, origin: Origin): void {
    const expected = start.plus(added.all);
    const isPending = added.withPending.some((sum) => start.plus(sum).plus(this.#shift).eq(held));
    if (isPending && !expected.plus(this.#shift).eq(held))
      this.remarks.push({ field, kind: 'pending', origin });
    else if (!this.#isSinceKnown && !expected.eq(held)) this.#hide(field, 'transactions_not_readable');
    else if (this.#shift.eq(0) || !held.minus(expected).eq(this.#shift))
      this.#amount(field, expected, held, origin);
    else this.remarks.push({ field, kind: 'follows', origin });
  }

  #notes(): void {
    const held = this.#list('notes', this.#held.notes);
    if (held === undefined) return;
    this.#plain(
      'notes',
      expectedNotes(this.#expected.notes, held),
      comparableNotes(held),
      ['body', 'created', 'pinned'],
      { by: ['body', 'created'], least: 1 },
      (item) => valueOf(item.created),
    );
  }

  #bills(): void {
    const held = this.#list('bills', this.#held.bills);
    if (held === undefined) return;
    const values = ['identifier', 'from', 'to', 'issued', 'amount'] as const;
    this.#plain(
      'bills',
      this.#expected.bills,
      held,
      values,
      { by: ['identifier', 'from', 'to', 'issued'], least: 2 },
      (item) => valueOf(item.issued) ?? valueOf(item.to),
    );
  }

  #agreements(): void {
    const { agreements } = this.#expected;
    const held = this.#list('agreements', this.#held.agreements);
    if (held === undefined) return;
    if (agreements === undefined) {
      this.notCompared.add('agreements');
      return;
    }
    const values = ['product', 'from', 'to', 'meterPoint'] as const;
    this.#plain('agreements', agreements, held, values, { by: ['product', 'from'], least: 1 }, (item) =>
      valueOf(item.from),
    );
  }

  #instructions(): void {
    const held = this.#list('paymentInstructions', this.#held.paymentInstructions);
    if (held === undefined) return;
    const values = ['type', 'vendor', 'reference'] as const;
    this.#plain(
      'paymentInstructions',
      this.#expected.paymentInstructions,
      comparableInstructions(held, this.#expected.paymentInstructions),
      values,
      { by: ['type', 'vendor'], least: 1 },
      () => undefined,
    );
  }

  /** Platforms add entries of their own: more than was sent is no difference. */
  #metadata(): void {
    const held = this.#list('metadata', this.#held.metadata);
    if (held === undefined) return;
    const items = held.map(({ key, value }) => ({ key, value: mapped(value, canonical) }));
    const matching = this.#match('metadata', this.#expected.metadata, items, ['key', 'value'], {
      by: ['key'],
      least: 1,
    });
    this.#changed('metadata', matching);
    for (const { origin } of matching.missing)
      this.differences.push({ field: 'metadata', kind: 'missing', origin });
  }

  #plain<Value extends string>(
    field: string,
    expected: readonly Expected<Value>[],
    held: readonly HeldItem<Value>[],
    values: readonly Value[],
    pairing: Pairing<Value>,
    when: (item: HeldItem<Value>) => unknown,
  ): void {
    const matching = this.#match(field, expected, held, values, pairing);
    this.#changed(field, matching);
    this.#left(field, matching, when);
  }

  #match<Value extends string>(
    field: string,
    expected: readonly Expected<Value>[],
    held: readonly HeldItem<Value>[],
    values: readonly Value[],
    pairing: Pairing<Value>,
  ): Matching<Value> {
    const matching = matchItems(expected, held, values, pairing);
    for (const [value, reason] of matching.hidden) this.#hide(`${field}.${value}`, reason);
    return matching;
  }

  #changed<Value extends string>(field: string, { changed }: Matching<Value>): void {
    for (const { expected, held, values } of changed)
      for (const value of values)
        this.#differs(`${field}.${value}`, kindFor(value, false), expected, value, held[value]);
  }

  #left<Value extends string>(
    field: string,
    { missing, doubled, extra }: Matching<Value>,
    when: (item: HeldItem<Value>) => unknown,
  ): void {
    for (const { origin } of missing) this.differences.push({ field, kind: 'missing', origin });
    for (const { expected } of doubled)
      this.differences.push({ field, kind: 'doubled', origin: expected.origin });
    for (const item of extra)
      if (this.#isSince(when(item))) this.remarks.push({ field, kind: 'since' });
      else if (isHidden(this.#held.createdAt)) this.#hide('createdAt', this.#held.createdAt.reason);
      else this.differences.push({ field, kind: 'extra' });
  }

  /** Whether something of this date or time came after the account was created. */
  #isSince(when: unknown): boolean {
    return this.#createdOn !== undefined && typeof when === 'string' && when.slice(0, 10) >= this.#createdOn;
  }

  #list<Item>(field: string, reading: ReadValue<readonly Item[]>): readonly Item[] | undefined {
    if (reading.kind === 'not-readable') this.#hide(field, reading.reason);
    return reading.kind === 'not-readable' ? undefined : (valueOf(reading) ?? []);
  }

  #single<Value>(field: string, reading: ReadValue<Value>): Value | undefined {
    if (reading.kind === 'not-readable') this.#hide(field, reading.reason);
    else if (reading.kind === 'absent') this.differences.push({ field, kind: 'missing' });
    return valueOf(reading);
  }

  #hide(field: string, reason: string): void {
    if (reason === notConfigured) this.notCompared.add(field);
    else this.hidden.set(field, reason);
  }

  #amount(field: string, expected: Decimal, held: Decimal, origin: Origin): void {
    if (expected.eq(held)) return;
    const kind = expected.eq(held.times(-1)) ? 'sign' : 'amount';
    this.differences.push({ field, kind, origin, expected: expected.toFixed(), held: held.toFixed() });
  }

  #differs<Value extends string>(
    field: string,
    kind: DifferenceKind,
    { values, origin }: Expected<Value>,
    value: Value,
    held: ReadValue<string | Decimal | boolean>,
  ): void {
    const told = (text: string) => (text === '-' ? undefined : text.slice(1));
    this.differences.push({
      field,
      kind,
      origin,
      expected: told(expectedText(values[value])),
      held: told(heldText(held)),
    });
  }
}

/** Whether something that the configuration names cannot be read. */
function isHidden(
  reading: ReadValue<unknown>,
): reading is Extract<ReadValue<unknown>, { kind: 'not-readable' }> {
  return reading.kind === 'not-readable' && reading.reason !== notConfigured;
}

/** What was added after an account was created, by the transactions step and on the platform. */
interface Added {
  readonly all: Decimal;
  /** The sums without the latest of what came on the platform, which its balance may not have yet. */
  readonly withPending: readonly Decimal[];
}

const nothingAdded: Added = { all: zero, withPending: [] };

/** undefined if an amount is not known. */
function addedSince(
  sent: Decimal | undefined,
  since: readonly HeldItem<'date' | 'amount'>[],
): Added | undefined {
  const sums = [sent];
  const dated = since.map(({ date, amount }) => [String(valueOf(date)), valueOf(amount)] as const);
  for (const [, amount] of dated.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    sums.push(typeof amount === 'object' ? sums.at(-1)?.plus(amount) : undefined);
  const known = sums.filter((sum) => sum !== undefined);
  const all = known.length === sums.length ? known.pop() : undefined;
  return all && { all, withPending: known };
}

/** Of items whose date the platform said it moved, those that are held once more are doubled, and not something else. */
function withMovedTwins<Value extends string>(
  matching: Matching<Value>,
  compared: readonly Value[],
): Matching<Value> {
  const textOf = (item: HeldItem<Value>): string => compared.map((value) => heldText(item[value])).join('\n');
  const moved = new Map(
    matching.changed.flatMap(({ expected, held, values }) =>
      expected.mayHaveMoved === true && values.every((value) => value === 'date')
        ? [[textOf(held), expected] as const]
        : [],
    ),
  );
  if (moved.size === 0) return matching;
  const twins = matching.extra.flatMap((held) => {
    const expected = moved.get(textOf(held));
    return expected === undefined ? [] : [{ expected, held }];
  });
  const isTwin = new Set(twins.map(({ held }) => held));
  return {
    ...matching,
    doubled: [...matching.doubled, ...twins],
    extra: matching.extra.filter((item) => !isTwin.has(item)),
  };
}

function kindFor(value: string, isSign: boolean): DifferenceKind {
  if (value === 'amount') return isSign ? 'sign' : 'amount';
  if (value === 'date') return 'moved_date';
  return value === 'type' ? 'type' : 'value';
}

function negated(reading: ReadValue<string | Decimal | boolean>): ReadValue<string | Decimal | boolean> {
  return mapped(reading, (value) => (typeof value === 'object' ? value.times(-1) : value));
}

function canonical(text: string): string {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    return text;
  }
  return sortedJson(value);
}
