import type { RunEntry } from '../journal/journal.ts';
import type { StopReason } from '../pipeline/run-events.ts';

const reasons: Readonly<Record<StopReason, string>> = {
  interrupt: 'interrupted',
  hours: 'its hours were over',
  limit: 'the limit was reached',
  'max-failures': 'too many failures',
  'run-timeout': 'its time was over',
  'same-refusal': 'every account refused for one reason',
  'unrecognised-answers': 'answers that are none of the interface',
  credentials: 'credentials refused',
  unavailable: 'platform unavailable',
  'supplier-not-ongoing': 'supplier not Ongoing',
  held: 'another run held the supplier',
  'lease-lost': 'another run took over',
  'dry-run-ignored': 'the platform ignored dry_run',
};

/** A journal may hold a reason of a later version. */
const told: ReadonlyMap<string, string> = new Map(Object.entries(reasons));

const endings: Readonly<Record<number, string>> = {
  0: 'all done',
  3: 'some rejected, failed or not ours',
  8: 'some uncertain',
};

/** How a run ended, in a few words. */
export function runOutcome({ end }: Pick<RunEntry, 'end'>): string {
  if (end === undefined) return 'not ended';
  return end.reason === '' ? (endings[end.exit] ?? `exit ${end.exit}`) : (told.get(end.reason) ?? end.reason);
}
