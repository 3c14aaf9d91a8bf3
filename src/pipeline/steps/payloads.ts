import type { PostEndpoint } from '../../client/platform-client.ts';
import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { fingerprint } from '../hash.ts';
import { deliver, result, type PartPolicy } from '../part.ts';
import { changedAfterImport, RecordedParts, refusedBefore, settleLeftBehind } from './recorded-parts.ts';
import { done, stepResult, together, type StepResult } from './step-result.ts';

/** A step whose payloads are sent whole, each in one request. */
export interface PayloadsStep {
  readonly step: ExtraStepName;
  readonly endpoint: PostEndpoint;
  readonly policy: (payload: JsonObject) => PartPolicy;
}

/** Sends each payload of the step that is not done yet. */
export async function deliverPayloads(
  context: RunContext,
  run: AccountRun,
  { step, endpoint, policy }: PayloadsStep,
): Promise<StepResult> {
  const today = run.plan.extras[step];
  const recorded = new RecordedParts(run, step, today.length);
  const payloads = today.map((payload) => {
    const body = stringifyJson(payload);
    const hash = fingerprint(body);
    return { payload, body, hash, prior: recorded.take((entry) => entry.hash === hash) };
  });
  const leftBehind = settleLeftBehind(context, run, recorded.left);
  const results: StepResult[] = [...leftBehind.results];
  for (const [request, { payload, body, hash, prior }] of payloads.entries()) {
    const placed = (one: StepResult): StepResult => ({
      ...one,
      problems: one.problems.map((problem) => ({ ...problem, request })),
    });
    if (prior?.state === 'done') results.push(done);
    else if (prior?.state === 'refused') results.push(placed(refusedBefore(prior, '')));
    else if (prior?.state === 'uncertain') results.push(stepResult(result('uncertain', prior.code ?? '')));
    else if (prior === undefined && leftBehind.isUnknown) continue;
    else if (prior === undefined && leftBehind.isDone)
      results.push(stepResult(result('refused', changedAfterImport)));
    else {
      const ref = { accountId: run.progress.id, step, part: prior?.part ?? recorded.number(request, hash) };
      const part = { ref, account: run.plan.key.account, endpoint, body, hash };
      const sent = stepResult(await deliver(context, part, policy(payload), prior), request);
      results.push(sent);
      if (sent.state === 'stopped' || sent.state === 'failed') break;
    }
  }
  return together(results);
}
