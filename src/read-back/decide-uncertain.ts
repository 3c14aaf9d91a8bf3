import { stringifyJson } from '../domain/json.ts';
import {
  comparableInstructions,
  comparableNotes,
  comparableTransactions,
  expectedNotes,
} from './comparable-items.ts';
import type { Expected, ExpectedAccount, Origin } from './expected-account.ts';
import { expectedText, heldText, matchItems, nearestOf, type HeldItem, type Pairing } from './match-items.ts';
import { valueOf, type PlatformAccount, type ReadValue } from './platform-account.ts';
import { dateOf } from './read-times.ts';

/**
 * Decides by reading what became of requests whose effect is unknown. Only this file does: what is seen is proof, and what is not
 * seen is absent only as `decide` says.
 */

/**
 * What is known of an expected item before the platform is read: it is there (`known`), it belongs to a request in question
 * (`asked`, with the request's name), it may be there (`open`), or it was not sent (`unsent`).
 */
export type ReadStanding =
  { readonly is: 'known' | 'open' | 'unsent' } | { readonly is: 'asked'; readonly request: string };

/**
 * What a reading shows of a request.
 *
 * - `there`: everything that it brings; `doubled`: and something of it once more than expected
 * - `missing`: nothing of it, and nothing like it
 * - `unclear`: a part of it, something like it, or fewer of several equal items than may be there; or the reading lacks what is known to be
 *   there, so that it is behind, or about another account
 * - `not-readable`: what identifies it
 */
export type Seen = 'there' | 'doubled' | 'missing' | 'unclear' | 'not-readable';

export interface Sight {
  /** By the names of the requests in question. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** What was read of the parts of the account that these requests bring, for the comparison with another sight. */
  readonly print: string;
  /** Whether none of these requests could be under way any more when it was read. */
  readonly isQuiet: boolean;
}

/** `absent`: known not to be there. `unknown`: that is left to a person. */
export type Decision = 'done' | 'doubled' | 'absent' | 'unknown';

/**
 * The decision on a request by one or more readings, oldest first. It is absent only if two readings in a row, after the
 * quiet period, are equal and lack it, and only where `absence` settles: the platform must be known to read its own writes.
 */
export function decide(request: string, sights: readonly Sight[], absence: 'settles' | 'tells'): Decision {
  const seen = sights.map((sight) => sight.seen.get(request));
  if (seen.includes('doubled')) return 'doubled';
  if (seen.includes('there')) return 'done';
  const [before, last] = sights.slice(-2);
  if (absence !== 'settles' || before === undefined || last === undefined) return 'unknown';
  const isMissing = [before, last].every((one) => one.isQuiet && one.seen.get(request) === 'missing');
  return isMissing && before.print === last.print ? 'absent' : 'unknown';
}

/** What one reading of an account shows of the requests in question. */
export function sightOf(
  expected: ExpectedAccount,
  standingOf: (origin: Origin) => ReadStanding,
  held: PlatformAccount,
  { isQuiet, timeZone }: { readonly isQuiet: boolean; readonly timeZone?: string | undefined },
): Sight {
  const created = valueOf(held.createdAt);
  const createdOn = created === undefined ? undefined : dateOf(created, timeZone);
  const looks = lookersOf(expected, held).map((look) => look(standingOf, createdOn));
  const asked = looks.flatMap(({ found }) => found);
  // What lacks something that is there is behind, or about another account: nothing of it is believed.
  const isBelieved = looks.every(({ lacksKnown }) => !lacksKnown);
  const seen = new Map<string, Seen>();
  for (const { request } of asked) {
    const own = asked.filter((one) => one.request === request).map((one) => one.seen);
    seen.set(request, isBelieved ? together(own) : 'unclear');
  }
  return { seen, print: looks.map(({ print }) => print).join('\n'), isQuiet };
}

/** A kind of items: what is expected, what is held, and which values say that one is the other. */
interface Kind<Value extends string> {
  readonly expected: readonly Expected<Value>[];
  readonly held: readonly HeldItem<Value>[] | 'not-readable';
  /** An item is another one if one of these differs. */
  readonly values: readonly Value[];
  /** Without these nothing identifies an item. */
  readonly needed: readonly Value[];
  readonly pairing: Pairing<Value>;
  /** The date of something that the platform may have added since. */
  readonly when?: Value;
}

interface Look {
  readonly found: readonly { readonly request: string; readonly seen: Seen }[];
  readonly lacksKnown: boolean;
  readonly print: string;
}

type Looker = (standingOf: (origin: Origin) => ReadStanding, createdOn: string | undefined) => Look;

function lookersOf(expected: ExpectedAccount, held: PlatformAccount): readonly Looker[] {
  return [
    looker({
      expected: expectedNotes(expected.notes, valueOf(held.notes) ?? []),
      held: listOf(held.notes, comparableNotes),
      values: ['body', 'created'],
      needed: ['body'],
      pairing: { by: ['body', 'created'], least: 1 },
    }),
    looker({
      expected: expected.transactions,
      held: listOf(held.transactions, comparableTransactions),
      values: ['date', 'amount', 'type', 'document'],
      needed: ['date', 'amount'],
      pairing: { by: ['date', 'amount', 'type'], least: 2 },
      when: 'date',
    }),
    looker({
      expected: expected.bills,
      held: listOf(held.bills, (list) => [...list]),
      values: ['identifier', 'from', 'to', 'issued'],
      needed: ['from', 'to'],
      pairing: { by: ['identifier', 'from', 'to', 'issued'], least: 2 },
      when: 'issued',
    }),
    looker({
      expected: expected.agreements ?? [],
      held: listOf(held.agreements, (list) => [...list]),
      values: ['product', 'from', 'to', 'meterPoint'],
      needed: ['product', 'from'],
      pairing: { by: ['product', 'from'], least: 1 },
    }),
    looker({
      expected: expected.paymentInstructions,
      held: listOf(held.paymentInstructions, (list) =>
        comparableInstructions(list, expected.paymentInstructions),
      ),
      values: ['type', 'vendor', 'reference'],
      needed: ['type', 'vendor'],
      pairing: { by: ['type', 'vendor'], least: 1 },
    }),
  ];
}

function looker<Value extends string>(kind: Kind<Value>): Looker {
  return (standingOf, createdOn) => lookAt(kind, standingOf, createdOn);
}

function listOf<Item, To>(
  reading: ReadValue<readonly Item[]>,
  comparable: (items: readonly Item[]) => To[],
): To[] | 'not-readable' {
  return reading.kind === 'not-readable' ? reading.kind : comparable(valueOf(reading) ?? []);
}

/** Items among which one that is like another is looked for. */
const mostLeft = 300;

function lookAt<Value extends string>(
  { expected, held, values, needed, pairing, when }: Kind<Value>,
  standingOf: (origin: Origin) => ReadStanding,
  createdOn: string | undefined,
): Look {
  const items = expected.flatMap((item) => {
    const standing = standingOf(item.origin);
    return standing.is === 'unsent' ? [] : [{ ...item, isCertain: standing.is === 'known', standing }];
  });
  const asked = items.flatMap(({ standing, ...item }) =>
    standing.is === 'asked' ? [{ item, request: standing.request }] : [],
  );
  const all = (seen: Seen): Look => ({
    found: asked.map(({ request }) => ({ request, seen })),
    lacksKnown: false,
    print: '',
  });
  if (asked.length === 0 && !items.some(({ isCertain }) => isCertain)) return all('not-readable');
  if (held === 'not-readable') return all('not-readable');
  const { found, changed, missing, doubled, extra, hidden } = matchItems(items, held, values, pairing);
  const lacksKnown = missing.length > 0;
  const print = stringifyJson(held.map((item) => values.map((value) => heldText(item[value]))));
  const isHidden = [...hidden].some(([value, reason]) => reason !== notInSchema || needed.includes(value));
  if (isHidden) return { ...all('not-readable'), lacksKnown, print };

  const compared = values.filter((value) => !hidden.has(value));
  const keyOf = ({ values: wanted }: Pick<Expected<Value>, 'values'>) =>
    stringifyJson(compared.map((value) => (wanted[value] === undefined ? '' : expectedText(wanted[value]))));
  const isChanged = new Set(changed.map((one) => one.expected));
  const exact = new Set(found.filter((item) => !isChanged.has(item)).map(({ origin }) => origin));
  const leftOver = new Set([...extra, ...changed.map((one) => one.held)]);
  const isSince = (item: HeldItem<Value>) => {
    const date = when === undefined ? undefined : valueOf(item[when]);
    return createdOn !== undefined && typeof date === 'string' && date.slice(0, 10) >= createdOn;
  };
  const twins = new Set(doubled.filter((one) => !isSince(one.held)).map((one) => keyOf(one.expected)));

  function seenOf(item: Expected<Value>): Seen {
    const key = keyOf(item);
    const equal = items.filter((other) => !other.isCertain && keyOf(other) === key);
    const there = equal.filter(({ origin }) => exact.has(origin)).length;
    if (there === equal.length) return twins.has(key) ? 'doubled' : 'there';
    if (there > 0 || leftOver.size > mostLeft) return 'unclear';
    return nearestOf(item, leftOver, pairing, compared) === undefined ? 'missing' : 'unclear';
  }

  return { found: asked.map(({ item, request }) => ({ request, seen: seenOf(item) })), lacksKnown, print };
}

/** The reason of a value that the configured schema does not have. */
const notInSchema = 'not_configured';

function together(seen: readonly Seen[]): Seen {
  for (const one of ['not-readable', 'unclear'] as const) if (seen.includes(one)) return one;
  if (seen.includes('missing')) return seen.every((one) => one === 'missing') ? 'missing' : 'unclear';
  return seen.includes('doubled') ? 'doubled' : 'there';
}
