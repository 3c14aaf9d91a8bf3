// A journal that keeps nothing, so that what the guarantee costs can be measured against it.
import { stepNames } from '../../dist/domain/steps.js';

const steps = Object.fromEntries(stepNames.map((step) => [step, 'none']));
async function* nothing() {}

/** Every account is new to it, and every write is durable at once. */
export function noJournal() {
  let accounts = 0;
  const written = () => Promise.resolve();
  return {
    location: 'nowhere',
    startRun: async () => 1,
    sameBootSince: async () => 0,
    finishRun: written,
    recordFinished: written,
    takeLease: async () => ({ held: false, epoch: 1 }),
    renewLease: async () => true,
    releaseLease: written,
    find: async () => undefined,
    open: async (platform, key) => ({
      id: (accounts += 1),
      key,
      state: 'pending',
      code: '',
      steps,
      parts: [],
    }),
    intend: written,
    settle: written,
    recordSent: written,
    change: written,
    setProblems: written,
    enter: async (platform, from, keys) => keys.map(() => ({ id: 0, state: 'pending' })),
    beginReading: written,
    endReading: written,
    countFrom: async () => 0,
    unanswered: async () => 0,
    accountsFrom: nothing,
    markAbsent: written,
    recognise: async (platform, from, accounts) => accounts.map(() => ({ is: 'unknown' })),
    noteRows: written,
    accountsChangedIn: nothing,
    supersede: written,
    superseded: async () => undefined,
    noteSupersededTold: written,
    holders: async () => [],
    sharedNumbers: nothing,
    markRestored: written,
    runs: nothing,
    attempts: nothing,
    problems: nothing,
    setPartCells: written,
    partCells: nothing,
    interventions: nothing,
    interventionsOn: nothing,
    accounts: nothing,
    overview: async () => [],
    platforms: async () => [],
    close: written,
  };
}
