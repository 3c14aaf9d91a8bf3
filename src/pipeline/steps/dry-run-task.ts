import type { AccountRun } from '../account/account-run.ts';
import { refusedBy } from '../request/part.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import type { RunContext } from '../run/context.ts';
import { askTask } from './ask-task.ts';
import { scheduleBody } from './schedule-body.ts';
import { saysAlreadyImported, supplierNotOngoing } from './stage.ts';
import { judged, stopped, type StepResult } from './step-result.ts';
import { taskProblems } from './task-problems.ts';

/**
 * Submits an account as a dry run (import v2), and waits for its end. Nothing is created, so it is repeated freely and not recorded
 * in the journal.
 */
export async function dryRunTask(
  context: RunContext,
  run: AccountRun,
): Promise<StepResult & { wouldImport?: true }> {
  const body = scheduleBody(context, run, true);
  const outcome = await sendWithRetry(context, {
    ...run.plan.key,
    step: 'process',
    isProcess: true,
    send: (signal) => context.client.post('schedule', body, { signal, key: run.plan.key, about: run.sent }),
  });
  if (outcome.kind === 'stopped') return stopped;
  if (outcome.kind !== 'said') return failed(outcome.cause);
  const { answer } = outcome;
  if (answer.kind === 'ok') return outcomeOf(context, run);
  if (saysAlreadyImported(answer.refusal))
    return { state: 'skipped', code: 'already_imported', problems: [] };
  const verdict = refusedBy(answer);
  return supplierNotOngoing(context, run, verdict) ? stopped : judged(verdict);
}

async function outcomeOf(context: RunContext, run: AccountRun): Promise<StepResult & { wouldImport?: true }> {
  const { clock, settings, flow, tasks, stop } = context;
  const { account } = run.plan.key;
  const since = clock.monotonic();
  for (let question = 0; ; question += 1) {
    const ageMs = clock.monotonic() - since;
    const waitMs = tasks.waitBefore(question, ageMs);
    if (ageMs + waitMs > settings.schedule.waitMs && question > 0) return failed('dry_run_pending');
    if (!(await flow.waitAside({ account, step: 'process' }, waitMs))) return stopped;
    const asked = await askTask(context, run, false);
    if (asked.kind === 'stopped') return stopped;
    if (asked.kind === 'failed') return failed(asked.code);
    const { status, error } = asked.task ?? {};
    if (status === 'DRY_RUN_SUCCEEDED') return { state: 'done', code: '', problems: [], wouldImport: true };
    if (status === 'DRY_RUN_ERRORED') {
      const { code = '', detail = '' } = error ?? {};
      const own = code === '' ? 'dry_run_errored' : code;
      const { path } = taskProblems(run, own, detail);
      const problem = { code: own, path, detail, severity: 'error', request: 0 } as const;
      return { state: 'refused', code: own, problems: [problem] };
    }
    if (status === 'PROCESSED') {
      stop.stop('dry-run-ignored', account);
      return { state: 'uncertain', code: 'dry_run_ignored', problems: [] };
    }
  }
}

function failed(code: string): StepResult {
  return { state: 'failed', code, problems: [] };
}
