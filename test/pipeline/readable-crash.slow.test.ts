import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ofEachExtraStep } from '../../src/domain/steps.ts';
import { inMemoryJournal } from './crash/in-memory.ts';
import type { AccountSpec } from './crash/accounts.ts';
import { play } from './crash/play.ts';
import { account, faults, setting, type Fault, type Round, type Schedule } from './crash/schedule.ts';

const { CRASH_SCHEDULES = '400', CRASH_SEED = '46', CRASH_PATH: path } = process.env;

/** It grows with each, and some questions read all of it. */
const schedulesPerJournal = 50;

/** Faults after which only the effect of a request is unknown: the credentials, the journal and the account's own data are as they were. */
const losing = faults.filter(
  (fault) => /^(?:not-sent|reset|unreadable|http|late|drip|interim|page)/.test(fault) && fault !== 'late',
);

const round: fc.Arbitrary<Round> = fc.record({
  downtimeMs: fc.constantFrom(0, 2_000, 200_000),
  isAttended: fc.constant(false),
  edits: fc.constant([]),
  isDryRun: fc.constant(false),
  steps: fc.constant(undefined),
  requestSize: fc.constantFrom(10, 2, 1),
  clockJumps: fc.constant([]),
  faults: fc.array(fc.tuple(fc.nat({ max: 30 }), fc.constantFrom<Fault>(...losing)), {
    maxLength: 6,
    size: 'max',
  }),
  doublesFrom: fc.constant(undefined),
  stretch: fc.constant(undefined),
  // A run that is interrupted leaves what it is asking about to settle.
  ending: fc.option(fc.record({ how: fc.constant('kill' as const), at: fc.nat({ max: 80 }) }), {
    nil: undefined,
    freq: 2,
  }),
  wakeAt: fc.constant(1000),
  copyAt: fc.constant(undefined),
  loss: fc.constant(undefined),
});

/**
 * What reading can tell apart. Of a request that the platform took in part, and of notes without a text or of equal transactions, it
 * shows a part, or nothing: that is left to a person.
 */
function wanted(items: AccountSpec['items']): AccountSpec['items'] {
  return ofEachExtraStep((step) =>
    items[step]
      .slice(0, step === 'transactions' ? 1 : undefined)
      .map((item) => ({ ...item, isUnwanted: false, isPlain: item.isPlain && step !== 'notes' })),
  );
}

const schedules: fc.Arbitrary<Schedule> = fc.record({
  ...setting,
  concurrency: fc.constantFrom(1, 2, 3),
  readBack: fc.constant({ how: 'own-writes', absence: 'settles', isDisturbed: false } as const),
  accounts: fc.array(
    account.map((spec) => ({ ...spec, isForeign: false, isUnwanted: false, items: wanted(spec.items) })),
    { minLength: 1, maxLength: 3, size: 'max' },
  ),
  // The last run is not disturbed: what a killed one was about to ask, the next one asks.
  rounds: fc
    .tuple(fc.array(round, { minLength: 1, maxLength: 4, size: 'max' }), round)
    .map(([rounds, last]) => [...rounds, { ...last, downtimeMs: 200_000, faults: [], ending: undefined }]),
});

it(`${CRASH_SCHEDULES} random schedules of kills and lost answers leave nothing to a person where the platform shows its own writes`, async () => {
  const total = { schedules: 0, judged: 0, runs: 0, kills: 0, requests: 0, faults: 0 };
  let open = inMemoryJournal();
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      if (total.schedules % schedulesPerJournal === 0) open = inMemoryJournal();
      total.schedules += 1;
      const played = await play(schedule, open, `platform ${total.schedules}`);
      for (const name of ['runs', 'kills', 'requests', 'faults'] as const) total[name] += played[name];
      // Of what a gateway answered in the platform's own words, the platform has nothing: then nothing that it shows is believed.
      if (played.untellable > 0) return;
      total.judged += 1;
      expect(played.rulings, played.story.join('\n')).toBe(0);
    }),
    { numRuns: Number(CRASH_SCHEDULES), seed: Number(CRASH_SEED), ...(path === undefined ? {} : { path }) },
  );
  process.stdout.write(`seed ${CRASH_SEED}: ${JSON.stringify(total)}; nothing was left to a person\n`);
}, 86_400_000);
