import { heldAs } from '../../domain/added-step.ts';
import { place } from '../../domain/cell.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Problem } from '../../domain/problem.ts';
import { Leases, type LeaseSettings } from '../run/leases.ts';
import type { RunContext } from '../run/context.ts';
import type { RunPorts } from '../run/run-input.ts';
import type { StopReason } from '../run/run-events.ts';
import { pause } from '../request/retry.ts';
import type { AddedItems } from './added-item.ts';
import { driveItems } from './drive-items.ts';
import { isDone, type ItemTally } from './item-tally.ts';

/** Between two looks at a run that sends the same items, in ms. */
const lookMs = 1_000;

/** What added steps need of a run. */
export interface StepPorts {
  readonly context: RunContext;
  readonly ports: Pick<RunPorts, 'client' | 'journal' | 'clock' | 'stop'>;
  readonly lease: LeaseSettings;
  /** The machine's own clock, by which leases are kept. */
  readonly machine: Clock;
  /** Another run has taken the steps over. */
  readonly lost: (held: string) => void;
}

/** `left`: why the run stops in the end, because items are not done that some accounts need, or none. */
export interface StepsResult {
  readonly mayDrive: boolean;
  readonly left?: { readonly reason: StopReason; readonly detail: string };
  /** Items that wait for accounts, in words; absent if none does. */
  readonly waiting?: string;
}

/**
 * Sends the items of steps that all belong before the accounts, or all after them, and stops the run if one of them is not done that
 * all accounts need. Other runs of the journal wait meanwhile, and then find them done.
 */
export async function driveSteps(
  steps: readonly AddedItems[],
  { context, ports, lease, machine, lost }: StepPorts,
): Promise<StepsResult> {
  const { stop, clock, journal } = ports;
  const leasesOf = () => new Leases(journal, context.platform, lease, machine, lost);
  let leases = leasesOf();
  while ((await leases.take(heldAs)) !== undefined) {
    if (!(await pause(clock, lookMs, stop.draining))) return { mayDrive: false };
    leases = leasesOf();
  }
  // The work itself reports a failure of the journal.
  const alive = leases.keepAlive().catch(() => undefined);
  try {
    const own = { ...context, client: leases.guard(ports.client) };
    const tallies = await driveItems(own, steps);
    const open = tallies.filter((tally) => !isDone(tally));
    const [first] = open;
    const last = tallies.at(-1);
    const waiting = waitingOf(tallies);
    if (first === undefined || last === undefined) return { mayDrive: true, ...waiting };
    const stopped = { reason: reasonOf(open), detail: open.map(detailOf).join('; ') };
    const isTold = open.some(({ named, faults }) => named.length + faults.length > 0);
    if (last.counts.stopped > 0 && !isTold) return { mayDrive: false };
    if (isDone(last) || (!last.isNeededByAll && last.counts.stopped === 0))
      return { mayDrive: true, left: stopped, ...waiting };
    stop.stop(stopped.reason, stopped.detail);
    return { mayDrive: false };
  } finally {
    await leases.release();
    await alive;
  }
}

function waitingOf(tallies: readonly ItemTally[]): Pick<StepsResult, 'waiting'> {
  const all = tallies.filter(({ counts, faults }) => counts.waiting > 0 && faults.length === 0);
  if (all.length === 0) return {};
  const words = all.map(
    ({ step, counts, waiting }) => `${step}: ${counts.waiting} waiting for accounts (${waiting.join(', ')})`,
  );
  return { waiting: words.join('; ') };
}

function reasonOf(tallies: readonly ItemTally[]): StopReason {
  return tallies.some(({ counts }) => counts.uncertain > 0) ? 'step-uncertain' : 'step-not-done';
}

/**
 * The step, what became of its items, and the first of them: `products: 2 refused (A: required, B: invalid)`; or the first error of its
 * files: `businesses: contracts.csv:3:firm orphan_row`.
 */
function detailOf({ step, counts, named, faults }: ItemTally): string {
  const [fault] = faults;
  if (fault !== undefined) return `${step}: ${faultOf(fault, faults.length)}`;
  const words = (['refused', 'failed', 'uncertain'] as const).flatMap((state) =>
    counts[state] === 0 ? [] : [`${counts[state]} ${state}`],
  );
  const items = named.map(({ item, code }) => (code === '' ? item : `${item}: ${code}`));
  return `${step}: ${words.join(', ')} (${items.join(', ')})`;
}

function faultOf({ cell, code }: Problem, faults: number): string {
  const where = cell === undefined ? code : `${place(cell)} ${code}`;
  return faults === 1 ? where : `${where} and ${faults - 1} more`;
}
