import { isExtraStep } from '../../domain/steps.ts';
import type { AccountChange } from '../../journal/journal.ts';
import type { RunContext } from '../run/context.ts';
import { createAccount } from '../steps/create-account.ts';
import { confirmNumber, contested, createdSinceBackup } from '../steps/existing-account.ts';
import { notDone, type ProcessResult } from '../steps/process-result.ts';
import { stopped } from '../steps/step-result.ts';
import { scheduleAccount } from '../steps/schedule-account.ts';
import { validate } from '../steps/validate.ts';
import type { AccountProgress } from './account-progress.ts';
import type { AccountRun } from './account-run.ts';
import { importOf, isAskedAnew, isProcessOpen, isValidated } from './standing.ts';

/** Runs those of validate, stage and process that are not done; of an account that exists, the platform confirms its number. */
export async function createOrConfirm(context: RunContext, run: AccountRun): Promise<ProcessResult> {
  const { progress } = run;
  const { krakenAccountNumber } = progress;
  if (progress.steps.process === 'done' && krakenAccountNumber !== undefined)
    return confirm(context, run, krakenAccountNumber);
  const prior = progress.prior('process');
  if (context.settings.steps.has('process') && isAskedAnew(progress)) {
    // Durable before anything is sent: an uncertain step is a person's, and this one is open again.
    progress.carry({ steps: { process: 'pending' } });
    void progress.keep();
  }
  const isAsked = isProcessOpen(progress) && context.settings.steps.has('process');
  if (prior?.state === 'uncertain' && !isAsked)
    return { state: 'uncertain', code: prior.code ?? '', problems: [] };

  const created =
    importOf(progress, context.settings) === 'v2'
      ? await schedule(context, run)
      : ((await sinceBackup(context, run)) ?? (await create(context, run)));
  if (created.state !== 'done') return created;
  const { numbers } = context;
  progress.carry({
    state: 'imported',
    code: '',
    krakenAccountNumber: numbers.numberOf(run) ?? created.krakenAccountNumber,
    steps: { ...doneBefore(progress, created.createdFrom), process: 'done' },
  });
  return numbers.isContested(run) ? contested(context, run) : created;
}

/** Created in an earlier run, with this number. */
async function confirm(
  context: RunContext,
  run: AccountRun,
  krakenAccountNumber: string,
): Promise<ProcessResult> {
  const createdFrom = run.progress.prior('process')?.hash ?? run.payloadHash;
  const created = { state: 'done', krakenAccountNumber, createdFrom } as const;
  const confirmed = await confirmNumber(context, run, created);
  if (confirmed.state === 'done' && confirmed.krakenAccountNumber !== krakenAccountNumber)
    run.progress.carry({ krakenAccountNumber: confirmed.krakenAccountNumber });
  return confirmed;
}

/**
 * Steps that earlier runs did with the data that the account was created from: a crash may have prevented the
 * record in its row.
 */
function doneBefore({ parts }: AccountProgress, hash: string): AccountChange['steps'] {
  const done = parts.filter((part) => part.state === 'done' && part.hash === hash && !isExtraStep(part.step));
  return Object.fromEntries(done.map(({ step }) => [step, 'done']));
}

async function sinceBackup(context: RunContext, run: AccountRun): Promise<ProcessResult | undefined> {
  const { inDoubtSince } = run.progress;
  return inDoubtSince === undefined ? undefined : createdSinceBackup(context, run, inDoubtSince);
}

/** By a task of the platform (import v2). */
async function schedule(context: RunContext, run: AccountRun): Promise<ProcessResult> {
  const { progress } = run;
  const { inDoubtSince } = progress;
  // One that is counted as scheduled has its room, also if a crash cut off the record of its end.
  const hasOwn = progress.state === 'scheduled' || isProcessOpen(progress) || inDoubtSince !== undefined;
  // The platform has as many tasks as are allowed, and this run waits for none of them.
  if (!hasOwn && !context.tasks.hasRoom) {
    context.tasks.passOver();
    return notDone(stopped);
  }
  const unvalidated = inDoubtSince === undefined ? await validated(context, run) : undefined;
  return unvalidated ?? scheduleAccount(context, run, inDoubtSince);
}

async function create(context: RunContext, run: AccountRun): Promise<ProcessResult> {
  return (await validated(context, run)) ?? createAccount(context, run);
}

/** undefined: nothing is in the way of creating the account. */
async function validated(context: RunContext, run: AccountRun): Promise<ProcessResult | undefined> {
  const { progress, payloadHash } = run;
  // An attempt of unknown outcome is settled before anything is sent again, so validating has to wait for it.
  const validates = context.settings.steps.has('validate') && !isValidated(progress, payloadHash);
  if (validates && !isProcessOpen(progress)) {
    const result = await validate(context, run);
    if (result.state !== 'done') return { ...result, state: result.state, step: 'validate' };
  }
  return undefined;
}
