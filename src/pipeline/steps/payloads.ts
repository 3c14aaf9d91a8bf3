import type { PostEndpoint } from '../../client/platform-client.ts';
import { extraStepContract } from '../../contract/extra-steps.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { wholeRequest, type ReadyRequest } from '../request/ready-request.ts';
import { firstAttempt } from '../account/first-attempt.ts';
import { deliver, leaveToPerson, result, type PartPolicy } from '../request/part.ts';
import {
  changedPaths,
  changedSince,
  leftBehind,
  noLongerThere,
  nothingBehind,
  RecordedParts,
  refusedBefore,
  type RemainingWork,
  type PlanToSend,
} from './recorded-parts.ts';
import { WitnessesFirst, type Delivery } from './witness.ts';
import { endsAccount, stepResult, together, type StepResult } from './step-result.ts';

/** A step whose payloads are sent whole, each in one request. */
export interface PayloadsStep {
  readonly kind: 'payloads';
  readonly step: ExtraStepName;
  readonly endpoint: PostEndpoint;
  /** `all`: the step's payloads. */
  readonly policy: (payload: () => JsonObject, all: () => readonly JsonObject[]) => PartPolicy;
}

/** A pending payload. */
export interface WaitingPayload extends ReadyRequest {
  /** Its index among the step's payloads. */
  readonly request: number;
  /** Its part number in the journal. */
  readonly number: number;
  readonly prior?: PartEntry;
}

/** The pending payloads of a step, with their entries in the journal. */
export function outstandingPayloads(
  { step }: Pick<PayloadsStep, 'step'>,
  plan: PlanToSend,
  parts: readonly PartEntry[],
): RemainingWork<WaitingPayload> {
  const today =
    plan.requests?.(step) ?? plan.extras[step].map((payload) => wholeRequest(step, payload, plan.minorUnits));
  if (parts.every((part) => part.step !== step))
    return {
      requests: today.map((ready, request) => ({ ...ready, request, number: request })),
      ...nothingBehind,
    };
  const recorded = new RecordedParts(parts, step, today.length);
  const payloads = today.map((ready, request) => {
    const prior = recorded.take((entry) => entry.hash === ready.hash);
    return { ...ready, request, prior };
  });
  const behind = leftBehind(recorded.left);
  const results: StepResult[] = [...behind.results];
  const pathsOf = (request: number): readonly string[] =>
    changedPaths(behind.done, plan.extras[step][request] ?? {}, extraStepContract(step).endpoint.request);
  const requests: WaitingPayload[] = [];
  for (const { prior, ...waiting } of payloads) {
    const { request, hash } = waiting;
    if (prior?.state === 'refused') results.push(refusedBefore(prior, '', request));
    else if (prior?.state === 'uncertain') results.push(stepResult(result('uncertain', prior.code ?? '')));
    else if (prior?.state === 'sent' || prior?.state === 'failed')
      requests.push({ ...waiting, number: prior.part, prior });
    else if (prior === undefined && !behind.isUnknown) {
      if (behind.done.length > 0) results.push(changedSince(pathsOf(request), request));
      else requests.push({ ...waiting, number: recorded.number(request, hash) });
    }
  }
  if (behind.done.length > 0 && payloads.every(({ prior }) => prior !== undefined))
    results.push(noLongerThere(''));
  return { requests, results, lost: behind.lost, failed: behind.failed };
}

/** Sends each payload of the step that is not done yet. */
export function payloadsDelivery(context: RunContext, run: AccountRun, step: PayloadsStep): Delivery {
  const { requests, results: told, lost } = outstandingPayloads(step, run.plan, run.progress.parts);
  leaveToPerson(context, run.progress.id, lost);
  const results = [...told];
  const all = () => run.plan.extras[step.step];
  const policyOf = ({ request }: WaitingPayload) => step.policy(() => all()[request] ?? {}, all);
  const ordered = new WitnessesFirst(requests, policyOf);

  async function send(waiting: WaitingPayload): Promise<StepResult> {
    const { body, hash, money, prints, request, number, prior } = waiting;
    const ref = { accountId: run.progress.id, step: step.step, part: number };
    const { key } = run.plan;
    const { sent: about, progress } = run;
    const { krakenAccountNumber } = progress;
    const isFirst = run.progress.parts.every((other) => other.step !== step.step || other.state === 'done');
    const first = isFirst ? firstAttempt(run, () => false) : undefined;
    const { endpoint } = step;
    const part = { ref, key, krakenAccountNumber, about, endpoint, body, hash, money, prints, first };
    return stepResult(await deliver(context, part, policyOf(waiting), prior), request);
  }

  return async (isWitnessesOnly) => {
    let last: StepResult | undefined;
    while (!endsAccount(last)) {
      const waiting = ordered.next(isWitnessesOnly);
      if (waiting === undefined) break;
      last = await send(waiting);
      results.push(last);
    }
    return together(results);
  };
}
