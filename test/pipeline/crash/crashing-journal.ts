import type { Journal, LeaseHeld, LeaseTaken } from '../../../src/journal/journal.ts';
import type { RunGroups } from '../../../src/journal/run-groups.ts';
import type { Life, World } from './world.ts';

/** Told of each point at which a process may end; after a write, with what came of it. */
export type Fate = (point: string, outcome?: unknown) => void;

/**
 * A journal whose writes become durable one by one, in their order, and whose process may end before and after each: so
 * every beginning of what was written is what some crash leaves, however an engine gathers writes.
 */
export function crashingJournal(inner: Journal, world: World, life: Life, fate: Fate): Journal {
  let before: Promise<unknown> = Promise.resolve();

  function write<T>(name: string, work: () => Promise<T>): Promise<T> {
    const written = before.then(async () => {
      world.stir();
      fate(`before ${name}`);
      await life.breath();
      const value = await world.during(work);
      world.stir();
      fate(`after ${name}`, value);
      await life.breath();
      return value;
    });
    before = written.catch(() => undefined);
    return written;
  }

  async function read<T>(work: () => Promise<T>): Promise<T> {
    await before;
    await life.breath();
    world.stir();
    return world.during(work);
  }

  async function* stream<T>(work: () => AsyncIterable<T>): AsyncGenerator<T> {
    await before;
    await life.breath();
    const all = work()[Symbol.asyncIterator]();
    for (let next = await world.during(() => all.next()); next.done !== true;) {
      yield next.value;
      next = await world.during(() => all.next());
    }
  }

  function crashingGroups(groups: RunGroups): RunGroups {
    return {
      join: (order, isDead) => write('join', () => groups.join(order, isDead)),
      turn: (joined, report, isDead) => write('turn', () => groups.turn(joined, report, isDead)),
      reopen: (joined, numbers) => write('reopen', () => groups.reopen(joined, numbers)),
      results: (joined) => read(() => groups.results(joined)),
      living: () => read(() => groups.living()),
      runsWith: (run) => read(() => groups.runsWith(run)),
      leave: (joined) => write('leave', () => groups.leave(joined)),
    };
  }

  return {
    ...(inner.groups === undefined ? {} : { groups: crashingGroups(inner.groups) }),
    location: inner.location,
    upgrades: inner.upgrades,
    readBack: inner.readBack,
    items: inner.items,
    takeMark: (at) => write('takeMark', () => inner.takeMark(at)),
    compareMark: () => read(() => inner.compareMark()),
    whereabouts: (at) => read(() => inner.whereabouts(at)),
    startRun: (start) => write('startRun', () => inner.startRun(start)),
    notePace: (run, pace) => write('notePace', () => inner.notePace(run, pace)),
    recordedUntil: (run, codes) => read(() => inner.recordedUntil(run, codes)),
    finishRun: (run, end) => write('finishRun', () => inner.finishRun(run, end)),
    recordFinished: (finished) => write('recordFinished', () => inner.recordFinished(finished)),
    finishedRuns: (platform) => read(() => inner.finishedRuns(platform)),
    takeLease: (lease, now, expiresAt, isDead): Promise<LeaseTaken | LeaseHeld> =>
      write('takeLease', () => inner.takeLease(lease, now, expiresAt, isDead)),
    renewLease: (platform, supplier, epoch, now, expiresAt) =>
      write('renewLease', () => inner.renewLease(platform, supplier, epoch, now, expiresAt)),
    releaseLease: (platform, supplier, epoch) =>
      write('releaseLease', () => inner.releaseLease(platform, supplier, epoch)),
    open: (platform, key, from) => write('open', () => inner.open(platform, key, from)),
    enter: (platform, from, keys) => write('enter', () => inner.enter(platform, from, keys)),
    beginReading: (platform, from, accounts) =>
      write('beginReading', () => inner.beginReading(platform, from, accounts)),
    endReading: (platform, from) => write('endReading', () => inner.endReading(platform, from)),
    countFrom: (platform, from) => read(() => inner.countFrom(platform, from)),
    unanswered: (platform, supplier) => read(() => inner.unanswered(platform, supplier)),
    accountsFrom: (platform, from) => stream(() => inner.accountsFrom(platform, from)),
    supersede: (id, hash, fix) => write('supersede', () => inner.supersede(id, hash, fix)),
    superseded: (id, hash) => read(() => inner.superseded(id, hash)),
    noteSupersededTold: (id, hash) => write('noteSupersededTold', () => inner.noteSupersededTold(id, hash)),
    recognise: (platform, from, accounts) => read(() => inner.recognise(platform, from, accounts)),
    noteRows: (notes) => write('noteRows', () => inner.noteRows(notes)),
    accountsChangedIn: (platform, supplier, run) =>
      stream(() => inner.accountsChangedIn(platform, supplier, run)),
    markAbsent: (ids) => write('markAbsent', () => inner.markAbsent(ids)),
    intend: (part, intent) => write(`intend ${part.step} ${part.part}`, () => inner.intend(part, intent)),
    settle: (part, settlement) =>
      write(`settle ${part.step} ${part.part} ${settlement.state}`, () => inner.settle(part, settlement)),
    recordSent: (part, intent, settlement) =>
      write(`record ${part.step} ${part.part} ${settlement.state}`, () =>
        inner.recordSent(part, intent, settlement),
      ),
    change: (accountId, change) =>
      write(`change ${JSON.stringify(change)}`, () => inner.change(accountId, change)),
    setProblems: (accountId, problems) => write('setProblems', () => inner.setProblems(accountId, problems)),
    setPartCells: (accountId, cells) => write('setPartCells', () => inner.setPartCells(accountId, cells)),
    markRestored: (at, by) => write('markRestored', () => inner.markRestored(at, by)),
    markDoubted: (at) => write('markDoubted', () => inner.markDoubted(at)),
    find: (platform, key) => read(() => inner.find(platform, key)),
    holders: (platform, number) => read(() => inner.holders(platform, number)),
    sharedNumbers: (platform) => stream(() => inner.sharedNumbers(platform)),
    overview: (platform) => read(() => inner.overview(platform)),
    lastTroubles: (platform, supplier) => read(() => inner.lastTroubles(platform, supplier)),
    platforms: () => read(() => inner.platforms()),
    runs: (limit) => stream(() => inner.runs(limit)),
    sameBootSince: (run, boot, grainMs) => read(() => inner.sameBootSince(run, boot, grainMs)),
    attempts: (accountId) => stream(() => inner.attempts(accountId)),
    problems: (accountId) => stream(() => inner.problems(accountId)),
    partCells: (accountId) => stream(() => inner.partCells(accountId)),
    interventions: () => stream(() => inner.interventions()),
    interventionsOn: (accountId) => stream(() => inner.interventionsOn(accountId)),
    accounts: (platform, supplier, states) => stream(() => inner.accounts(platform, supplier, states)),
    close: () => inner.close(),
  };
}
