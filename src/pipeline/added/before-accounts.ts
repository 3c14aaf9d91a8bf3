import { heldAs } from '../../domain/added-step.ts';
import type { Clock } from '../../domain/clock.ts';
import { Leases, type LeaseSettings } from '../run/leases.ts';
import type { RunContext } from '../run/context.ts';
import type { RunPorts } from '../run/run-input.ts';
import type { StopReason } from '../run/run-events.ts';
import { pause } from '../request/retry.ts';
import type { AddedItems } from './added-item.ts';
import { driveItems, isDone, type ItemTally } from './drive-items.ts';

/** Between two looks at a run that sends the same items, in ms. */
const lookMs = 1_000;

/** What the steps before the accounts need of a run. */
export interface BeforeAccounts {
  readonly context: RunContext;
  readonly ports: Pick<RunPorts, 'client' | 'journal' | 'clock' | 'stop'>;
  readonly lease: LeaseSettings;
  /** The machine's own clock, by which leases are kept. */
  readonly machine: Clock;
  /** Another run has taken the steps over. */
  readonly lost: (held: string) => void;
}

/**
 * Sends the items of the steps that a profile adds, and stops the run if one of them is not done: the accounts need them. Other
 * runs of the journal wait meanwhile, and then find them done. False if no account may be driven.
 */
export async function driveBeforeAccounts(
  steps: readonly AddedItems[],
  { context, ports, lease, machine, lost }: BeforeAccounts,
): Promise<boolean> {
  const { stop, clock, journal } = ports;
  const leasesOf = () => new Leases(journal, context.platform, lease, machine, lost);
  let leases = leasesOf();
  while ((await leases.take(heldAs)) !== undefined) {
    if (!(await pause(clock, lookMs, stop.draining))) return false;
    leases = leasesOf();
  }
  const alive = leases.keepAlive();
  try {
    const own = { ...context, client: leases.guard(ports.client) };
    const tallies = await driveItems(own, steps);
    const last = tallies.at(-1);
    if (last === undefined || isDone(last)) return true;
    if (last.counts.stopped === 0 || last.named.length > 0) stop.stop(reasonOf(last), detailOf(last));
    return false;
  } finally {
    await leases.release();
    await alive;
  }
}

function reasonOf({ counts }: ItemTally): StopReason {
  return counts.uncertain > 0 ? 'step-uncertain' : 'step-not-done';
}

/** The step, what became of its items, and the first of them: `products: 2 refused (A: required, B: invalid)`. */
function detailOf({ step, counts, named }: ItemTally): string {
  const words = (['refused', 'failed', 'uncertain'] as const).flatMap((state) =>
    counts[state] === 0 ? [] : [`${counts[state]} ${state}`],
  );
  const items = named.map(({ item, code }) => (code === '' ? item : `${item}: ${code}`));
  return `${step}: ${words.join(', ')} (${items.join(', ')})`;
}
