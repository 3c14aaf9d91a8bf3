import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extraStepNames } from '../../../src/domain/steps.ts';
import type { AccountSpec, Item } from './accounts.ts';
import { play, type OpenJournal, type Played } from './play.ts';
import {
  faults,
  schedules,
  type Ending,
  type Fault,
  type Loss,
  type Round,
  type Schedule,
} from './schedule.ts';

/** How many random schedules are played, and how to play some again; the command of this suite passes it on. */
export interface RandomPart {
  readonly schedules: number;
  readonly seed: number;
  /** Of a failure that was printed: plays that one alone. */
  readonly path?: string;
  readonly tell: (line: string) => void;
}

/** Schedules on one journal: it grows with each, and some questions read all of it. */
const schedulesPerJournal = 50;
/** Schedules after which a line tells how far it is. */
const schedulesPerLine = 1000;

const twoPlain: readonly Item[] = [0, 1].map((id) => ({ id, version: 0, isUnwanted: false, isPlain: true }));
const two: readonly Item[] = twoPlain.map((item) => ({ ...item, isPlain: false }));

function accountWith(items: readonly Item[]): AccountSpec {
  const ofEach = extraStepNames.map((step) => [
    step,
    step === 'payment-instruction' ? items.slice(1) : items,
  ]);
  return {
    version: 0,
    isUnwanted: false,
    isFaulty: false,
    isForeign: false,
    items: Object.fromEntries(ofEach) as AccountSpec['items'],
  };
}

const calm: Round = {
  downtimeMs: 0,
  isAttended: false,
  edits: [],
  isDryRun: false,
  steps: undefined,
  requestSize: 10,
  clockJumps: [],
  faults: [],
  doublesFrom: undefined,
  stretch: undefined,
  ending: undefined,
  wakeAt: 1000,
  copyAt: undefined,
  loss: undefined,
};

function taken(how: Loss['how']): Loss {
  return { how, at: undefined, copy: 0, isSavedPutBack: false };
}

/** A platform that recognises whatever it is sent again. */
const kind: Schedule = {
  ways: {
    keepsEarlierTransactions: true,
    refusesKnownStatements: true,
    recognisesAgreements: true,
    refusesKnownInstruction: false,
    dialect: 'dotted',
  },
  checkPreviouslyAdded: true,
  billingRefusalCountsAsOurs: true,
  concurrency: 1,
  isSlow: false,
  accounts: [accountWith(two)],
  rounds: [calm],
};

/** One that recognises nothing that the interface does not make it recognise. */
const strict: Schedule = {
  ...kind,
  ways: {
    keepsEarlierTransactions: false,
    refusesKnownStatements: false,
    recognisesAgreements: false,
    refusesKnownInstruction: true,
    dialect: 'fields',
  },
  checkPreviouslyAdded: false,
  billingRefusalCountsAsOurs: false,
  accounts: [accountWith(twoPlain)],
};

/**
 * What the pipeline owes whatever breaks, with a journal of any engine. `makeJournal`: another one, empty; what it gives
 * opens it anew.
 */
export function crashSuite(name: string, makeJournal: () => OpenJournal, random: RandomPart): void {
  // What fails once has failed, whoever repeats other tests: the next try plays another moment.
  describe(name, { retry: 0 }, () => {
    const open = makeJournal();
    let played = 0;
    const playOne = (schedule: Schedule) => play(schedule, open, `platform ${(played += 1)}`);

    /** Plays the schedule with its first run ending at each of its points. */
    async function atEachPoint(schedule: Schedule, how: Ending['how'], then: Round): Promise<Played[]> {
      const { points } = await playOne(schedule);
      expect(points).toBeGreaterThan(50);
      const all: Played[] = [];
      for (let at = 0; at < points; at += 1)
        all.push(await playOne({ ...schedule, rounds: [{ ...calm, ending: { how, at } }, then] }));
      return all;
    }

    const aLongTime = { ...calm, downtimeMs: 200_000 };

    it('a run killed before or after any write or request is completed by the next, without a person', async () => {
      for (const { rulings, kills } of await atEachPoint(kind, 'kill', calm))
        expect({ rulings, kills }).toEqual({ rulings: 0, kills: 1 });
    });

    it('what no platform could tell apart is left to a person after a kill, and to nobody else', async () => {
      const all = await atEachPoint(strict, 'kill', calm);
      // One point in time cannot be seen in two requests, and most lie outside of any.
      expect(Math.max(...all.map(({ rulings }) => rulings))).toBe(1);
      expect(all.filter(({ rulings }) => rulings === 1).length).toBeLessThan(all.length / 2);
    });

    it('a run that stood still at any point does nothing beside the one that took over', async () => {
      await atEachPoint(kind, 'stall', { ...aLongTime, wakeAt: 12 });
      await atEachPoint(strict, 'stall', aLongTime);
    });

    it('a run interrupted at any point, once or twice, goes on where it stopped', async () => {
      for (const { rulings } of await atEachPoint(kind, 'interrupt', calm)) expect(rulings).toBe(0);
      await atEachPoint(strict, 'interrupt-twice', calm);
    });

    /** Plays one schedule for each point of a run on a file: one in so many of them, as opening files takes its time. */
    async function atSomePoints(schedule: Schedule, roundsAt: (at: number) => Round[]): Promise<Played[]> {
      // What does nothing makes the journal one on a file, whose run has points of its own.
      const idle: Round = { ...calm, loss: { ...taken('put back'), at: undefined } };
      const { points } = await playOne({ ...schedule, rounds: [idle] });
      const all: Played[] = [];
      for (let at = 1; at < points; at += 4) all.push(await playOne({ ...schedule, rounds: roundsAt(at) }));
      return all;
    }

    it('a journal that is put back from a copy of any moment of a run repeats nothing that it cannot', async () => {
      const rounds = (at: number): Round[] => [
        { ...calm, copyAt: at },
        { ...calm, loss: taken('put back') },
      ];
      const all = await atSomePoints(kind, rounds);
      // A payment instruction that the copy has as sent is of unknown outcome twice: that is left to a person.
      expect(all.filter(({ rulings }) => rulings > 0).length).toBeLessThanOrEqual(1);
      for (const { journalsPutBack } of all) expect(journalsPutBack).toBe(1);
      for (const { journalsPutBack } of await atSomePoints(strict, rounds)) expect(journalsPutBack).toBe(1);
    });

    it('of a journal that is deleted, with or without its mark, the next one takes nothing for its own', async () => {
      for (const how of ['deleted', 'deleted with its mark'] as const)
        for (const { journalsDeleted } of await atSomePoints(strict, (at) => [
          { ...calm, ending: { how: 'kill', at } },
          { ...calm, loss: taken(how) },
        ]))
          expect(journalsDeleted).toBe(1);
    });

    it('a journal that is taken away under a run is noticed, and loses nothing once it is put back', async () => {
      for (const how of ['deleted', 'deleted with its mark'] as const)
        for (const { rulings, journalsDeleted } of await atSomePoints(strict, (at) => [
          { ...calm, loss: { ...taken(how), at, isSavedPutBack: true } },
        ])) {
          expect(journalsDeleted).toBe(1);
          if (how === 'deleted') expect(rulings).toBe(0);
        }
      await atSomePoints(strict, (at) => [{ ...calm, copyAt: at - 1, loss: { ...taken('put back'), at } }]);
    });

    it('a journal that misses its mark may be a copy, and repeats nothing that it cannot', async () => {
      const mislaid = await atSomePoints(strict, (at) => [
        calm,
        { ...calm, loss: { ...taken('left without its mark'), at } },
        { ...calm, loss: taken('left without its mark') },
      ]);
      for (const { marksLost } of mislaid) expect(marksLost).toBeGreaterThan(0);
    });

    // Of a proxy's pages, which are many, these stand for the others: random schedules play them all.
    const some = faults.filter((fault) => !fault.startsWith('page') || /^page (?:html|empty) /.test(fault));

    it.each(some)('%s at any request is made good', async (fault) => {
      for (const schedule of [kind, strict]) {
        const { requests } = await playOne(schedule);
        for (let n = 0; n < requests; n += 1) {
          const disturbed = { ...calm, faults: [[n, fault] satisfies [number, Fault]] };
          expect((await playOne({ ...schedule, rounds: [disturbed] })).faults).toBe(1);
        }
      }
    });

    /** Faults after which the effect of a request is unknown, and nothing else is in doubt. */
    const losing = some.filter(
      (fault) =>
        /^(?:reset|unreadable|http|late|drip|interim|page)/.test(fault) && fault !== 'http-500-before',
    );

    it.each(losing)(
      '%s at any request leaves nothing to a person, if the platform can be read',
      async (fault) => {
        const readable = { ...strict, readBack: { how: 'own-writes', absence: 'settles' } as const };
        const { requests } = await playOne(readable);
        for (let n = 0; n < requests; n += 1) {
          const disturbed = { ...calm, faults: [[n, fault] satisfies [number, Fault]] };
          const { rulings } = await playOne({ ...readable, rounds: [disturbed] });
          expect({ n, rulings }).toEqual({ n, rulings: 0 });
        }
      },
    );

    it(`${random.schedules} random schedules lose nothing and do nothing twice`, async () => {
      const total = new Map<string, number>();
      const { path, seed } = random;
      for (let from = 0; from < random.schedules; from += schedulesPerLine) {
        const numRuns = Math.min(schedulesPerLine, random.schedules - from);
        let openOther = open;
        let n = 0;
        const property = fc.asyncProperty(schedules, async (schedule) => {
          if (n % schedulesPerJournal === 0) openOther = makeJournal();
          const played = await play(schedule, openOther, `platform ${(n += 1)}`);
          for (const [what, count] of Object.entries({ ...played }))
            if (typeof count === 'number') total.set(what, (total.get(what) ?? 0) + count);
        });
        await fc.assert(property, { numRuns, seed: seed + from, ...(path === undefined ? {} : { path }) });
        const counts = [...total].filter(([what]) => what !== 'points');
        const said = counts.map(([what, count]) => `${count} ${what}`).join(', ');
        random.tell(`seed ${seed}: ${from + numRuns} schedules: ${said}; no violation`);
      }
    }, 86_400_000);
  });
}
