import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { atRest } from '../request/quiet-period.ts';
import { createdUnrecorded, numberOfAnotherAccount } from '../../domain/shared-codes.ts';
import { settleNumber } from '../numbers/settle-number.ts';
import { askTransferStatus, type SettledStatus } from './transfer-status.ts';
import { stopped } from './step-result.ts';
import { ProcessPart } from './process-part.ts';
import { notDone, type ProcessResult } from './process-result.ts';

/**
 * Whether an account in doubt was created since the backup from which the journal was restored; nothing is sent
 * before that is known. undefined: its status says that it was not, so none of its history can have been sent either. The
 * status does not name its account: the doubt lasts until the platform stages it.
 */
export async function createdSinceBackup(
  context: RunContext,
  run: AccountRun,
  restoredAt: number,
): Promise<ProcessResult | undefined> {
  const part = new ProcessPart(context, run);
  const status = await askTransferStatus(context, run, {
    isLost: part.unknown,
    quietUntil: Math.max(part.quietUntil, context.quiet.ofRecorded({ run: context.run, sentAt: restoredAt })),
  });
  const ended = await endedBy(context, run, part, status);
  // It is not known what is staged now either.
  if (ended === undefined) await run.progress.forgetStaged();
  return ended;
}

/** What the account's status says about attempts of unknown outcome; undefined: they created no account. */
export async function endedBy(
  context: RunContext,
  run: AccountRun,
  part: ProcessPart,
  status: SettledStatus,
): Promise<ProcessResult | undefined> {
  switch (status.kind) {
    // Stryker disable StringLiteral,ConditionalExpression: what is in no case gives undefined too
    case 'absent':
    case 'missing':
      return undefined;
    // Stryker restore StringLiteral,ConditionalExpression
    case 'completed':
      return adopted(context, run, part, status.krakenAccountNumber);
    case 'uncertain':
      return part.uncertain(status.code);
    case 'failed':
      return { state: 'failed', code: status.code, problems: [] };
    case 'stopped':
      return notDone(stopped);
  }
}

/**
 * The platform has the account: ours if an attempt was lost or may have been sent since the backup, adopted if the user
 * allows it, otherwise skipped.
 */
export async function existsAlready(
  context: RunContext,
  run: AccountRun,
  part: ProcessPart,
  number: string | undefined,
): Promise<ProcessResult> {
  const isKnown = await part.isOurs();
  // A run that a restored journal does not contain may have created it.
  const isOurs = isKnown || run.progress.inDoubtSince !== undefined;
  if (!isOurs && !context.settings.adopt) {
    if (await isUnrecorded(context, run)) return part.uncertain(createdUnrecorded);
    return { state: 'skipped', code: 'already_imported', problems: [] };
  }
  if (number !== undefined && (await context.numbers.claim(run, number)))
    return part.adopted(number, isKnown);
  const status = await askTransferStatus(context, run, { isLost: part.unknown, quietUntil: atRest });
  if (status.kind === 'completed') return adopted(context, run, part, status.krakenAccountNumber, isKnown);
  if (status.kind === 'stopped') return notDone(stopped);
  if (status.kind === 'failed') return { state: 'failed', code: status.code, problems: [] };
  return part.uncertain(number === undefined ? 'already_imported_without_number' : numberOfAnotherAccount);
}

/**
 * Whether the account was created since the journal last recorded something: by a run that it does not contain, or by another
 * journal. What can be staged was not there before. What of it cannot be repeated is held back.
 */
async function isUnrecorded(context: RunContext, run: AccountRun): Promise<boolean> {
  const { contradictions } = context;
  const { plan, progress } = run;
  const createdAt = await contradictions.createdSince(plan.key);
  const wasStaged = progress.parts.some(({ step, state }) => step === 'stage' && state === 'done');
  if (createdAt === undefined && !wasStaged) return false;
  contradictions.add(progress.id, plan.key, { is: 'created', isOfThisRun: false, createdAt });
  await run.holdBack();
  return true;
}

/** The status says that the platform has the account with this number: accepted unless another account has it too. */
async function adopted(
  context: RunContext,
  run: AccountRun,
  part: ProcessPart,
  number: string,
  // A refused attempt did not create it.
  isKnown = part.unknown,
): Promise<ProcessResult> {
  // Stryker disable next-line ConditionalExpression: a number that nobody else has is settled as ours
  if (await context.numbers.claim(run, number)) return part.adopted(number, isKnown);
  const settled = await settleNumber(context, run, number);
  switch (settled.kind) {
    case 'ours':
      return part.adopted(settled.krakenAccountNumber, isKnown);
    case 'contested':
      // So that the next account that gets it is found to share it.
      run.progress.carry({ krakenAccountNumber: number });
      return part.uncertain(numberOfAnotherAccount);
    case 'failed':
      return { state: 'failed', code: settled.code, problems: [] };
    case 'stopped':
      return notDone(stopped);
  }
}

/** A created account was found to share its number with another one. */
export function contested(context: RunContext, run: AccountRun): ProcessResult {
  return new ProcessPart(context, run, true).uncertain(numberOfAnotherAccount);
}

/**
 * For an account that was created in an earlier run: its number, or the findings if another account has it. If
 * nothing can be found out now, no problem is known, and it stays unchanged.
 */
export async function confirmNumber(
  context: RunContext,
  run: AccountRun,
  created: Extract<ProcessResult, { state: 'done' }>,
): Promise<ProcessResult> {
  if (await context.numbers.claim(run, created.krakenAccountNumber)) return created;
  const part = new ProcessPart(context, run);
  const status = await askTransferStatus(context, run, { isLost: false, quietUntil: atRest });
  if (status.kind === 'failed' || status.kind === 'stopped') return notDone(stopped);
  if (status.kind !== 'completed') return part.uncertain(numberOfAnotherAccount);
  const number = status.krakenAccountNumber;
  // Stryker disable next-line ConditionalExpression: a number that nobody else has is settled as ours
  if (await context.numbers.claim(run, number)) return { ...created, krakenAccountNumber: number };
  const settled = await settleNumber(context, run, number);
  if (settled.kind === 'ours') return { ...created, krakenAccountNumber: settled.krakenAccountNumber };
  return settled.kind === 'contested' ? part.uncertain(numberOfAnotherAccount) : notDone(stopped);
}
