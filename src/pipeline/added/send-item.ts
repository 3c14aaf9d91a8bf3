import { SentValues } from '../../contract/sent-values.ts';
import { identityParameter, type AddedStep } from '../../domain/added-step.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { addedSteps } from '../../domain/steps.ts';
import type { ItemEntry, ItemRef } from '../../journal/journal.ts';
import { fingerprint } from '../hash.ts';
import { missedSettlement, refusedBy, saidSettlement, wordsOf } from '../request/part.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import type { RetriedRequest, Said, SendOutcome } from '../request/retried-request.ts';
import type { RunContext } from '../run/context.ts';
import type { AddedItem } from './added-item.ts';
import type { NamedAccounts } from './named-accounts.ts';

/**
 * What became of an item.
 *
 * - `done`: it is on the platform; `code`: `changed_since_sent` if its data changed since, `already_there` if it was there before
 * - `refused`: the platform refused it
 * - `failed`: known to have had no effect, or not yet settled; the next run goes on
 * - `uncertain`: its effect cannot be known; it needs a ruling
 * - `waiting`: an account that it names is not completed; the next run goes on
 * - `stopped`: the run is draining
 */
export interface ItemResult {
  readonly state: 'done' | 'refused' | 'failed' | 'uncertain' | 'waiting' | 'stopped';
  readonly code: string;
  readonly problems: readonly PayloadProblem[];
}

/** Lost answers of one item in a run, after which it is left to the next run or to a person. */
const mostLost = 3;

/**
 * Sends an item once: the intent is durable before its request leaves, and what became of an earlier attempt is settled first, as
 * the step's `whenLost` says. An item that is done is not sent again.
 */
export function sendItem(
  context: RunContext,
  step: AddedStep,
  item: AddedItem,
  named: NamedAccounts,
): Promise<ItemResult> {
  return new ItemSender(context, step, item, named).send();
}

class ItemSender {
  readonly #context: RunContext;
  readonly #step: AddedStep;
  readonly #item: AddedItem;
  readonly #ref: ItemRef;
  readonly #hash: string;
  readonly #about: SentValues;
  readonly #named: NamedAccounts;

  constructor(context: RunContext, step: AddedStep, item: AddedItem, named: NamedAccounts) {
    this.#context = context;
    this.#named = named;
    this.#step = step;
    this.#item = item;
    this.#ref = { platform: context.platform, step: step.name, item: item.name };
    this.#hash = fingerprint(item.body);
    this.#about = new SentValues(() => [item.body]);
  }

  async send(): Promise<ItemResult> {
    const { journal, settings } = this.#context;
    const { entry, isInDoubt } = await journal.items.find(this.#ref);
    if (entry?.state === 'done') return result('done', entry.hash === this.#hash ? '' : 'changed_since_sent');
    if (entry?.state === 'uncertain' && !settings.dryRun) return result('uncertain', entry.code ?? '');
    const isLost = entry?.state === 'sent' || isInDoubt;
    // A check would refuse what the lost attempt has put there.
    if (isLost && !settings.dryRun) return this.#afterLoss(entry, isInDoubt);
    if (!settings.dryRun && !(await this.#named.areCompleted(this.#item.accounts)))
      return result('waiting', '');
    const checked = await this.#check();
    if (checked !== undefined || settings.dryRun) return checked ?? result('done', '');
    return this.#post(entry?.lost ?? 0, 0);
  }

  /** Asks the platform whether it would take the item; undefined if it would, or there is nowhere to ask. */
  async #check(): Promise<ItemResult | undefined> {
    const { check: path } = this.#step;
    if (path === undefined) return undefined;
    const { client } = this.#context;
    const outcome = await sendWithRetry(this.#context, {
      ...this.#request,
      send: (signal) => client.added.check(path, this.#item.body, this.#identity, this.#options(signal)),
    });
    if (outcome.kind !== 'said') return notSaid(outcome);
    return outcome.answer.kind === 'ok' ? undefined : refused(outcome.answer);
  }

  /** An earlier attempt may have had its effect. */
  async #afterLoss(entry: ItemEntry | undefined, isInDoubt: boolean): Promise<ItemResult> {
    const { quiet, clock } = this.#context;
    const code = isInDoubt ? 'journal_restored' : 'lost_answer';
    // Another item may be in its place now: what was lost is not what would be asked for.
    const hasChanged = entry !== undefined && entry.hash !== this.#hash;
    if (hasChanged) return this.#leaveToPerson('changed_since_lost_answer', entry);
    switch (this.#step.whenLost) {
      case 'person':
        return this.#leaveToPerson(code, entry);
      case 'repeat':
        return this.#post((entry?.lost ?? 0) + 1, 0);
      case 'ask': {
        const quietUntil = entry?.state === 'sent' ? quiet.ofRecorded(entry) : clock.monotonic();
        return this.#settle(quietUntil, 1);
      }
    }
  }

  /** Asks for it once no request of it can be under way any more, and sends it if it is not there. */
  async #settle(quietUntil: number, lost: number): Promise<ItemResult> {
    const waitMs = quietUntil - this.#context.clock.monotonic();
    if (waitMs > 0 && !(await this.#context.flow.waitInPlace(this.#request, waitMs))) return stopped;
    const isThere = await this.#ask();
    if (typeof isThere !== 'boolean') return isThere;
    return isThere ? this.#foundThere('') : this.#post(0, lost);
  }

  async #ask(): Promise<boolean | ItemResult> {
    const { client } = this.#context;
    const path = this.#step.ask?.replace(identityParameter, () => encodeURIComponent(this.#item.value)) ?? '';
    const outcome = await sendWithRetry(this.#context, {
      ...this.#request,
      isQuestion: true,
      send: (signal) => client.added.ask(path, this.#identity, this.#options(signal)),
    });
    if (outcome.kind !== 'said') return notSaid(outcome);
    return outcome.answer.kind === 'ok' ? outcome.answer.body : result('failed', outcome.answer.refusal.code);
  }

  /** `open`: earlier attempts that may have had their effect; `lost`: lost answers that were settled in this run. */
  async #post(open: number, lost: number): Promise<ItemResult> {
    const { journal, client, clock, run } = this.#context;
    const { whenLost, repeatAfter = [] } = this.#step;
    const outcome = await sendWithRetry(this.#context, {
      ...this.#request,
      isDelicate: whenLost !== 'repeat',
      afterUnknown: open > 0,
      lostRepeats: () => (whenLost === 'repeat' ? Infinity : 0),
      mayRepeat: ({ status, isOver }) =>
        isOver === true && status !== undefined && repeatAfter.includes(status),
      before: () => journal.items.intend(this.#ref, { hash: this.#hash, run, at: clock.now() }),
      send: (signal) =>
        client.added.post(this.#step.path, this.#item.body, this.#identity, this.#options(signal)),
      missed: (answer, unknown) =>
        this.#record(journal.items.settle(this.#ref, missedSettlement(answer, unknown, clock.now()))),
    });
    switch (outcome.kind) {
      case 'said':
        return this.#said(outcome.answer, outcome.afterUnknown);
      case 'lost':
        return this.#lost(outcome, lost + 1);
      case 'gave-up':
        // A lost answer stays `sent`: the next run settles it.
        return result('failed', outcome.cause);
      case 'stopped':
        return stopped;
    }
  }

  async #lost(
    { cause, quietUntil }: Extract<SendOutcome<void>, { kind: 'lost' }>,
    lost: number,
  ): Promise<ItemResult> {
    if (this.#step.whenLost === 'person') return this.#leaveToPerson(cause);
    return lost < mostLost ? this.#settle(quietUntil, lost) : result('failed', cause);
  }

  async #said(answer: Said<void>, isOpen: boolean): Promise<ItemResult> {
    const { journal, clock } = this.#context;
    if (answer.kind === 'ok') {
      await this.#settled(answer, 'done', '');
      return result('done', '');
    }
    const own = refused(answer);
    // A refusal says nothing about an earlier attempt, nor does it where something on the way sends requests twice.
    const isThere = this.#step.whenLost === 'ask' ? await this.#ask() : false;
    if (isThere === true) return this.#foundThere('already_there');
    const state = isOpen && this.#step.whenLost !== 'ask' ? 'uncertain' : 'refused';
    const settlement = saidSettlement(answer, { state, code: own.code }, clock.now());
    const words = wordsOf(this.#context, answer, this.#about);
    await journal.items.settle(this.#ref, { ...settlement, words });
    return { ...own, state };
  }

  async #foundThere(code: string): Promise<ItemResult> {
    const { journal, clock, run } = this.#context;
    const { entry } = await journal.items.find(this.#ref);
    const at = clock.now();
    if (entry?.state !== 'sent') await journal.items.intend(this.#ref, { hash: this.#hash, run, at });
    await journal.items.settle(this.#ref, { state: 'done', outcome: 'asked', at });
    return result('done', code);
  }

  async #leaveToPerson(code: string, entry?: ItemEntry): Promise<ItemResult> {
    const { journal, clock, run, settings } = this.#context;
    if (settings.dryRun) return result('uncertain', code);
    const at = clock.now();
    // Of an item that a restored journal does not know, a person has to rule as well.
    const isUnknown = entry === undefined && (await journal.items.find(this.#ref)).entry === undefined;
    if (isUnknown) await journal.items.intend(this.#ref, { hash: this.#hash, run, at });
    await journal.items.settle(this.#ref, { state: 'uncertain', outcome: 'unknown', code, at });
    return result('uncertain', code);
  }

  #settled(answer: Said<void>, state: 'done', code: string): Promise<void> {
    const { journal, clock } = this.#context;
    return journal.items.settle(this.#ref, saidSettlement(answer, { state, code }, clock.now()));
  }

  #record(write: Promise<void>): void {
    this.#context.record(write);
  }

  get #identity(): { readonly field: string; readonly value: string } {
    return { field: this.#step.identity, value: this.#item.value };
  }

  get #request(): Pick<RetriedRequest<never>, 'supplier' | 'account' | 'step'> {
    return { supplier: addedSteps, account: placeNameOf(this.#step, this.#item), step: addedSteps };
  }

  #options(signal: AbortSignal): { readonly signal: AbortSignal; readonly about: SentValues } {
    return { signal, about: this.#about };
  }
}

/** What an item is called among the accounts that are under way. */
export function placeNameOf({ name }: AddedStep, item: AddedItem): string {
  return `${name}/${item.name}`;
}

const stopped: ItemResult = { state: 'stopped', code: '', problems: [] };

function result(state: ItemResult['state'], code: string): ItemResult {
  return { state, code, problems: [] };
}

function notSaid(outcome: Exclude<SendOutcome<unknown>, { kind: 'said' }>): ItemResult {
  return outcome.kind === 'stopped' ? stopped : result('failed', outcome.cause);
}

function refused(answer: Exclude<Said<unknown>, { kind: 'ok' }>): ItemResult {
  const { code = '', problems = [] } = refusedBy(answer);
  return { state: 'refused', code, problems };
}
