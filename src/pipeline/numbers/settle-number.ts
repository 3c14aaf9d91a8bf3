import { definedFields } from '../../domain/defined-fields.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import { numberOfAnotherAccount } from '../../domain/shared-codes.ts';
import type { AccountChange } from '../../journal/journal.ts';
import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { atRest } from '../request/quiet-period.ts';
import { askTransferStatus } from '../steps/transfer-status.ts';
import { listedNumbers } from './listed-numbers.ts';
import type { NumberHolder } from './number-claims.ts';

/**
 * Which account a platform number belongs to.
 *
 * - `ours`: the account's own number, which no other account has now
 * - `contested`: the platform gives one number to several accounts, whichever it is asked about
 */
export type NumberSettled =
  | { readonly kind: 'ours'; readonly krakenAccountNumber: string }
  | { readonly kind: 'contested' | 'stopped' }
  | { readonly kind: 'failed'; readonly code: string };

/**
 * Settles a number that the status of the account of `run` gives and that another account of the platform has: asks
 * for the others' statuses on fresh connections and, if those do not tell whose it is, reads the list of imported accounts. The
 * findings about the others are recorded: their own number, or that they are uncertain.
 */
export function settleNumber(context: RunContext, run: AccountRun, number: string): Promise<NumberSettled> {
  return context.numbers.exclusively(() => new Settlement(context, run).settle(number));
}

/** An account with the number that the platform gives it; undefined: none. */
interface Member {
  readonly id: number;
  readonly key: AccountKey;
  number: string | undefined;
}

class Settlement {
  readonly #context: RunContext;
  readonly #run: AccountRun;
  readonly #members = new Map<number, Member>();

  constructor(context: RunContext, run: AccountRun) {
    this.#context = context;
    this.#run = run;
  }

  async settle(number: string): Promise<NumberSettled> {
    const { numbers } = this.#context;
    const { progress, plan } = this.#run;
    const own: Member = { id: progress.id, key: plan.key, number };
    this.#members.set(own.id, own);
    for (let holders = await numbers.holders(number); ;) {
      const ended = (await this.#ask(holders)) ?? (await this.#lookUpShared());
      if (ended !== undefined) return ended;
      for (const member of this.#members.values())
        if (member !== own) await this.#write(member, this.#isContested(member));
      const isOurs = own.number !== undefined && !this.#isContested(own);
      // From here on no other account can get it unnoticed.
      if (isOurs) numbers.hold(this.#run, own.number ?? number);
      holders = await this.#newHolders();
      if (holders.length > 0) continue;
      return isOurs ? { kind: 'ours', krakenAccountNumber: own.number ?? number } : { kind: 'contested' };
    }
  }

  /** Accounts that were given one of these numbers in the meantime. */
  async #newHolders(): Promise<readonly NumberHolder[]> {
    const found: NumberHolder[] = [];
    for (const { number } of this.#members.values())
      if (number !== undefined) found.push(...(await this.#context.numbers.holders(number)));
    return found.filter(({ id }) => !this.#members.has(id));
  }

  /** Asks about accounts that have the number, and about those that have the number of one that was asked. */
  async #ask(holders: readonly NumberHolder[]): Promise<NumberSettled | undefined> {
    const open = [...holders];
    for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
      const { id, key } = holder;
      if (this.#members.has(id)) continue;
      const status = await askTransferStatus(this.#context, this.#run, {
        isLost: false,
        quietUntil: atRest,
        key,
      });
      if (status.kind === 'failed') return { kind: 'failed', code: status.code };
      if (status.kind === 'stopped') return { kind: 'stopped' };
      const theirs = status.kind === 'completed' ? status.krakenAccountNumber : undefined;
      this.#members.set(id, { id, key, number: theirs });
      if (theirs !== undefined) open.push(...(await this.#context.numbers.holders(theirs)));
    }
    return undefined;
  }

  /**
   * If the statuses of members give one number, or that of a known holder gives none, the list of imported accounts decides: two
   * answers may have been exchanged.
   */
  async #lookUpShared(): Promise<NumberSettled | undefined> {
    const members = [...this.#members.values()];
    const isLost = members.some(({ id, number }) => id !== this.#run.progress.id && number === undefined);
    const shared = isLost ? members : members.filter((member) => this.#isContested(member));
    if (shared.length === 0) return undefined;
    const listed = await listedNumbers(
      this.#context,
      shared.map(({ key }) => key),
    );
    if (listed.kind !== 'listed') return listed;
    for (const member of shared) {
      const [number, ...more] = listed.numbersOf(member.key);
      if (more.length === 0) member.number = number;
    }
    return undefined;
  }

  #isContested({ id, number }: Member): boolean {
    return (
      number !== undefined &&
      [...this.#members.values()].some((other) => other.id !== id && other.number === number)
    );
  }

  /** Records the findings about another account. If another run has it, that run examines it. */
  async #write(member: Member, isContested: boolean): Promise<void> {
    const release = await this.#context.hold(member.key);
    if (release === undefined) return;
    try {
      await this.#writeHeld(member, isContested);
    } finally {
      release();
    }
  }

  async #writeHeld({ id, key, number }: Member, isContested: boolean): Promise<void> {
    const { journal, platform, clock, numbers, emit, record } = this.#context;
    const entry = await journal.find(platform, key);
    if (entry === undefined) return;
    const driven = numbers.driven(id);
    const { steps, state, krakenAccountNumber } = driven?.progress ?? entry;
    const isCreated = steps.process === 'done';
    const isDoubtful = isContested || number === undefined;
    if (driven !== undefined && isDoubtful) numbers.contest(driven);
    if (driven !== undefined && !isDoubtful) numbers.hold(driven, number);
    // One that is about to be recorded as created finds it by itself.
    if (!isCreated && (isDoubtful || driven !== undefined)) return;
    if (!isDoubtful && number === krakenAccountNumber) return;
    const change: AccountChange = isDoubtful
      ? { state: 'uncertain', code: numberOfAnotherAccount, steps: { process: 'uncertain' } }
      : { krakenAccountNumber: number };
    if (isDoubtful) {
      const settlement = { state: 'uncertain', outcome: 'unknown', code: numberOfAnotherAccount } as const;
      const part = { accountId: id, step: 'process', part: 0 } as const;
      record(journal.settle(part, { ...settlement, at: clock.now() }));
    }
    if (driven !== undefined) {
      await driven.progress.change(change);
      return;
    }
    await journal.change(id, change);
    emit(
      definedFields({
        type: 'restated',
        ...key,
        from: state,
        state: change.state ?? state,
        code: change.code ?? entry.code,
        krakenAccountNumber: isDoubtful || !isCreated ? undefined : number,
      }),
    );
  }
}
