import type { PostEndpoint } from '../client/platform-client.ts';
import type { TransactionsQuery } from '../contract/schemas/transactions.ts';
import type { JsonValue } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import type { PartEntry, PartRef, Settlement } from '../journal/journal.ts';
import type { RunContext } from './context.ts';
import { exchange, type Missed, type Said } from './exchange.ts';

/** One request of a step: what is sent, and where the journal keeps it. */
export interface Part {
  readonly ref: PartRef;
  readonly account: string;
  readonly endpoint: PostEndpoint;
  readonly body: string | Buffer;
  /** Fingerprint of what the body holds; with the part's position it identifies what was sent. */
  readonly hash: string;
  /** What the body carries, as `writeMoney` has it; absent where it carries none. */
  readonly money: string | undefined;
  readonly query?: TransactionsQuery;
}

/**
 * What became of a part.
 *
 * - `done`, `refused`, `uncertain`, `failed`: as in the journal
 * - `lost`: unknown, and to be settled by the step itself
 * - `stopped`: the run is draining
 */
export interface PartResult {
  readonly state: 'done' | 'refused' | 'uncertain' | 'failed' | 'lost' | 'stopped';
  readonly code: string;
  readonly problems: readonly PayloadProblem[];
  /** Items that the platform said it had already, by position; absent where an earlier attempt may have sent them. */
  readonly existed?: readonly number[];
}

/** How the guarantee of a step is kept for one part (the table of guarantees in docs/guarantees.md). */
export interface PartPolicy {
  /**
   * After a lost answer: `repeat` freely, because the platform recognises what it has; repeat `once`; hand it back
   * to the step to `settle`; or leave it to a person (`uncertain`).
   */
  readonly whenLost: 'repeat' | 'once' | 'settle' | 'uncertain';
  /** What an answer means. `afterUnknown`: an earlier attempt may have had the effect. */
  judge(answer: Said<JsonValue | undefined>, afterUnknown: boolean): Verdict;
  harmless?(answer: Extract<Missed, { kind: 'unknown' }>): boolean;
  /**
   * Of a done part's money, what no other part has as its own, where others may. `existed`: as in PartResult.
   */
  ownMoney?(existed: readonly number[] | undefined): string | undefined;
}

export interface Verdict {
  readonly state: 'done' | 'refused' | 'uncertain';
  readonly code?: string;
  readonly problems?: readonly PayloadProblem[];
  /** Items that the platform says it had already, by position. */
  readonly existed?: readonly number[];
}

/** An answer's refusal as a verdict, with a code for the account and at least one problem to show. */
export function refusedBy(answer: Exclude<Said<unknown>, { kind: 'ok' }>): Verdict {
  const { refusal } = answer;
  const first = refusal.problems[0];
  const code = first?.code ?? (refusal.code === '' ? `http_${answer.status}` : refusal.code);
  const problems: PayloadProblem[] =
    first === undefined
      ? [{ code, path: '', detail: refusal.detail, severity: 'error' }]
      : [...refusal.problems];
  return { state: 'refused', code, problems };
}

/**
 * Sends one part with its guarantee: the intent is durable before it leaves, what came of it is recorded before
 * anything else of the account is sent. `prior` is what the journal knows of the same part.
 */
export async function deliver(
  context: RunContext,
  part: Part,
  policy: PartPolicy,
  prior: PartEntry | undefined,
): Promise<PartResult> {
  const { journal, clock } = context;
  const lostBefore = prior?.state === 'sent';
  if (lostBefore && policy.whenLost === 'settle') return result('lost', 'lost_answer');
  if (lostBefore && policy.whenLost === 'uncertain') return uncertain(context, part, 'lost_answer');
  const timesLost = prior === undefined ? 0 : await lostSoFar(context, part);
  if (lostBefore && policy.whenLost === 'once' && timesLost > 1)
    return uncertain(context, part, 'lost_answer');

  const repeats = { repeat: Infinity, once: lostBefore ? 0 : 1, settle: 0, uncertain: 0 };
  const outcome = await exchange(context, {
    account: part.account,
    step: part.ref.step,
    afterUnknown: lostBefore,
    get lostRepeats() {
      return repeats[policy.whenLost];
    },
    before: () =>
      journal.intend(part.ref, { hash: part.hash, run: context.run, at: clock.now(), money: part.money }),
    send: (signal) =>
      context.client.post(part.endpoint, part.body, {
        signal,
        ...(part.query === undefined ? {} : { query: part.query }),
      }),
    missed: (answer, unknown) =>
      context.record(journal.settle(part.ref, missedSettlement(answer, unknown, clock.now()))),
    harmless: (answer) => policy.harmless?.(answer) ?? false,
  });

  if (outcome.kind === 'said') {
    // An attempt that was refused later, and put back in line, may have been lost before.
    const afterUnknown = outcome.afterUnknown || timesLost > 0;
    const verdict = policy.judge(outcome.answer, afterUnknown);
    const existed = afterUnknown ? undefined : verdict.existed;
    const money = verdict.state === 'done' ? policy.ownMoney?.(existed) : undefined;
    const settlement = saidSettlement(outcome.answer, verdict, clock.now());
    context.record(journal.settle(part.ref, { money, ...settlement }));
    const told = result(verdict.state, verdict.code ?? '', verdict.problems);
    return existed === undefined ? told : { ...told, existed };
  }
  if (outcome.kind === 'lost')
    return policy.whenLost === 'settle'
      ? result('lost', outcome.cause)
      : uncertain(context, part, outcome.cause);
  if (outcome.kind === 'stopped') return result('stopped', '');
  return result('failed', outcome.cause);
}

/** Leaves a part to a person's ruling. */
function uncertain(context: RunContext, { ref }: Pick<Part, 'ref'>, code: string): PartResult {
  const settlement = { state: 'uncertain', outcome: 'unknown', code, at: context.clock.now() } as const;
  context.record(context.journal.settle(ref, settlement));
  return result('uncertain', code);
}

/** Leaves to a person what was sent, is not known to have arrived, and is no longer in the export. */
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

/** What an answer leaves in the journal, as it was judged. */
export function saidSettlement(answer: Said<unknown>, verdict: Verdict, at: number): Settlement {
  const { state, code } = verdict;
  const settlement = { state, outcome: answer.kind, status: answer.status, at };
  return code === undefined ? settlement : { ...settlement, code };
}

/** What an attempt without a say leaves in the journal: unknown as long as any attempt's effect is. */
export function missedSettlement(answer: Missed, unknown: boolean, at: number): Settlement {
  const code = 'cause' in answer ? answer.cause : answer.kind;
  const base = { state: unknown ? ('sent' as const) : ('failed' as const), outcome: answer.kind, code, at };
  return 'status' in answer ? { ...base, status: answer.status } : base;
}

/** How a request is recorded that may have left since the backup which the journal was put back from. */
export const restoredOutcome = 'restored';

/** How many attempts at this part were lost, in this run or an earlier one, and nobody has ruled on. */
async function lostSoFar({ journal }: RunContext, { ref, hash }: Part): Promise<number> {
  const lost = new Set<number>();
  for await (const one of journal.attempts(ref.accountId)) {
    if (one.step !== ref.step || one.part !== ref.part || one.hash !== hash) continue;
    if (one.state === 'uncertain') lost.clear();
    if (one.state === 'sent' && isLost(one.outcome ?? 'unknown')) lost.add(one.attempt);
  }
  return lost.size;
}

function isLost(outcome: string): boolean {
  return outcome === 'unknown' || outcome === restoredOutcome;
}
