import { moneyIn } from '../../contract/money.ts';
import { parseJson, type JsonObject } from '../../domain/json.ts';
import { writeMoney } from '../../domain/money.ts';
import type { Problem } from '../../domain/problem.ts';
import { extraStepNames, type ExtraStepName } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { printOf } from '../../pipeline/hash.ts';
import type { ReadyPlan } from '../../pipeline/ready-plan.ts';
import type { Batch, PackedAccount } from './messages.ts';

/** Accounts and bytes that make a batch: small, so that little is ahead of the run, and enough to be worth a message. */
const mostAccounts = 32;
const enoughBytes = 256 * 1024;

/** Gathers plans that are ready into a batch, their payloads serialised once, as the bytes that will be sent. */
export class Packing {
  #accounts: PackedAccount[] = [];
  #texts: string[] = [];
  #length = 0;

  get isFull(): boolean {
    return this.#accounts.length >= mostAccounts || this.#length >= enoughBytes;
  }

  get isEmpty(): boolean {
    return this.#accounts.length === 0;
  }

  /** `problems`: everything that the local checks found. */
  add(number: number, plan: AccountPlan, problems: readonly Problem[]): void {
    const { payloadBody, payloadHash, planHash, extraTexts } = printOf(plan);
    const places: number[] = [];
    this.#place(payloadBody, places);
    for (const [at, step] of extraStepNames.entries())
      this.#place(plan.extras[step].length === 0 ? '' : (extraTexts[at] ?? ''), places);
    const money = writeMoney(moneyIn('process', plan.payload));
    this.#accounts.push({ number, key: plan.key, problems, payloadHash, planHash, money, places });
  }

  /** An account that will only be counted. */
  addUnready(number: number, { key }: AccountPlan): void {
    const none = { payloadHash: '', planHash: '', money: undefined, places: [] };
    this.#accounts.push({ number, key, problems: [], ...none });
  }

  /** What was gathered; the next batch begins. */
  take(): Batch {
    const bytes = new ArrayBuffer(this.#length);
    const buffer = Buffer.from(bytes);
    let at = 0;
    for (const text of this.#texts) at += buffer.write(text, at);
    const batch = { accounts: this.#accounts, bytes };
    this.#accounts = [];
    this.#texts = [];
    this.#length = 0;
    return batch;
  }

  #place(text: string, places: number[]): void {
    places.push(this.#length);
    if (text !== '') this.#texts.push(text);
    this.#length += Buffer.byteLength(text);
    places.push(this.#length);
  }
}

/** What the plan of a packed account is asked for elsewhere. */
export type Elsewhere = Pick<ReadyPlan, 'locate' | 'close'>;

/** The plan of a packed account. Payloads are read from their bytes when they are first asked for: many never are. */
export function unpacked(packed: PackedAccount, bytes: ArrayBuffer, elsewhere: Elsewhere): ReadyPlan {
  const { key, problems, payloadHash, planHash, money, places } = packed;
  const at = (index: number): Buffer => {
    const from = places[2 * index] ?? 0;
    return Buffer.from(bytes, from, (places[2 * index + 1] ?? 0) - from);
  };
  const bytesOf = (step: ExtraStepName): Buffer => at(1 + extraStepNames.indexOf(step));
  return {
    key,
    problems,
    money,
    print: { payloadBody: at(0), payloadHash, planHash },
    extras: extrasFrom(bytesOf),
    isPlanned: (step) => bytesOf(step).length > 0,
    locate: (step, path, request) => elsewhere.locate(step, path, request),
    close: () => elsewhere.close(),
  };
}

function extrasFrom(bytesOf: (step: ExtraStepName) => Buffer): AccountPlan['extras'] {
  const read = new Map<ExtraStepName, readonly JsonObject[]>();
  const payloads = (step: ExtraStepName): readonly JsonObject[] => {
    let known = read.get(step);
    if (known === undefined) {
      const bytes = bytesOf(step);
      known = bytes.length === 0 ? [] : (parseJson(bytes.toString()) as JsonObject[]);
      read.set(step, known);
    }
    return known;
  };
  return {
    get notes() {
      return payloads('notes');
    },
    get transactions() {
      return payloads('transactions');
    },
    get agreements() {
      return payloads('agreements');
    },
    get 'billing-documents'() {
      return payloads('billing-documents');
    },
    get statements() {
      return payloads('statements');
    },
    get 'payment-instruction'() {
      return payloads('payment-instruction');
    },
  };
}
