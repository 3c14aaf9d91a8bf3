import { createdMeanwhile, createdUnrecorded } from '../../../src/domain/shared-codes.ts';
import { extraStepNames } from '../../../src/domain/steps.ts';
import type { AccountEntry, Journal, PartEntry } from '../../../src/journal/journal.ts';
import { putBackInLine, rule, type Ruling } from '../../../src/pipeline/account/rulings.ts';
import { has } from './accounts.ts';
import { ruledOn, Violation } from './oracle.ts';
import type { Wire } from './wire.ts';

/** Somebody who looks at the platform and says what is true. */
export class Person {
  /** Accounts of which a part cannot be ruled on: some of it is there, and the journal that knew which is lost. */
  readonly undecided = new Set<string>();
  /** Accounts that were put back in line, which a journal that was put back does not know. */
  readonly forgotten = new Set<string>();
  /** Accounts that were put back in line. */
  readonly #retried = new Set<string>();
  readonly #platform: string;
  readonly #wire: Wire;
  readonly #checksTransactions: boolean;
  readonly #tell: (what: string) => void;

  constructor(platform: string, wire: Wire, checksTransactions: boolean, tell: (what: string) => void) {
    this.#platform = platform;
    this.#wire = wire;
    this.#checksTransactions = checksTransactions;
    this.#tell = tell;
  }

  /** Rules on everything that is uncertain; gives how many rulings that took. */
  async ruleOnAll(journal: Journal, entries: readonly AccountEntry[]): Promise<number> {
    this.#wire.landAll();
    let rulings = 0;
    for (const entry of entries)
      for (const part of entry.parts.filter(({ state }) => state === 'uncertain')) {
        const ruling = this.#truthOf(entry, part);
        if (ruling === undefined) continue;
        this.#tell(`a person: ${part.step} ${part.part} of ${entry.key.account} as ${ruling.as}`);
        const now = this.#wire.world.wall;
        // As it is after the ruling before.
        const current = await journal.open(this.#platform, entry.key);
        const refused = await rule(journal, current, part.step, { ...ruling, part: part.part }, { at: now });
        if (refused !== undefined) throw new Violation(`A ruling was refused: ${refused}`);
        rulings += 1;
      }
    for (const entry of entries) if (await this.#findsAbsent(journal, entry)) rulings += 1;
    return rulings;
  }

  /** An account failed that counts as created: the platform does not have it, as `reconcile` says. */
  async #findsAbsent(journal: Journal, { key, state, steps }: AccountEntry): Promise<boolean> {
    const isThere = this.#wire.platform.accounts.get(key.account)?.number !== undefined;
    if (state !== 'failed' || steps.process !== 'done' || isThere) return false;
    this.#tell(`a person: process of ${key.account}, which is not there, as repeat`);
    const current = await journal.open(this.#platform, key);
    const refused = await rule(journal, current, 'process', { as: 'repeat' }, { at: this.#wire.world.wall });
    if (refused !== undefined) throw new Violation(`A ruling was refused: ${refused}`);
    return true;
  }

  /** Puts back in line what was refused for a reason that passes; gives how many accounts that were. */
  async retryAll(journal: Journal, entries: readonly AccountEntry[]): Promise<number> {
    let accounts = 0;
    for (const entry of entries) {
      if (!this.#wire.passing.has(entry.key.account)) continue;
      if (this.forgotten.has(entry.key.account) && this.#hasRefusedThere(entry)) {
        this.undecided.add(entry.key.account);
        continue;
      }
      if (!(await putBackInLine(journal, entry, {}, { at: this.#wire.world.wall }))) continue;
      this.#wire.passing.delete(entry.key.account);
      this.#retried.add(entry.key.account);
      this.#tell(`a person: ${entry.key.account} back in line`);
      accounts += 1;
    }
    return accounts;
  }

  /** The journal went back: what was put back in line may be refused in it again. */
  forget(): void {
    for (const account of this.#retried) {
      this.#wire.passing.add(account);
      this.forgotten.add(account);
    }
    this.#retried.clear();
  }

  /** Something that the journal has as refused is there: it was sent again when the journal was another one. */
  #hasRefusedThere({ key: { account }, parts }: AccountEntry): boolean {
    const effects = this.#wire.platform.accounts.get(account)?.effects;
    return parts.some(({ step, state, hash }) => {
      const extra = extraStepNames.find((name) => name === step);
      if (extra === undefined || state !== 'refused') return false;
      const sent = this.#wire.effectsOf(account, extra, hash) ?? [];
      return sent.some((effect) => has(effects?.[extra] ?? [], extra, effect));
    });
  }

  #truthOf(
    { key: { account }, parts }: AccountEntry,
    { step, part, hash, code }: PartEntry,
  ): Ruling | undefined {
    const held = this.#wire.platform.accounts.get(account);
    const isForeign = this.#wire.platform.isForeign(account);
    const isCreatedBesides = code === createdMeanwhile || code === createdUnrecorded;
    if (step === 'process' && isCreatedBesides && isForeign) return { as: 'skip' };
    if (step === 'process')
      return held?.number === undefined ? { as: 'repeat' } : { as: 'done', krakenAccountNumber: held.number };
    const extra = extraStepNames.find((name) => name === step);
    if (extra === undefined) throw new Violation(`${step} of account ${account} is uncertain.`);
    const whole = this.#wire.effectsOf(account, extra, hash) ?? [];
    const effects = ruledOn(this.#wire, account, extra, whole, part, parts);
    const there = effects.filter((effect) => has(held?.effects[extra] ?? [], extra, effect));
    if (effects.length > 0 && there.length === effects.length) return { as: 'done' };
    const isRecognised = step === 'notes' || (step === 'transactions' && this.#checksTransactions);
    if (there.length > 0 && !isRecognised && this.#wire.isJournalLost) {
      this.undecided.add(account);
      return undefined;
    }
    if (there.length > 0 && !isRecognised)
      throw new Violation(
        `Nobody can rule on part ${part} of ${step} of account ${account}: some of it is there.`,
      );
    return { as: 'repeat' };
  }
}
