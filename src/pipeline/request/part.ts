import type { PostEndpoint } from '../../client/platform-client.ts';
import { hasCode, type Refusal } from '../../contract/refusal.ts';
import type { SentValues } from '../../contract/sent-values.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import type { TransactionsQuery } from '../../contract/schemas/transactions.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { PartEntry, PartRef, Settlement } from '../../journal/journal.ts';
import { journalContradicted } from '../../domain/shared-codes.ts';
import { requestTooLarge } from '../../domain/request-too-large.ts';
import type { RunContext } from '../run/context.ts';
import { isToHoldBack, thereBefore, type FirstAttempt, type SaidOfFirst } from '../account/first-attempt.ts';
import { saysAbsent, type ContradictingAnswer } from '../account/contradiction.ts';
import { missedCode, sendWithRetry, type Missed, type Said } from './send-with-retry.ts';
import { adoptedOutcome, nothingOpen, openAttempts, type OpenAttempts } from '../account/open-attempts.ts';
import { platformWords } from './platform-words.ts';
import { atRest } from './quiet-period.ts';
import type { RetriedRequest, SendOutcome } from './retried-request.ts';

/** One request of a step: what is sent, and its address in the journal. */
export interface Part {
  readonly ref: PartRef;
  readonly key: AccountKey;
  /** The account's platform number: an answer with another number is about another account. */
  readonly krakenAccountNumber: string | undefined;
  readonly endpoint: PostEndpoint;
  readonly body: string | Buffer;
  /** What the platform is sent about its account. */
  readonly about: SentValues;
  /** Fingerprint of the body's contents; with the part's index it identifies what was sent. */
  readonly hash: string;
  /** The amounts in the body, as written by `writeMoney`; absent if there are none. */
  readonly money: string | undefined;
  readonly prints?: string | undefined;
  readonly query?: TransactionsQuery | undefined;
  /** Present if nothing of it was sent before, as far as the journal knows. */
  readonly first?: FirstAttempt | undefined;
}

/**
 * The result of a part.
 *
 * - `done`, `refused`, `uncertain`, `failed`: as in the journal
 * - `lost`: unknown, and to be settled by the step itself
 * - `too-large`: its body, for a gateway; the step may divide it. `isLost`: whether it may have had its effect
 * - `stopped`: the run is draining
 */
export interface PartResult {
  readonly state: 'done' | 'refused' | 'uncertain' | 'failed' | 'lost' | 'too-large' | 'stopped';
  readonly code: string;
  readonly problems: readonly PayloadProblem[];
  /** Items that the platform reported as existing, by index; absent if an earlier attempt may have sent them. */
  readonly existed?: readonly number[] | undefined;
  readonly isLost?: boolean;
}

/** The guarantee of a step for one part (the table in docs/guarantees.md). */
export interface PartPolicy {
  /**
   * After a lost answer: `repeat` freely, because the platform recognises what it has; repeat `once`; return it to
   * the step to `settle`; or leave it to a person (`uncertain`).
   */
  readonly whenLost: 'repeat' | 'once' | 'settle' | 'uncertain';
  /**
   * An answer, or a refusal, does not identify its request, and its consequences cannot be undone: each request is
   * sent over a connection that carried no other.
   */
  readonly namesNothing?: boolean;
  /** A repeat must not meet the lost attempt: it waits until that can no longer be under way. */
  readonly isIrrevocable?: true;
  /** The platform recognises what it has, so that a second request has no second effect. */
  readonly isRecognised?: boolean;
  /** Its answer shows if the platform has it already. */
  readonly bearsWitness?: boolean;
  /** The part has several items that can also be sent one by one. */
  readonly isSeveral?: boolean;
  /** The code that the journal keeps of a refusal which has it, whichever of its problems comes first. */
  readonly keptCode?: string | undefined;
  /** The meaning of a success's body; absent if the status is enough. */
  read?(body: JsonValue | undefined): Verdict;
  /** Whether a refusal proves, by its codes and never by its messages, that the data of an earlier attempt arrived. */
  provesOurs?(refusal: Refusal): boolean;
  /**
   * Whether a refusal says that the platform has this already, though nothing else of the account's export can be it.
   * If this journal created the account, a proxy may have sent the request twice.
   */
  saysThere?(refusal: Refusal): boolean;
  /** Whether a refusal says that the platform has some of several items. */
  saysSomeThere?(refusal: Refusal): boolean;
  /** Whether a refusal says nothing about the effect of an earlier request. */
  readonly isNoProof?: ((refusal: Refusal) => boolean) | undefined;
  /**
   * An answer after which the interface wants the request repeated unchanged (section 4, rule 8), any number of
   * times.
   */
  readonly mayRepeat?: (status: number | undefined) => boolean;
  /** Whether such an answer is known to have had no effect. */
  readonly isRepeatHarmless?: boolean;
  /** The money of a done part that no other part counts, if others may. `existed`: as in PartResult. */
  readonly ownMoney?: ((existed: readonly number[] | undefined) => string | undefined) | undefined;
}

export interface Verdict {
  readonly state: 'done' | 'refused' | 'uncertain';
  readonly code?: string | undefined;
  readonly problems?: readonly PayloadProblem[];
  /** Items that the platform reports as existing, by index. */
  readonly existed?: readonly number[];
  /** The platform has different data with this id, whichever attempt sent it: this is not in doubt. */
  readonly isConflict?: boolean;
}

/**
 * What is known of the attempts at a part before an answer:
 *
 * - `none`: there were none
 * - `clear`: the outcome of each is known, and always was
 * - `cleared`: some outcome was unknown, until a person decided it
 * - `open`: an attempt may have had its effect, and nothing has shown whether it did
 */
type Past = 'none' | 'clear' | 'cleared' | 'open';

/** `isOpenNow`: an attempt of this run was lost. An attempt that was refused later, and made pending again, may have been lost before. */
function pastOf(prior: PartEntry | undefined, { unknown, ever }: OpenAttempts, isOpenNow: boolean): Past {
  if (isOpenNow || unknown > 0) return 'open';
  if (ever.length > 0) return 'cleared';
  // Stryker disable next-line StringLiteral: what is none of the others is clear
  return prior === undefined ? 'none' : 'clear';
}

/**
 * The meaning of an answer. While an earlier attempt is open, a refusal says nothing about that one, so the part becomes
 * `uncertain` unless the refusal proves that the data arrived. `isDoubled`: the platform has what was sent once, so the
 * refusal may answer a second copy of it.
 */
function judge(
  policy: PartPolicy,
  answer: Said<JsonValue | undefined>,
  past: Past,
  isDoubled: boolean,
): Verdict {
  const verdict: Verdict =
    answer.kind === 'ok'
      ? (policy.read?.(answer.body) ?? { state: 'done' })
      : refusedBy(answer, policy.keptCode);
  if (verdict.state !== 'refused' || verdict.isConflict === true) return verdict;
  if (answer.kind !== 'ok') {
    if (policy.isNoProof?.(answer.refusal) === true) return { ...verdict, state: 'uncertain' };
    const wasUnknown = past === 'open' || past === 'cleared';
    // This also overrides a ruling that it did not arrive.
    if (wasUnknown && policy.provesOurs?.(answer.refusal) === true)
      // Stryker disable next-line StringLiteral: a refusal has a code
      return { state: 'done', code: answer.refusal.code || (verdict.code ?? '') };
  }
  return isDoubled || past === 'open' ? { ...verdict, state: 'uncertain' } : verdict;
}

/** Whether this journal sent a process request for the account: then nobody else is known to have created it. */
async function isOwn({ journal }: RunContext, accountId: number): Promise<boolean> {
  for await (const { step, outcome } of journal.attempts(accountId))
    if (step === 'process' && outcome !== adoptedOutcome) return true;
  return false;
}

/** A refusal as a verdict, with a code for the account and at least one problem. `keptCode`: as in PartPolicy. */
export function refusedBy(answer: Exclude<Said<unknown>, { kind: 'ok' }>, keptCode?: string): Verdict {
  const { refusal } = answer;
  const first = refusal.problems[0];
  // A bare message under a field has no code: use the answer's code if it has one.
  const hasOwn = first !== undefined && (first.code !== 'invalid' || refusal.code === '');
  const code = hasOwn ? first.code : refusal.code === '' ? `http_${answer.status}` : refusal.code;
  const problems: PayloadProblem[] =
    first === undefined
      ? [{ code, path: '', detail: refusal.detail, severity: 'error' }]
      : [...refusal.problems];
  // Stryker disable next-line ConditionalExpression: no refusal has a code that is undefined
  const isKept = keptCode !== undefined && hasCode(refusal, keptCode);
  return { state: 'refused', code: isKept ? keptCode : code, problems };
}

/**
 * Sends one part with its guarantee: the intent is durable before the request leaves, and the outcome is recorded
 * before anything else of the account is sent. `prior` is the journal's entry of the same part.
 */
export async function deliver(
  context: RunContext,
  part: Part,
  policy: PartPolicy,
  prior: PartEntry | undefined,
): Promise<PartResult> {
  if (isToHoldBack(context, part.ref.accountId, policy, prior))
    return result('uncertain', journalContradicted);
  const before = await attemptsBefore(context, part, policy, prior);
  if ('state' in before) return before;
  const outcome = await sendWithRetry(context, requestOf(context, part, policy, { prior, before }));
  if (outcome.kind !== 'said') return unsaid(context, part, policy, outcome);
  return said(context, part, policy, {
    answer: outcome.answer,
    past: pastOf(prior, before, outcome.afterUnknown),
  });
}

/** The attempts at a part whose outcome is or was unknown; or its result, if it must not be sent after them. */
async function attemptsBefore(
  context: RunContext,
  part: Part,
  { whenLost, mayRepeat }: PartPolicy,
  prior: PartEntry | undefined,
): Promise<OpenAttempts | PartResult> {
  if (prior === undefined) return nothingOpen;
  const isLost = prior.state === 'sent';
  if (isLost && whenLost === 'settle') return result('lost', 'lost_answer');
  if (isLost && whenLost === 'uncertain') return uncertain(context, part, 'lost_answer');
  const before = await openAttempts(context.journal, { ...part.ref, hash: part.hash }, mayRepeat);
  return isLost && whenLost === 'once' && before.lost > 1 ? uncertain(context, part, 'lost_answer') : before;
}

function requestOf(
  context: RunContext,
  part: Part,
  policy: PartPolicy,
  { prior, before }: { readonly prior: PartEntry | undefined; readonly before: OpenAttempts },
): RetriedRequest<JsonValue | undefined> {
  const { journal, clock } = context;
  const repeats = { repeat: Infinity, once: before.lost > 0 ? 0 : 1, settle: 0, uncertain: 0 };
  return {
    ...part.key,
    size: { bytes: Buffer.byteLength(part.body), isHarmless: policy.isRecognised ?? false },
    contradicts: saysAbsent,
    quietUntil: policy.isIrrevocable === true ? quietAfter(context, before.ever) : undefined,
    step: part.ref.step,
    isDelicate: policy.whenLost === 'uncertain',
    afterUnknown: prior?.state === 'sent',
    lostRepeats: () => repeats[policy.whenLost],
    before: () =>
      journal.intend(part.ref, {
        hash: part.hash,
        run: context.run,
        at: clock.now(),
        money: part.money,
        prints: part.prints,
      }),
    send: (signal) =>
      context.client.post(part.endpoint, part.body, {
        signal,
        key: part.key,
        krakenAccountNumber: part.krakenAccountNumber,
        about: part.about,
        fresh: policy.namesNothing ?? false,
        query: part.query,
      }),
    missed: (answer, unknown) =>
      context.record(journal.settle(part.ref, missedSettlement(answer, unknown, clock.now()))),
    mayRepeat: ({ status }) => policy.mayRepeat?.(status) ?? false,
    isRepeatHarmless: policy.isRepeatHarmless ?? false,
  };
}

/** Records what the platform has said, and what that means. */
async function said(
  context: RunContext,
  part: Part,
  policy: PartPolicy,
  { answer, past }: { readonly answer: Said<JsonValue | undefined>; readonly past: Past },
): Promise<PartResult> {
  const { journal, clock } = context;
  const isThere = answer.kind !== 'ok' && policy.saysThere?.(answer.refusal) === true;
  const isDoubled = isThere && (await isOwn(context, part.ref.accountId));
  const verdict = judge(policy, answer, past, isDoubled);
  const first = past === 'none' ? part.first : undefined;
  const there = first && (await thereBefore(context, part, first, saidOf(policy, answer, verdict)));
  // The answer is about all items: sending them one by one shows which arrived.
  const isToSettle = verdict.state === 'uncertain' && policy.isSeveral === true;
  const existed = past === 'open' ? undefined : verdict.existed;
  const money = verdict.state === 'done' ? policy.ownMoney?.(existed) : undefined;
  const words = wordsOf(context, answer, part.about);
  const code = verdict.code ?? there?.[0]?.code;
  const settlement = { ...saidSettlement(answer, { ...verdict, code }, clock.now()), words, money };
  context.record(journal.settle(part.ref, isToSettle ? { ...settlement, state: 'sent' } : settlement));
  if (isToSettle) return result('lost', 'lost_answer');
  const problems = [...(verdict.problems ?? []), ...(there ?? [])];
  return { ...result(verdict.state, verdict.code ?? '', problems), existed };
}

/** The result of a request to which nothing was said. */
function unsaid(
  context: RunContext,
  part: Part,
  policy: PartPolicy,
  outcome: Exclude<SendOutcome<unknown>, { kind: 'said' }>,
): PartResult {
  if (outcome.kind === 'stopped') return result('stopped', '');
  if (outcome.kind === 'lost')
    return policy.whenLost === 'settle'
      ? result('lost', outcome.cause)
      : uncertain(context, part, outcome.cause);
  if (outcome.cause !== requestTooLarge) return result('failed', outcome.cause);
  if (policy.isSeveral === true) return { ...result('too-large', outcome.cause), isLost: outcome.unknown };
  if (outcome.unknown && policy.whenLost === 'uncertain') return uncertain(context, part, outcome.cause);
  return result('failed', outcome.cause, [context.sizes.problem(Buffer.byteLength(part.body))]);
}

/** What the answer to a first attempt says about the past. */
function saidOf(policy: PartPolicy, answer: Said<unknown>, { state, existed }: Verdict): SaidOfFirst {
  if (answer.kind === 'ok') {
    // A success without a word about its items, as a tenancy may define one, does not show that they were not there.
    const isSaid = policy.read === undefined || existed !== undefined;
    const isNew = policy.bearsWitness === true && state === 'done' && isSaid;
    return { isThere: false, existed: existed ?? [], isNew };
  }
  const { refusal } = answer;
  const isThere = policy.saysThere?.(refusal) === true || policy.saysSomeThere?.(refusal) === true;
  return { isThere, existed: [], isNew: false };
}

/** Leaves a part to a person's ruling. */
function uncertain(context: RunContext, { ref }: Pick<Part, 'ref'>, code: string): PartResult {
  const settlement = { state: 'uncertain', outcome: 'unknown', code, at: context.clock.now() } as const;
  context.record(context.journal.settle(ref, settlement));
  return result('uncertain', code);
}

/** Leaves data to a person that was sent, is not known to have arrived, and is no longer in the export. */
export function leaveToPerson(context: RunContext, accountId: number, lost: readonly PartEntry[]): void {
  for (const { step, part } of lost)
    uncertain(context, { ref: { accountId, step, part } }, 'changed_since_lost_answer');
}

export function result(
  state: PartResult['state'],
  code: string,
  problems: readonly PayloadProblem[] = [],
): PartResult {
  return { state, code, problems };
}

/** The outcome that an answer leaves in the journal. */
export function saidSettlement(answer: Said<unknown>, verdict: Verdict, at: number): Settlement {
  const { state, code } = verdict;
  return { state, outcome: answer.kind, status: answer.status, code, at };
}

/** The part of an answer's messages that the journal keeps: only a refusal's. `sent`: what it may repeat. */
export function wordsOf(
  { settings }: Pick<RunContext, 'settings'>,
  answer: Said<unknown>,
  sent: SentValues,
): string | undefined {
  if (answer.kind === 'ok' || settings.keepWords === false) return undefined;
  return platformWords(answer.refusal, sent);
}

/** The outcome of an attempt without a clear answer: unknown as long as any attempt's effect is. */
export function missedSettlement(
  answer: Missed | ContradictingAnswer,
  unknown: boolean,
  at: number,
): Settlement {
  const code = missedCode(answer);
  const base = { state: unknown ? ('sent' as const) : ('failed' as const), outcome: answer.kind, code, at };
  return 'status' in answer ? { ...base, status: answer.status } : base;
}

/** Until when one of these attempts may be under way, in ms on the monotonic clock. */
function quietAfter({ quiet }: RunContext, attempts: readonly PartEntry[]): number {
  const sent = attempts.filter(({ state }) => state === 'sent');
  return sent.reduce((until, attempt) => Math.max(until, quiet.ofRecorded(attempt)), atRest);
}
