import type { Decimal } from '../domain/decimal.ts';
import type { Expectation, Expected } from './expected-account.ts';
import type { ReadValue } from './platform-account.ts';

/** An item as the platform holds it, by the names of the expected values. */
export type HeldItem<Value extends string> = Readonly<Record<Value, ReadValue<string | Decimal | boolean>>>;

export interface Matching<Value extends string> {
  /** Expected and held items of which some values differ. */
  readonly changed: readonly {
    readonly expected: Expected<Value>;
    readonly held: HeldItem<Value>;
    readonly values: readonly Value[];
  }[];
  readonly missing: readonly Expected<Value>[];
  /** Held once more than expected. */
  readonly doubled: readonly { readonly expected: Expected<Value>; readonly held: HeldItem<Value> }[];
  readonly extra: readonly HeldItem<Value>[];
  /** Expected items that are there, whole or changed. */
  readonly found: readonly Expected<Value>[];
  /** Values that were expected and that the platform does not let be read, with the reason. */
  readonly hidden: ReadonlyMap<Value, string>;
}

/** How items are paired that are not equal. */
export interface Pairing<Value extends string> {
  /** The values by which one of two items may be the other, changed. */
  readonly by: readonly Value[];
  /** How many of them must agree; of those that are compared, one may always differ. */
  readonly least: number;
}

/** Pairs that are looked for among so many items only. */
const mostUnpaired = 300;

/** Matches what is expected with what is held, each item once. A value that cannot be read is not compared. */
export function matchItems<Value extends string>(
  expected: readonly Expected<Value>[],
  held: readonly HeldItem<Value>[],
  values: readonly Value[],
  pairing: Pairing<Value>,
): Matching<Value> {
  const hidden = new Map<Value, string>();
  const isExpected = (value: Value) => expected.some((item) => item.values[value] !== undefined);
  for (const value of values)
    for (const item of held) {
      const reading = item[value];
      if (reading.kind === 'not-readable' && isExpected(value)) hidden.set(value, reading.reason);
    }
  const compared = values.filter((value) => !hidden.has(value));
  const valuesOf = (item: Expected<Value>) => compared.filter((value) => item.values[value] !== undefined);

  const left = new Set(held);
  const found: Expected<Value>[] = [];
  const open: Expected<Value>[] = [];
  const byMask = grouped(
    // Those that must be there have the first choice, and of them those that are known best.
    [...expected].sort(
      (a, b) => Number(b.isCertain) - Number(a.isCertain) || valuesOf(b).length - valuesOf(a).length,
    ),
    (item) => `${item.isCertain}/${valuesOf(item).join()}`,
  );
  const keys = new Map<Expected<Value>, string>();
  for (const items of byMask.values()) {
    const mask = valuesOf(items[0] as Expected<Value>);
    const candidates = grouped(left, (item) => keyOf(mask.map((value) => heldText(item[value]))));
    for (const item of items) {
      const key = keyOf(mask.map((value) => expectedText(item.values[value])));
      keys.set(item, key);
      const match = candidates.get(key)?.pop();
      if (match === undefined) open.push(item);
      else {
        left.delete(match);
        found.push(item);
      }
    }
  }

  const doubled: { expected: Expected<Value>; held: HeldItem<Value> }[] = [];
  const twins = new Map(found.map((item) => [`${valuesOf(item).join()} ${keys.get(item) ?? ''}`, item]));
  const masks = [...new Set(found.map((item) => valuesOf(item).join()))];
  for (const item of left)
    for (const mask of masks) {
      const texts = mask === '' ? [] : (mask.split(',') as Value[]).map((value) => heldText(item[value]));
      const twin = twins.get(`${mask} ${keyOf(texts)}`);
      if (twin === undefined || doubled.some((one) => one.held === item)) continue;
      doubled.push({ expected: twin, held: item });
    }
  for (const { held: item } of doubled) left.delete(item);

  const changed: { expected: Expected<Value>; held: HeldItem<Value>; values: readonly Value[] }[] = [];
  const missing: Expected<Value>[] = [];
  const isFew = open.length <= mostUnpaired && left.size <= mostUnpaired;
  for (const item of open) {
    const pair = isFew ? nearestOf(item, left, pairing, compared) : undefined;
    if (pair === undefined) {
      if (item.isCertain) missing.push(item);
      continue;
    }
    left.delete(pair);
    found.push(item);
    const differing = valuesOf(item).filter(
      (value) => heldText(pair[value]) !== expectedText(item.values[value]),
    );
    changed.push({ expected: item, held: pair, values: differing });
  }
  return { changed, missing, doubled, extra: [...left], found, hidden };
}

/** The item that is most like another one by these values; undefined if none is. */
export function nearestOf<Value extends string>(
  item: Expected<Value>,
  left: ReadonlySet<HeldItem<Value>>,
  { by, least }: Pairing<Value>,
  compared: readonly Value[],
): HeldItem<Value> | undefined {
  const comparable = by.filter((value) => compared.includes(value));
  const needed = Math.max(1, Math.min(least, comparable.length - 1));
  let [best, most] = [undefined as HeldItem<Value> | undefined, needed - 1];
  for (const held of left) {
    let agree = 0;
    for (const value of comparable) {
      const wanted = item.values[value];
      if (wanted == null) continue;
      // The amount of a changed sign is the same amount.
      if (unsigned(heldText(held[value])) === unsigned(expectedText(wanted))) agree += 1;
    }
    if (agree > most) [best, most] = [held, agree];
  }
  return best;
}

/** Nothing, or a text that no other value has. */
export function expectedText(value: Expectation | undefined): string {
  if (value === undefined || value === null) return '-';
  if (typeof value === 'object') return `#${value.toFixed()}`;
  return `=${String(value)}`;
}

export function heldText(reading: ReadValue<string | Decimal | boolean>): string {
  return reading.kind === 'present' ? expectedText(reading.value) : '-';
}

function unsigned(text: string): string {
  return text.startsWith('#-') ? `#${text.slice(2)}` : text;
}

function keyOf(texts: readonly string[]): string {
  return JSON.stringify(texts);
}

function grouped<Item>(items: Iterable<Item>, keyed: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyed(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
