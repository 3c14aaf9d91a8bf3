import { expect, it } from 'vitest';
import type { AccountEntry, RunEntry } from '../../src/journal/journal.ts';
import { attributedRuns } from '../../src/run/attributed-runs.ts';
import { entry } from '../report/fixture.ts';

const run = (id: number, place: string): RunEntry => ({
  ...{ id, platform: 'p', platformLabel: 'p', dryRun: false, export: place, startedAt: 0 },
  facts: { rehearsal: false, unattended: true, given: given(place) },
});

function given(place: string) {
  return {
    place,
    accounts: 1,
    files: [],
    sample: [],
    mapping: [],
    codeTables: [],
    contract: [],
    settings: {},
  };
}

/** The exports that the accounts of each supplier were read from. */
const read: Readonly<Record<string, readonly string[]>> = { GAS: ['/gas', '/both'], POWER: ['/both'] };
const journal = {
  async *accounts(_platform: string, supplier: string): AsyncGenerator<AccountEntry> {
    yield* (await Promise.resolve(read[supplier] ?? [])).map((from) => ({ ...entry, from }));
  },
};
const suppliers = Object.keys(read).map((supplier) => ({ platform: 'p', supplier }));

it('a run is of the supplier whose export it read, if that is of one supplier alone', async () => {
  const runs = await attributedRuns(journal, suppliers, [run(1, '/gas'), run(2, '/both'), run(3, '/new')]);
  expect(runs.map(({ supplier }) => supplier)).toEqual(['GAS', undefined, undefined]);
});

it('a run that did not read its export is of the supplier of one that was given the same', async () => {
  const unread = { ...run(4, '/gas'), facts: { rehearsal: false, unattended: true } };
  const runs = await attributedRuns(journal, suppliers, [unread, run(1, '/gas')]);
  expect(runs.map(({ supplier }) => supplier)).toEqual(['GAS', 'GAS']);
});

it('in a journal of one supplier nothing is read, and every run is of it', async () => {
  const runs = [run(1, '/gas')];
  const unread = { accounts: () => expect.unreachable() };
  expect(await attributedRuns(unread, suppliers.slice(0, 1), runs)).toBe(runs);
});
