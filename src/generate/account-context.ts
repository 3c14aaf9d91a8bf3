import { lastDay, type Day } from './calendar.ts';
import { SeededRandom } from './seeded-random.ts';

export interface AccountSettings {
  /** Import supplier code of every account. */
  readonly supplier: string;
  readonly seed: number;
  /** How many transactions endpoint 9 gets for each account; it varies where absent. */
  readonly transactionsPerAccount?: number;
  readonly notesPerAccount?: number;
}

/** What the parts of one account share while they are made. */
export interface AccountContext {
  readonly account: string;
  readonly settings: AccountSettings;
  /** Position in the export, from zero. What an account has follows from it; the values follow from the seed. */
  readonly position: number;
  readonly random: SeededRandom;
  /** The day supply began; nothing in the account is older. */
  readonly opened: Day;
  /** The day up to which the account was billed. */
  readonly closing: Day;
  /** An id that no other transaction of the account has. */
  readonly nextTransactionId: () => string;
  /** True for the first account and then for one in every `cycle`: so a small export has everything in it. */
  readonly oneIn: (cycle: number) => boolean;
}

export function startAccountContext(
  account: string,
  position: number,
  settings: AccountSettings,
): AccountContext {
  const random = new SeededRandom(settings.seed, position);
  let transactions = 0;
  return {
    account,
    settings,
    position,
    random,
    opened: lastDay - random.between(400, 900),
    closing: lastDay - random.between(20, 90),
    nextTransactionId: () => `${account}-T${String((transactions += 1)).padStart(4, '0')}`,
    oneIn: (cycle) => position % cycle === 0,
  };
}
