import { accountTooLarge, tooLargeDetail } from '../../domain/account-too-large.ts';
import { moneyIn } from '../../contract/money.ts';
import { parseJson, type JsonObject } from '../../domain/json.ts';
import { writeMoney } from '../../domain/money.ts';
import type { Problem } from '../../domain/problem.ts';
import { extraStepNames, ofEachExtraStep, type ExtraStepName } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { traced } from '../../pipeline/check/preflight.ts';
import { printOf } from '../../pipeline/hash.ts';
import type { ReadyPlan, UnchangedRows } from '../../pipeline/account/ready-plan.ts';
import type { ReadyRequest } from '../../pipeline/request/ready-request.ts';
import type { Cutting } from '../../pipeline/settings.ts';
import { fieldPrints } from '../../pipeline/steps/field-prints.ts';
import { readySteps } from '../../pipeline/steps/ready-requests.ts';
import type { Batch, PackedAccount, PackedRequest } from './messages.ts';
import { extrasOf } from './read-extras.ts';

/** What decides what an account's requests are. */
export interface PackingOptions {
  readonly cutting: Cutting;
  /** Identifies what decides how rows are mapped. */
  readonly mapping?: string | undefined;
  /** The most memory of all accounts at the same time, in bytes. */
  readonly mostBytes: number;
}

/** Limits of a batch: small, so that little is ahead of the run, and large enough to justify a message. */
const mostAccounts = 32;
const enoughBytes = 256 * 1024;

/** Collects prepared plans into a batch, their payloads serialised once, as the bytes that will be sent. */
export class Packing {
  #accounts: PackedAccount[] = [];
  #texts: (string | Uint8Array)[] = [];
  #length = 0;
  #sizes = new Map<number, number>();

  get isFull(): boolean {
    return this.#accounts.length >= mostAccounts || this.#length >= enoughBytes;
  }

  get isEmpty(): boolean {
    return this.#accounts.length === 0;
  }

  /** The bytes of each account's requests, by its number. */
  get sizes(): ReadonlyMap<number, number> {
    return this.#sizes;
  }

  /** The bytes of all of them. */
  get bytes(): number {
    return this.#length;
  }

  /** `problems`: those of all local checks. An account with too many bytes gets a problem instead of its requests. */
  add(
    number: number,
    plan: AccountPlan,
    problems: readonly Problem[],
    { cutting, mapping, mostBytes }: PackingOptions,
  ): void {
    const ready = readySteps(plan, cutting);
    const texts = extraStepNames.map((step) => ready[step].text);
    const { payloadBody, payloadHash, planHash } = printOf(plan, texts);
    const [before, textsBefore] = [this.#length, this.#texts.length];
    let payload = this.#place(payloadBody);
    const money = writeMoney(moneyIn('process', plan.payload, plan.minorUnits));
    let requests: PackedRequest[] = [];
    for (const step of extraStepNames)
      for (const { body, ...request } of ready[step].requests)
        requests.push({ step, ...request, ...this.#place(body.toString()) });
    const planned = extraStepNames.filter((step) => plan.extras[step].length > 0);
    const print = { payloadHash, planHash, money, fields: fieldPrints(plan.payload) };
    const bytes = this.#length - before;
    const isTooLarge = bytes > mostBytes;
    if (isTooLarge) {
      this.#texts.length = textsBefore;
      this.#length = before;
      payload = { from: before, to: before };
      requests = [];
    }
    this.#accounts.push({
      number,
      key: plan.key,
      fix: plan.fix,
      problems: isTooLarge ? [...problems, tooLarge(plan, mostBytes)] : problems,
      ignoredRows: plan.ignoredRows,
      rows: mapping === undefined || plan.rows === undefined ? undefined : { ...plan.rows, mapping },
      ...print,
      ...payload,
      planned,
      requests,
      minorUnits: plan.minorUnits,
    });
    this.#sizes.set(number, this.#length - before);
  }

  /** An account that another thread packed by itself. */
  addPacked(number: number, account: PackedAccount, bytes: Uint8Array): void {
    const by = this.#length;
    const moved = <Placed extends { readonly from: number; readonly to: number }>(one: Placed): Placed => ({
      ...one,
      from: one.from + by,
      to: one.to + by,
    });
    this.#accounts.push({ ...moved(account), number, requests: account.requests.map(moved) });
    this.#texts.push(bytes);
    this.#length += bytes.length;
    this.#sizes.set(number, bytes.length);
  }

  /** An account that is only counted. */
  addUnready(
    number: number,
    { key, fix, ignoredRows }: Pick<PackedAccount, 'key' | 'fix' | 'ignoredRows'>,
  ): void {
    const none = { payloadHash: '', planHash: '', money: undefined, from: 0, to: 0 };
    this.#accounts.push({ number, key, fix, problems: [], ignoredRows, ...none, planned: [], requests: [] });
  }

  /** The collected batch; the next batch begins. */
  take(): Batch {
    const bytes = new ArrayBuffer(this.#length);
    const buffer = Buffer.from(bytes);
    let at = 0;
    for (const text of this.#texts)
      if (typeof text === 'string') at += buffer.write(text, at);
      else {
        buffer.set(text, at);
        at += text.length;
      }
    const batch = { accounts: this.#accounts, bytes };
    this.#accounts = [];
    this.#texts = [];
    this.#length = 0;
    this.#sizes = new Map();
    return batch;
  }

  #place(text: string): { readonly from: number; readonly to: number } {
    const from = this.#length;
    this.#texts.push(text);
    this.#length += Buffer.byteLength(text);
    return { from, to: this.#length };
  }
}

function tooLarge(plan: AccountPlan, mostBytes: number): Problem {
  const detail = tooLargeDetail('requests', mostBytes);
  return traced(plan, 'stage', { code: accountTooLarge, path: '', detail, severity: 'error' });
}

/** Asks another thread about the plan of a packed account. */
export type Elsewhere = Pick<ReadyPlan, 'locate' | 'close'>;

/** The plan of a packed account. */
export function unpacked(packed: PackedAccount, bytes: ArrayBuffer, elsewhere: Elsewhere): ReadyPlan {
  const { key, fix, problems, ignoredRows, rows } = packed;
  const { payloadHash, planHash, money, fields, planned, minorUnits } = packed;
  // A separate copy, so that an account that waits for long keeps none of the others in memory.
  const end = packed.requests.reduce((last, { to }) => Math.max(last, to), packed.to);
  const isAlone = packed.from === 0 && end === bytes.byteLength;
  const start = isAlone ? 0 : packed.from;
  const own = isAlone ? bytes : bytes.slice(start, end);
  const bodyOf = ({ from, to }: { readonly from: number; readonly to: number }): Buffer =>
    Buffer.from(own, from - start, to - from);
  const requests = (step: ExtraStepName): readonly ReadyRequest[] =>
    packed.requests
      .filter((request) => request.step === step)
      .map((request) => ({ ...request, body: bodyOf(request) }));
  return {
    key,
    fix,
    bytes: own.byteLength,
    problems,
    ignoredRows,
    rows,
    money,
    fields,
    minorUnits,
    print: { payloadBody: bodyOf(packed), payloadHash, planHash },
    isPlanned: (step) => planned.includes(step),
    requests,
    extras: extrasOf((step) => requests(step).map(({ body }) => parseJson(body.toString()) as JsonObject)),
    locate: (step, path, request) => elsewhere.locate(step, path, request),
    close: () => elsewhere.close(),
  };
}

const none = { payloadBody: '', payloadHash: '', planHash: '' };
const noExtras = ofEachExtraStep(() => []);

/** An account that was recognised by its rows. */
export function unchangedPlan(account: string, unchanged: UnchangedRows): ReadyPlan {
  const { supplier, ignoredRows } = unchanged;
  return {
    key: { supplier, account },
    unchanged,
    bytes: 0,
    problems: [],
    ignoredRows,
    money: undefined,
    print: none,
    isPlanned: () => false,
    requests: () => [],
    extras: noExtras,
    locate: () => Promise.resolve(undefined),
    close: () => undefined,
  };
}
