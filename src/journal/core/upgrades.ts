import type { UpgradeRecords } from '../safety/upgrade-records.ts';
import { after } from './answer.ts';
import type { Driver } from './driver.ts';
import { upgradeEntryOf } from './history-rows.ts';
import { pageSizes } from './pages.ts';
import type { SpellingRow } from './statements.ts';

/** The record of a journal's upgrades. */
export function upgradeRecordsOf(driver: Pick<Driver, 'read' | 'write'>): UpgradeRecords {
  return {
    all: () => driver.read(({ upgrades }) => after(upgrades.all(), (rows) => rows.map(upgradeEntryOf))),
    async *spellings(platform) {
      for (let last: SpellingRow | undefined; ;) {
        const page = await driver.read(({ upgrades }) => upgrades.pageSpellings(platform, last));
        if (page.length > 0) yield page.map(({ composed, number }) => ({ composed, number }));
        last = page.at(-1);
        if (page.length < pageSizes.spellings) return;
      }
    },
    rules: async () => (await driver.read(({ upgrades }) => upgrades.rules())) ?? 0,
    concluded: (rules, { at, by, accounts }) =>
      driver.write('none', ({ upgrades }) =>
        after(upgrades.setRules(rules), () => (accounts > 0 ? upgrades.add(at, by, accounts) : undefined)),
      ),
  };
}
