import type { PostEndpoint } from '../../client/platform-client.ts';
import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { fingerprint } from '../hash.ts';
import { deliver, result, uncertain, type PartPolicy, type PartResult } from '../part.ts';
import { stepResult, together, type StepResult } from './step-result.ts';

/** A step whose payloads are sent whole, each in one request. */
export interface PayloadsStep {
  readonly step: ExtraStepName;
  readonly endpoint: PostEndpoint;
  policy(payload: JsonObject): PartPolicy;
}

/** Sends each payload of the step that is not done yet. */
export async function deliverPayloads(
  context: RunContext,
  run: AccountRun,
  step: PayloadsStep,
): Promise<StepResult> {
  const results: StepResult[] = [];
  for (const [request, payload] of run.plan.extras[step.step].entries()) {
    const sent = stepResult(await deliverPayload(context, run, step, payload, request), request);
    results.push(sent);
    if (sent.state === 'stopped' || sent.state === 'failed') break;
  }
  return together(results);
}

async function deliverPayload(
  context: RunContext,
  run: AccountRun,
  step: PayloadsStep,
  payload: JsonObject,
  request: number,
): Promise<PartResult> {
  const body = stringifyJson(payload);
  const ref = { accountId: run.progress.id, step: step.step, part: request };
  const hash = fingerprint(body);
  const prior = run.progress.priorParts.find((part) => part.step === step.step && part.part === request);
  if (prior?.state === 'uncertain') return result('uncertain', prior.code ?? '');
  if (prior?.state === 'done')
    return result(
      prior.hash === hash ? 'done' : 'refused',
      prior.hash === hash ? '' : 'changed_after_import',
    );
  // What was changed in the export since an attempt of unknown effect must not be sent on top of it.
  if (prior?.state === 'sent' && prior.hash !== hash)
    return uncertain(context, { ref }, 'changed_since_lost_answer');
  const part = { ref, account: run.plan.key.account, endpoint: step.endpoint, body, hash };
  return deliver(context, part, step.policy(payload), prior);
}
