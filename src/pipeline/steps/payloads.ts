import type { PostEndpoint } from '../../client/platform-client.ts';
import { moneyIn } from '../../contract/money.ts';
import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import { writeMoney } from '../../domain/money.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { fingerprint } from '../hash.ts';
import { deliver, leaveToPerson, result, type PartPolicy } from '../part.ts';
import {
  changedSince,
  leftBehind,
  noLongerThere,
  RecordedParts,
  refusedBefore,
  type Outstanding,
} from './recorded-parts.ts';
import { stepResult, together, type StepResult } from './step-result.ts';

/** A step whose payloads are sent whole, each in one request. */
export interface PayloadsStep {
  readonly kind: 'payloads';
  readonly step: ExtraStepName;
  readonly endpoint: PostEndpoint;
  readonly policy: (payload: JsonObject) => PartPolicy;
}

/** A payload that waits to be sent. */
export interface WaitingPayload {
  readonly payload: JsonObject;
  readonly body: string;
  readonly hash: string;
  /** What it carries, as `writeMoney` has it. */
  readonly money: string | undefined;
  /** Its position among the step's payloads. */
  readonly request: number;
  /** Its part number in the journal. */
  readonly number: number;
  readonly prior?: PartEntry;
}

/** The payloads of a step that are not done, beside what the journal has of them. */
export function outstandingPayloads(
  { step }: PayloadsStep,
  plan: Pick<AccountPlan, 'extras'>,
  parts: readonly PartEntry[],
): Outstanding<WaitingPayload> {
  const today = plan.extras[step];
  const recorded = new RecordedParts(parts, step, today.length);
  const payloads = today.map((payload, request) => {
    const body = stringifyJson(payload);
    const hash = fingerprint(body);
    const money = writeMoney(moneyIn(step, payload));
    return { payload, body, hash, money, request, prior: recorded.take((entry) => entry.hash === hash) };
  });
  const behind = leftBehind(recorded.left);
  const results: StepResult[] = [...behind.results];
  const requests: WaitingPayload[] = [];
  for (const { prior, ...waiting } of payloads) {
    const { request, hash } = waiting;
    if (prior?.state === 'refused') results.push(refusedBefore(prior, '', request));
    else if (prior?.state === 'uncertain') results.push(stepResult(result('uncertain', prior.code ?? '')));
    else if (prior?.state === 'sent' || prior?.state === 'failed')
      requests.push({ ...waiting, number: prior.part, prior });
    else if (prior === undefined && !behind.isUnknown) {
      if (behind.done.length > 0) results.push(changedSince('', request));
      else requests.push({ ...waiting, number: recorded.number(request, hash) });
    }
  }
  if (behind.done.length > 0 && payloads.every(({ prior }) => prior !== undefined))
    results.push(noLongerThere(''));
  return { requests, results, lost: behind.lost, failed: behind.failed };
}

/** Sends each payload of the step that is not done yet. */
export async function deliverPayloads(
  context: RunContext,
  run: AccountRun,
  step: PayloadsStep,
): Promise<StepResult> {
  const { requests, results: told, lost } = outstandingPayloads(step, run.plan, run.progress.parts);
  leaveToPerson(context, run.progress.id, lost);
  const results = [...told];
  for (const { payload, body, hash, money, request, number, prior } of requests) {
    const ref = { accountId: run.progress.id, step: step.step, part: number };
    const part = { ref, account: run.plan.key.account, endpoint: step.endpoint, body, hash, money };
    const sent = stepResult(await deliver(context, part, step.policy(payload), prior), request);
    results.push(sent);
    if (sent.state === 'stopped' || sent.state === 'failed') break;
  }
  return together(results);
}
