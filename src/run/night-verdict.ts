import type { Config } from '../config/load-config.ts';
import type { Environment } from '../host/environment.ts';
import { notOurs } from '../domain/shared-codes.ts';
import type { Journal, RunEntry, SupplierOverview, Unanswered } from '../journal/journal.ts';
import type { JournalStore } from '../journal/store.ts';
import { failureGroups } from '../report/failures/failure-groups.ts';
import { warnedAccounts } from '../report/failures/warned-accounts.ts';
import { booksByPlatform } from '../report/morning/changed-platform.ts';
import { judgeNight } from '../report/morning/judge-night.ts';
import { nightOfSuppliers } from '../report/morning/nights-of-suppliers.ts';
import type { NightVerdict, SupplierNight } from '../report/morning/verdict.ts';
import { morningAnswers, morningHeadline, nextCommand } from '../report/morning/morning-text.ts';
import type { LastReconciled } from '../report/reconciliation/last-reconciled.ts';
import { zoneForPeople } from '../report/format.ts';
import type { NightTold } from '../telemetry/run-observer.ts';
import { attributedRuns } from './attributed-runs.ts';
import { runningAmong } from './running-runs.ts';
import { journalOf } from './session/journal-of.ts';
import { keptReconciled } from './session/reconciled-file.ts';

/** Runs that show how often the nights are. */
const mostRuns = 200;

/** Of whom, and when. */
interface Moment {
  readonly supplier?: string | undefined;
  readonly now: number;
  /** Bytes that the disk of the journal has left; absent if it is on another machine. */
  readonly free?: number | undefined;
  /** The last comparisons of suppliers on this machine; default: none. */
  readonly reconciled?: readonly LastReconciled[];
  /** The run that asks; absent: the night of all runs is meant. */
  readonly ofRun?: number | undefined;
}

type RunningAmong = (runs: readonly RunEntry[]) => Promise<ReadonlySet<number>>;

/**
 * Judges the last night of a book, or of each book of a journal, from the journal alone. `runningAmong`: which of these runs have a living
 * process.
 */
export async function nightVerdict(
  journal: Journal,
  moment: Moment,
  runningAmong: RunningAmong,
): Promise<NightVerdict> {
  const whole = await verdictOf(journal, moment, runningAmong);
  if (moment.supplier !== undefined || whole.suppliers.length < 2) return whole;
  const nights: SupplierNight[] = [];
  for (const supplier of whole.suppliers)
    nights.push({ supplier, verdict: await verdictOf(journal, { ...moment, supplier }, runningAmong) });
  return nightOfSuppliers(whole, nights, moment.ofRun);
}

async function verdictOf(
  journal: Journal,
  { supplier, now, free, reconciled = [] }: Moment,
  runningAmong: RunningAmong,
): Promise<NightVerdict> {
  const all: RunEntry[] = [];
  for await (const run of journal.runs(mostRuns)) all.push(run);
  const recorded = await journal.overview();
  const runs = (await attributedRuns(journal, recorded, all)).filter(
    (run) => supplier === undefined || run.supplier === undefined || run.supplier === supplier,
  );
  // Rehearsals do not count where there is a platform.
  const hasReal = runs.some(({ platformLabel }) => platformLabel !== 'embedded');
  const overview = recorded.filter((one) => supplier === undefined || one.supplier === supplier);
  const books = hasReal ? overview.filter(({ platformLabel }) => platformLabel !== 'embedded') : overview;
  const { here: suppliers, elsewhere } = booksByPlatform(books, runs);
  const running = await runningAmong(runs);
  const doubled = await doubledOf(journal, books);
  const { requests: unanswered, gone: unansweredGone } = await unansweredOf(journal, books);
  const failures = await failureGroups(journal, suppliers, runs);
  const ruledNotOurs = await ruledIn(journal, suppliers);
  const warned = await warnedAccounts(journal, suppliers);
  const ruledAt = await ruledAtIn(journal);
  const provedAt = comparedAtOf(suppliers, reconciled, ({ differences }) => differences === 0);
  const comparedAt = comparedAtOf(suppliers, reconciled, () => true);
  const hasOthers = recorded.some((one) => supplier !== undefined && one.supplier !== supplier);
  const found = {
    hasOthers,
    ruledAt,
    provedAt,
    intervenedAt: await intervenedAtIn(journal),
    comparedAt,
    doubled,
    unanswered,
    unansweredGone,
    ruledNotOurs,
    warned,
    failures,
    free,
  };
  return judgeNight({ runs, running, suppliers, elsewhere, ...found, now });
}

/** Accounts that share a platform number. */
async function doubledOf(
  journal: Journal,
  suppliers: readonly { readonly platform: string }[],
): Promise<number> {
  let doubled = 0;
  for (const platform of new Set(suppliers.map((one) => one.platform)))
    for await (const { accounts } of journal.sharedNumbers(platform)) doubled += accounts.length;
  return doubled;
}

/** Requests that were sent and have no outcome. */
async function unansweredOf(journal: Journal, suppliers: readonly SupplierOverview[]): Promise<Unanswered> {
  let [requests, gone] = [0, 0];
  for (const { platform, supplier } of suppliers) {
    const found = await journal.unanswered(platform, supplier);
    requests += found.requests;
    gone += found.gone;
  }
  return { requests, gone };
}

/** When the last ruling was recorded. */
async function ruledAtIn(journal: Journal): Promise<number | undefined> {
  for await (const { command, at } of journal.interventions()) if (command === 'resolve') return at;
  return undefined;
}

/** When the last intervention was recorded: a ruling, a retry or a restore. */
async function intervenedAtIn(journal: Journal): Promise<number | undefined> {
  for await (const { at } of journal.interventions()) return at;
  return undefined;
}

/** When the first of these books was compared with its export last, in one of these ways; undefined if one never was. */
function comparedAtOf(
  suppliers: readonly SupplierOverview[],
  reconciled: readonly LastReconciled[],
  counts: (last: LastReconciled) => boolean,
): number | undefined {
  const times = suppliers.map(({ platform, supplier }) => {
    const last = reconciled.find((one) => one.platform === platform && one.supplier === supplier);
    return last === undefined || last.export === null || !counts(last) ? 0 : last.at;
  });
  const oldest = Math.min(...times);
  return times.length === 0 || oldest === 0 ? undefined : oldest;
}

/** Skipped accounts that a person ruled to be somebody else's. */
async function ruledIn(journal: Journal, suppliers: readonly SupplierOverview[]): Promise<number> {
  let ruled = 0;
  for (const { platform, supplier, accounts } of suppliers) {
    if (accounts.skipped === 0) continue;
    for await (const { code } of journal.accounts(platform, supplier, ['skipped']))
      if (code === notOurs) ruled += 1;
  }
  return ruled;
}

/** The verdict where the journal is gone, or none was ever made. */
export function verdictWithoutJournal(isGone: boolean, now: number): NightVerdict {
  const none = judgeNight({
    runs: [],
    running: new Set(),
    suppliers: [],
    elsewhere: [],
    doubled: 0,
    unanswered: 0,
    ruledNotOurs: 0,
    warned: { accounts: 0, byCode: [] },
    failures: [],
    now,
  });
  return isGone ? { ...none, reason: 'no-journal', exit: 2 } : none;
}

/** Bytes that the disk of a journal has left; undefined if it is on another machine, or cannot be written. */
export async function freeFor(store: Pick<JournalStore, 'room'>): Promise<number | undefined> {
  const room = await store.room();
  return room.kind === 'writable' ? room.free : undefined;
}

/**
 * What `migrate morning` would say now that a run has ended, for its observers; undefined if the journal cannot be read. `ended`: its
 * id, absent if it was not recorded. What it could not release, as on a full disk, is no run under way.
 */
export async function nightAfter(
  environment: Environment,
  config: Config,
  ended: number | undefined,
): Promise<NightTold | undefined> {
  const { supplier, timeZone } = config;
  try {
    const store = journalOf(environment, config);
    if (!(await store.exists())) {
      if (!(await store.isGone())) return undefined;
      return toldOf(verdictWithoutJournal(true, environment.clock.now()), config);
    }
    const journal = await store.open({ create: false, reading: true });
    try {
      const [free, reconciled] = [await freeFor(store), await keptReconciled(config)];
      const moment = { supplier, now: environment.clock.now(), free, reconciled, ofRun: ended };
      return toldOf(
        await nightVerdict(journal, moment, async (runs) => {
          const running = await runningAmong(environment, config, journal, runs);
          return new Set([...running].filter((id) => id !== ended));
        }),
        config,
        timeZone,
      );
    } finally {
      await journal.close();
    }
  } catch {
    return undefined;
  }
}

function toldOf(
  verdict: NightVerdict,
  { supplier, profile }: Pick<Config, 'supplier' | 'profile'>,
  timeZone?: string,
): NightTold {
  const { good, reason, exit, lost, doubled, uncertain, run } = verdict;
  const headline = morningHeadline(verdict);
  const flags = { supplier, ...(profile === undefined ? {} : { profile }) };
  const next = nextCommand(verdict, flags);
  const lines = [headline, ...morningAnswers(verdict, zoneForPeople(timeZone), flags), `Next: ${next}`];
  const text = lines.join('\n');
  return { run: run?.id ?? null, good, reason, exit, headline, lost, doubled, uncertain, next, text };
}
