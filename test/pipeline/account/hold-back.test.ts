import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountEntry, Journal, PartEntry, Settlement } from '../../../src/journal/journal.ts';
import { openJournal } from '../../../src/journal/sqlite/open-journal.ts';
import type { AccountProgress } from '../../../src/pipeline/account/account-progress.ts';
import { holdBack } from '../../../src/pipeline/account/hold-back.ts';
import type { RunContext } from '../../../src/pipeline/run/context.ts';
import { defaultSettings, planOf, rules } from '../harness.ts';
import { readyPlan } from '../ready-plan.ts';

const platform = 'https://platform.example';
const plan = readyPlan(
  planOf('1', {
    notes: [{ notes: [{ body: 'a' }] }],
    agreements: [{ agreement: { tariff_code: 'A' } }, { agreement: { tariff_code: 'B' } }],
    'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }],
  }),
  rules,
  defaultSettings,
);

let directory: string;
let journal: Journal;
let entry: AccountEntry;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hold-back-'));
  journal = openJournal(join(directory, 'journal.db'), { synchronous: 'NORMAL', create: true });
  entry = await journal.open(platform, plan.key);
});
afterEach(async () => {
  await journal.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The first agreement was sent at 1, and this came of it. */
const settled = (state: Settlement['state'], outcome: string) =>
  journal.recordSent(
    { accountId: entry.id, step: 'agreements', part: 0 },
    { hash: plan.requests('agreements')[0]?.hash ?? '', run: 1, at: 1 },
    { state, outcome, at: 1 },
  );

/** Holds back at 9, in the second run, what it knew of the account before; returns what it knows then. */
async function held(isAtRisk?: (prior: PartEntry | undefined) => boolean, at = platform) {
  const progress = { id: entry.id, parts: entry.parts } as AccountProgress;
  const context = {
    ...{ journal, platform: at, run: 2, settings: defaultSettings },
    clock: { now: () => 9 },
    record: (written: Promise<void>) => void written,
  } as unknown as RunContext;
  await holdBack(context, { plan, progress }, isAtRisk);
  return progress.parts;
}

const brief = (parts: readonly PartEntry[]) =>
  parts.map(({ step, part, state, run }) => `${step} ${part} ${state} ${run}`).sort();

const payment = 'payment-instruction 0 uncertain 2';
const agreements = (first: string) => [`agreements 0 ${first}`, 'agreements 1 uncertain 2', payment];

describe('what may have been sent, though the journal lacks it', () => {
  it('is left to a person with what it would have sent, unless the platform recognises it', async () => {
    const parts = await held();
    expect(brief(parts)).toEqual(agreements('uncertain 2'));
    const { hash } = plan.requests('agreements')[1] ?? {};
    expect(parts.find(({ part }) => part === 1)).toMatchObject({
      ...{ step: 'agreements', hash, run: 2, sentAt: 9, answeredAt: 9, attempt: 1 },
      ...{ state: 'uncertain', outcome: 'restored', code: 'journal_contradicted' },
    });
    expect((await journal.find(platform, plan.key))?.parts).toEqual(parts);
  });

  it.each<[string, Settlement['state'], string, string]>([
    ['arrived', 'done', 'ok', 'done 1'],
    ['was refused', 'refused', 'refused', 'refused 1'],
    ['has an unknown outcome', 'sent', 'unknown', 'sent 1'],
    ['a person wants sent again', 'failed', 'ruling', 'failed 1'],
    ['never left', 'failed', 'connection_refused', 'uncertain 2'],
  ])('is as it was if it %s in this run', async (_what, state, outcome, first) => {
    await settled(state, outcome);
    expect(brief(await held())).toEqual(agreements(first));
  });

  it('is what is said to be at risk', async () => {
    await settled('failed', 'ruling');
    expect(brief(await held((prior) => prior?.outcome === 'ruling'))).toEqual(['agreements 0 uncertain 2']);
  });

  it('is nothing of an account that the journal does not have', async () => {
    expect(await held(undefined, 'https://other.example')).toBe(entry.parts);
    expect((await journal.find(platform, plan.key))?.parts).toEqual([]);
  });
});
