import { isJsonObject, parseJson } from '../../domain/json.ts';
import { aboutStop, asStopReason } from '../../domain/stop-reason.ts';
import type { Budget, Joined } from '../../journal/run-groups.ts';
import type { Flow, Heard } from '../flow/flow.ts';
import type { LeaseSettings } from './leases.ts';
import type { RunInput, RunPorts } from './run-input.ts';
import { SharedBook } from './shared-book.ts';

/** Joins the runs that work on the same book; undefined if it is not to be shared. */
export async function joinBook(
  { shared, platform, place, fixes = [], lease, settings }: RunInput,
  { journal }: RunPorts,
  run: number,
): Promise<Joined | undefined> {
  if (shared === undefined || journal.groups === undefined) return undefined;
  const { owner, isDead, leaseMs, requestMs } = lease;
  const order = {
    ...{ platform, place, fixes, run, owner },
    book: shared.book,
    leaseMs: leaseMs + requestMs,
  };
  return journal.groups.join({ ...order, budget: budgetOf(settings) }, isDead);
}

function budgetOf({ concurrency, processConcurrency = concurrency, rate }: RunInput['settings']): Budget {
  return { concurrency, processConcurrency, rate: rate ?? null };
}

/** What a run does when the others of its book change its part. */
interface SharePorts {
  readonly flow: Flow;
  readonly lease: LeaseSettings;
  /** Resolves when everything that the run has gathered to write about accounts is written. */
  readonly settle: () => Promise<void>;
  /** Partitions came from other runs. */
  readonly tookOver: () => void;
  /** Another run has taken this one over. */
  readonly lost: () => void;
  /** Says which other runs work on the book. */
  readonly inform: (message: string) => void;
  /** Accounts of these partitions that the present pass has gone through. */
  readonly passedIn: (isIn: (partition: number) => boolean) => number;
  /** Accounts that all runs of the book have gone through. */
  readonly tell: (passed: number) => void;
}

/** The part of a joined book that this run drives. Nothing is sent until the first turn grants a share of the budget. */
export function shareBook(
  joined: Joined,
  { journal, clock, stop }: RunPorts,
  { flow, tell, ...ports }: SharePorts,
): SharedBook | undefined {
  const { groups } = journal;
  if (groups === undefined) return undefined;
  flow.limitTo({ concurrency: 0, processConcurrency: 0, rate: 0 });
  return new SharedBook(groups, joined, {
    ...{ ...ports, clock, draining: stop.draining },
    uses: () => flow.uses,
    limitTo: (granted) => flow.limitTo(granted),
    heard: (passed) => JSON.stringify({ ...flow.heard, passed }),
    hear: (texts, passed) => {
      const others = texts.map(heardIn);
      flow.hear(others);
      tell(others.reduce((sum, other) => sum + other.passed, passed));
    },
    stop: ({ reason, detail }) => {
      const known = asStopReason(reason);
      if (known !== undefined && aboutStop(known).isOfTheBook === true) stop.stop(known, detail);
    },
  });
}

function heardIn(text: string): Heard & { readonly passed: number } {
  const value = text === '' ? undefined : parseJson(text);
  if (!isJsonObject(value)) return { isDead: false, passed: 0 };
  const { isDead, requests, process, passed = 0 } = value;
  return {
    isDead: isDead === true,
    passed: Number(passed),
    requests: requests === undefined ? undefined : Number(requests),
    process: process === undefined ? undefined : Number(process),
  };
}
