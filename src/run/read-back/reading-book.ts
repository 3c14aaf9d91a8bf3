import type { Clock } from '../../domain/clock.ts';
import type { AccountEntry, Journal } from '../../journal/journal.ts';

/** What earlier readings came to, and what they cost. */
export interface ReadingBook {
  /** Whether the account was read in the pass that goes on, and was equal in all that can be read. */
  isEqual(entry: AccountEntry): Promise<boolean>;
  /** Whether the budget of the hour has points left. */
  hasPoints(): boolean;
  note(
    entry: AccountEntry,
    result: { readonly differences: number; readonly hidden: number; readonly points: number },
  ): Promise<void>;
  /** The pass is over. */
  end(): Promise<void>;
}

const hourMs = 3_600_000;

/** Opens the pass that goes on, or begins a new one. */
export async function openBook(
  {
    journal,
    clock,
    perHour,
  }: { readonly journal: Journal; readonly clock: Pick<Clock, 'now'>; readonly perHour: number | undefined },
  { platform, supplier, selection }: Readonly<Record<'platform' | 'supplier' | 'selection', string>>,
): Promise<ReadingBook> {
  const { readBack } = journal;
  const pass = await readBack.begin(platform, supplier, selection, clock.now());
  const before = perHour === undefined ? 0 : await readBack.pointsSince(clock.now() - hourMs);
  const began = clock.now();
  let spent = 0;
  return {
    async isEqual({ id }) {
      const latest = await readBack.latest(id);
      return latest?.pass === pass && latest.differences === 0 && latest.hidden === 0;
    },
    hasPoints: () => perHour === undefined || clock.now() - began >= hourMs || before + spent < perHour,
    async note({ id }, result) {
      spent += result.points;
      await readBack.note({ accountId: id, pass, at: clock.now(), ...result });
    },
    end: () => readBack.end(pass, clock.now()),
  };
}
