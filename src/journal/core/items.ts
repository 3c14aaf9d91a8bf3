import type { PartState } from '../../domain/step-state.ts';
import type { ItemCounts, ItemEntry, ItemRecords } from '../item-records.ts';
import { after } from './answer.ts';
import { partStates } from './codes.ts';
import type { Driver } from './driver.ts';
import { Misuse } from './misuse.ts';
import { paged, pageSizes } from './pages.ts';
import type { ItemCountRow, ItemRow } from './statements.ts';

/** The record of the items of steps that a profile adds. */
export function itemRecordsOf(driver: Pick<Driver, 'read' | 'write'>): ItemRecords {
  return {
    find: (ref) =>
      driver.read(({ items }) =>
        after(items.find(ref), (row) => ({
          entry: row?.state == null ? undefined : itemEntryOf(row),
          isInDoubt: (row?.restore ?? 0) < (row?.latest ?? 0),
        })),
      ),
    intend: (ref, intent) => driver.write('fencedAndPlaced', ({ items }) => items.intend(ref, intent)),
    settle: (ref, { state, ...settlement }) =>
      driver.write('fenced', ({ items }) =>
        items.settle(ref, { ...settlement, state: partStates.of[state] }),
      ),
    rule: (ref, as, at) => driver.write('none', ({ items }) => items.rule(ref, partStates.of[as], at)),
    counts: (platform) => driver.read(({ items }) => after(items.counts(platform), countsOf)),
    unfinished: (platform, step) =>
      paged<ItemEntry>(pageSizes.accounts, async (last) =>
        (await driver.read(({ items }) => items.page(platform, step, last?.item))).map(itemEntryOf),
      ),
  };
}

/** A request must not leave whose intent was not recorded. */
export function unknownPlatform(platform: string): Misuse {
  return new Misuse(`The journal has no platform ${platform}, so an item of it cannot be recorded.`);
}

function itemEntryOf(row: ItemRow): ItemEntry {
  return {
    ...{ platform: row.platform, step: row.step, item: row.item },
    state: partStates.name(row.state),
    ...{ hash: row.hash, attempt: row.attempt, lost: row.lost, run: row.run, sentAt: row.sent_at },
    answeredAt: row.took === null ? undefined : row.sent_at + row.took,
    outcome: row.outcome ?? undefined,
    status: row.status ?? undefined,
    code: row.code ?? undefined,
    words: row.words ?? undefined,
  };
}

function countsOf(rows: readonly ItemCountRow[]): readonly ItemCounts[] {
  const counts = new Map<string, { platform: string; step: string; items: Record<PartState, number> }>();
  for (const { platform, step, state, items } of rows) {
    const name = `${platform}\n${step}`;
    const none = { sent: 0, done: 0, refused: 0, failed: 0, uncertain: 0 };
    const of = counts.get(name) ?? { platform, step, items: none };
    of.items[partStates.name(state)] = items;
    counts.set(name, of);
  }
  return [...counts.values()];
}
