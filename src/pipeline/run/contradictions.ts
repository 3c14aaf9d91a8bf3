import type { AccountKey } from '../../domain/account-key.ts';
import { contradictionCodes, createdUnrecorded } from '../../domain/shared-codes.ts';
import { utcDatetime } from '../../domain/clock.ts';
import type { Journal } from '../../journal/journal.ts';
import type { PlatformClient } from '../../client/platform-client.ts';
import { CreationTimes } from './creation-times.ts';
import {
  isCreatedSince,
  mostContradicted,
  suspicionOf,
  type Contradiction,
  type Known,
} from '../account/evidence.ts';
import type { Suspicion } from '../../domain/stop-reason.ts';
import type { StopControl } from './stop-control.ts';

/** Accounts of a list that are looked up in the journal. */
const mostExamined = 100;

interface Ports {
  readonly journal: Pick<Journal, 'recordedUntil' | 'find' | 'attempts' | 'markDoubted'>;
  readonly client: Pick<PlatformClient, 'list'>;
  readonly stop: StopControl;
  readonly platform: string;
  readonly clock: { now(): number };
  /** Counts a request. */
  readonly sent: () => void;
}

/** Whether the journal lacks accounts of the platform: none, some, or some that a person has ruled on since. */
type Lacking = 'none' | 'now' | 'ruled';

/** The accounts of a run whose answers contradict the journal; stops the run after a handful. */
export class Contradictions {
  /** First attempts that the platform answered as new. */
  #clean = 0;
  readonly #ports: Ports;
  readonly #before: () => Promise<number>;
  readonly #begunAt: number;
  /** By the journal's number of the account; a stopped run adds those under way. */
  readonly #found = new Map<number, { readonly supplier: string; readonly contradiction: Contradiction }>();
  #recordedAt: Promise<number | undefined> | undefined;
  readonly #held = new Set<number>();
  /** Accounts under way of which a first attempt was answered as new. */
  readonly #shownNew = new Set<number>();
  readonly #lacking = new Map<string, Promise<Lacking>>();
  #times: Promise<CreationTimes> | undefined;

  /** `before`: the number of the first run whose records are this run's own, or of others that share its book. */
  constructor(ports: Ports, before: () => Promise<number>) {
    this.#ports = ports;
    this.#before = before;
    this.#begunAt = ports.clock.now();
  }

  /** Whether what of an account cannot be repeated must not be sent. */
  holds(accountId: number): boolean {
    return this.#found.has(accountId) || this.#held.has(accountId);
  }

  /** Notes that the platform answered a first attempt as new. Call `release` when the account has ended. */
  addNew(accountId: number): void {
    this.#clean += 1;
    this.#shownNew.add(accountId);
  }

  /** Whether the platform answered a first attempt of an account under way as new. */
  isShownNew(accountId: number): boolean {
    return this.#shownNew.has(accountId);
  }

  /** Holds an account back whose answers contradict nothing. Call `release` when it has ended. */
  hold(accountId: number): void {
    this.#held.add(accountId);
  }

  release(accountId: number): void {
    this.#held.delete(accountId);
    this.#shownNew.delete(accountId);
  }

  /** The first contradiction of an account counts. */
  add(accountId: number, { supplier }: AccountKey, contradiction: Contradiction): void {
    if (this.#found.has(accountId)) return;
    this.#found.set(accountId, { supplier, contradiction });
    if (this.#found.size < mostContradicted) return;
    const provisional = suspicionOf(this.#all, { recordedAt: 0, begunAt: this.#begunAt, clean: this.#clean });
    // Other runs of the book hear it as it is now; this one looks more closely before it ends.
    this.#ports.stop.stop(provisional, `accounts: ${this.#found.size}`);
  }

  /** When the platform created an account of which the journal knows no creation; undefined if before its last record, or unknown. */
  async createdSince(key: AccountKey): Promise<number | undefined> {
    return (await this.#creationTimes()).of(key);
  }

  /**
   * Whether the platform created accounts of a supplier between the journal's last record and this run that the journal does not
   * know, or did not know when it recorded that another one was created (`createdAt`, ms since the epoch): a person's ruling on
   * them does not bring back what the journal lost of the other. The list is read once.
   */
  async lacksAccounts(supplier: string, createdAt: number | undefined): Promise<boolean> {
    if (this.#hasMetLacking(supplier)) return true;
    const found = this.#lacking.get(supplier) ?? this.#findLacking(supplier);
    this.#lacking.set(supplier, found);
    const lacking = await found;
    if (lacking !== 'ruled') return lacking === 'now';
    const { recordedAt } = await this.#known();
    return createdAt === undefined || recordedAt === undefined || createdAt <= recordedAt;
  }

  /** Whether this run met such an account, which has a record of its own since. */
  #hasMetLacking(supplier: string): boolean {
    return [...this.#found.values()].some(
      ({ supplier: of, contradiction: { is, isOfThisRun } }) =>
        of === supplier && is === 'created' && !isOfThisRun,
    );
  }

  async #findLacking(supplier: string): Promise<Lacking> {
    const { journal, platform } = this.#ports;
    const times = await this.#creationTimes();
    await times.read(supplier);
    let lacking: Lacking = 'none';
    // Its times are whole seconds, and what this run creates in that second is in the journal before it is there.
    for (const key of times.before(supplier, this.#begunAt + 1).slice(0, mostExamined)) {
      const entry = await journal.find(platform, key);
      const process = entry?.parts.find(({ step }) => step === 'process');
      // A skipped one was found to be older than the journal when a run met it.
      if (entry === undefined || (entry.state !== 'skipped' && process === undefined)) return 'now';
      if (process?.outcome === 'ruling' && (await this.#wasUnrecorded(entry.id))) lacking = 'ruled';
    }
    return lacking;
  }

  /** Whether a run met an account that the journal did not know as created. */
  async #wasUnrecorded(accountId: number): Promise<boolean> {
    for await (const { step, code } of this.#ports.journal.attempts(accountId))
      if (step === 'process' && code === createdUnrecorded) return true;
    return false;
  }

  /**
   * Says why the run stopped, if contradictions stopped it: as precisely as the platform's lists allow. Unless requests were
   * doubled, every account of the journal is in doubt from then on.
   */
  async conclude(): Promise<void> {
    const { stop, journal, clock } = this.#ports;
    if (this.#found.size < mostContradicted) return;
    const times = await this.#creationTimes();
    const [first] = [...this.#found.values()];
    if (first !== undefined) await times.read(first.supplier);
    const known = await this.#known();
    const suspicion = suspicionOf(this.#all, known);
    stop.restate(suspicion, detailOf(suspicion, this.#found.size, known, times.newest));
    if (suspicion !== 'doubled_requests') await journal.markDoubted(clock.now());
  }

  get #all(): Contradiction[] {
    return [...this.#found.values()].map(({ contradiction }) => contradiction);
  }

  async #known(): Promise<Known> {
    this.#recordedAt ??= this.#before().then((run) =>
      this.#ports.journal.recordedUntil(run, contradictionCodes),
    );
    return { recordedAt: await this.#recordedAt, begunAt: this.#begunAt, clean: this.#clean };
  }

  #creationTimes(): Promise<CreationTimes> {
    const { client, stop, sent } = this.#ports;
    this.#times ??= this.#known().then(
      (known) =>
        new CreationTimes(client, (createdAt) => isCreatedSince(createdAt, known), {
          aborting: stop.aborting,
          sent,
        }),
    );
    return this.#times;
  }
}

/** For people, and for what reads the history. */
function detailOf(
  suspicion: Suspicion,
  accounts: number,
  { recordedAt, begunAt }: Known,
  newest: number | undefined,
): string {
  const said = [`accounts: ${accounts}`];
  if (newest !== undefined) said.push(`the platform's newest account is of ${utcDatetime(newest)}`);
  if (suspicion === 'journal_behind' && recordedAt !== undefined)
    said.push(`the journal is complete until ${utcDatetime(recordedAt)}`);
  if (suspicion === 'other_journal') said.push(`this run began at ${utcDatetime(begunAt)}`);
  return said.join('; ');
}
