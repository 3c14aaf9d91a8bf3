import type { AccountKey } from '../../domain/account-key.ts';
import type { AccountChange, AccountEntry, Journal } from '../../journal/journal.ts';

/** The number of an account that is running. */
export interface Driven {
  readonly plan: { readonly key: AccountKey };
  readonly progress: Pick<AccountEntry, 'id' | 'state' | 'steps'> & {
    readonly krakenAccountNumber: string | undefined;
    change(change: AccountChange): Promise<void>;
  };
}

/**
 * Which platform number belongs to which account of a run's platform: one number, one account. The journal knows
 * accounts at rest; a running account may have a number that is not durable yet, and is known here.
 */
export class NumberClaims {
  /**
   * Whether two accounts in the journal have one number, so that accounts without work are examined too. Set at the
   * start of a run; false until then.
   */
  areShared = false;
  readonly #journal: Pick<Journal, 'holders'>;
  readonly #platform: string;
  /** The accounts that are running, by the journal's number of each. */
  readonly #driven = new Map<number, Driven>();
  readonly #claims = new Map<number, string>();
  /** The same by number: a number is hardly ever claimed twice. */
  readonly #claimants = new Map<string, readonly number[]>();
  /** Those that have claimed a number which the platform gives to another account as well. */
  readonly #contested = new Set<number>();
  #settling: Promise<unknown> = Promise.resolve();

  constructor(journal: Pick<Journal, 'holders'>, platform: string) {
    this.#journal = journal;
    this.#platform = platform;
  }

  begin(run: Driven): void {
    this.#driven.set(run.progress.id, run);
  }

  /** The account's end is durable. */
  end(run: Driven): void {
    this.#driven.delete(run.progress.id);
    this.#release(run.progress.id);
    this.#contested.delete(run.progress.id);
  }

  driven(accountId: number): Driven | undefined {
    return this.#driven.get(accountId);
  }

  /** Gives a running account this number; false if another account of the platform has it. */
  async claim({ progress: { id } }: Driven, number: string): Promise<boolean> {
    if (this.#claimedBy(number).some((other) => other !== id)) return false;
    // Before the journal is asked: of two accounts that get one number at the same moment, the second finds the
    // first.
    this.#put(id, number);
    if ((await this.#atRest(number)).every((entry) => entry.id === id)) return true;
    this.#release(id);
    this.#contested.delete(id);
    return false;
  }

  /** Gives a running account this number, even if another account has it. */
  hold({ progress: { id } }: Driven, number: string): void {
    this.#contested.delete(id);
    this.#put(id, number);
  }

  /** The number that an account has claimed; it differs from the reported one if the platform has corrected it. */
  numberOf({ progress: { id } }: Driven): string | undefined {
    return this.#claims.get(id);
  }

  /** The platform gives the number that an account has claimed to another account as well. */
  contest({ progress: { id } }: Driven): void {
    this.#contested.add(id);
  }

  isContested({ progress: { id } }: Driven): boolean {
    return this.#contested.has(id);
  }

  /** The accounts that are known to have a number: at rest, or running. */
  async holders(number: string): Promise<readonly NumberHolder[]> {
    const atRest = await this.#atRest(number);
    const claimed = this.#claimedBy(number).flatMap((id) => this.#driven.get(id) ?? []);
    const driven = claimed.map(({ progress, plan }) => ({ id: progress.id, key: plan.key }));
    return [...driven, ...atRest.filter((entry) => driven.every(({ id }) => id !== entry.id))];
  }

  /** Runs settlements of numbers one after another: none works with data that another is about to change. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const settled = this.#settling.then(work);
    this.#settling = settled.catch(() => undefined);
    return settled;
  }

  #claimedBy(number: string): readonly number[] {
    return this.#claimants.get(number) ?? [];
  }

  #put(id: number, number: string): void {
    this.#release(id);
    this.#claims.set(id, number);
    this.#claimants.set(number, [...this.#claimedBy(number), id]);
  }

  #release(id: number): void {
    const number = this.#claims.get(id);
    if (number === undefined) return;
    this.#claims.delete(id);
    const others = this.#claimedBy(number).filter((other) => other !== id);
    if (others.length === 0) this.#claimants.delete(number);
    else this.#claimants.set(number, others);
  }

  /** Without those that are running and have been given another number, which is not durable yet. */
  async #atRest(number: string): Promise<AccountEntry[]> {
    const entries = await this.#journal.holders(this.#platform, number);
    return entries.filter(({ id }) => (this.#claims.get(id) ?? number) === number);
  }
}

/** An account that has a number. */
export type NumberHolder = Pick<AccountEntry, 'id' | 'key'>;

/** The most accounts that are examined at once. */
const mostSharing = 1000;

/** Accounts of the platform that have the number of another one. */
export async function accountsSharingNumbers(
  journal: Pick<Journal, 'sharedNumbers'>,
  platform: string,
): Promise<readonly AccountKey[]> {
  const found: AccountKey[] = [];
  for await (const { accounts } of journal.sharedNumbers(platform)) {
    found.push(...accounts);
    if (found.length >= mostSharing) break;
  }
  return found;
}
