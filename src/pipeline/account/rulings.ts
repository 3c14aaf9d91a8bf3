import { endpointOf, endpoints } from '../../contract/endpoints.ts';
import { correctedHash } from '../../domain/corrected.ts';
import { changedAfterImport, leftOnPurpose, noLongerInExport, notOurs } from '../../domain/shared-codes.ts';
import type { AccountState } from '../../domain/account-state.ts';
import type { StepState } from '../../domain/step-state.ts';
import { writeMoney } from '../../domain/money.ts';
import { isExtraStep, stepNames, type StepName } from '../../domain/steps.ts';
import type { AccountChange, AccountEntry, Intervention, Journal, PartEntry } from '../../journal/journal.ts';
import { mayBeThere } from './standing.ts';
import { openAttempts, type readOutcome } from './open-attempts.ts';
import { itemsOf } from '../steps/item-list.ts';

/** Who rules, and when. All rulings of one command have the same. */
export type Ruler = Pick<Intervention, 'at' | 'by'>;

/** Which rejected and failed accounts to send again. */
export interface RetryChoice {
  /** Only accounts with this code. */
  readonly code?: string | undefined;
  /** Only what was refused or failed in this step. */
  readonly step?: StepName | undefined;
}

/**
 * Makes a rejected or failed account pending again, unchanged: what the platform refused is sent once more. False if
 * the choice selects nothing of it. Resolves when that is durable.
 */
export async function putBackInLine(
  journal: Journal,
  entry: AccountEntry,
  choice: RetryChoice,
  ruler: Ruler,
): Promise<boolean> {
  if (entry.state !== 'rejected' && entry.state !== 'failed') return false;
  if (choice.code !== undefined && entry.code !== choice.code) return false;
  const chosen = stepNames.filter((step) => choice.step === undefined || choice.step === step);
  const steps: Partial<Record<StepName, StepState>> = {};
  for (const step of chosen)
    if (entry.steps[step] === 'refused' || entry.steps[step] === 'failed') steps[step] = 'pending';
  // A refusal of several items keeps its code: it says which of the items that are then sent one by one may
  // be there.
  const parts = entry.parts.filter(
    (part) => part.state === 'refused' && chosen.includes(part.step) && !(itemsOf(part) > 1),
  );
  if (Object.keys(steps).length === 0 && parts.length === 0) return false;
  for (const part of parts)
    void ruled(journal, entry, part, mayHaveArrived(part) ? 'sent' : 'failed', ruler.at);
  const intervention = { ...ruler, command: 'retry' } as const;
  await journal.change(entry.id, { steps, state: whereItStands(entry), code: '', intervention });
  return true;
}

/**
 * Whether what counts as refused may be on the platform: an earlier version took other statuses for refusals, and a
 * gateway may have answered after the platform had done the work. The step settles it before it sends again.
 */
function mayHaveArrived({ step, status }: PartEntry): boolean {
  const statuses: readonly number[] = endpoints[endpointOf[step]].refusals;
  return status !== undefined && status >= 300 && !statuses.includes(status);
}

export type Ruling = (
  | { readonly as: 'done'; readonly krakenAccountNumber?: string | undefined }
  /** Send it again; a process attempt is first asked about again. */
  | { readonly as: 'repeat' }
  /** Of process: the account on the platform is somebody else's. The whole account is left alone. */
  | { readonly as: 'skip' }
) & {
  /** Only this part of the step, from zero: of two requests one may have arrived. Absent: all. */
  readonly part?: number | undefined;
};

/** Why a ruling cannot be recorded. */
export type RulingRefused = 'not-uncertain' | 'number-needed' | 'process-only';

/**
 * Records a person's ruling on a step: on what of it is uncertain, refused, given up, or sent without an answer. Done:
 * its effect is on the platform; for process this needs the account's number. Repeat: it is sent again. The next run
 * continues from there, once all uncertain parts of the step are ruled on. Skip: no run sends anything of the account, until
 * process is ruled on again. Resolves when that is durable.
 */
export async function rule(
  journal: Journal,
  entry: AccountEntry,
  step: StepName,
  ruling: Ruling,
  ruler: Ruler,
): Promise<RulingRefused | undefined> {
  const parts = await partsToRule(journal, entry, step, ruling);
  if (typeof parts === 'string') return parts;
  await takeDown(journal, entry, [{ step, ruling, parts }], ruler);
  return undefined;
}

/** The parts of a ruling, or why it cannot be recorded. Changes nothing. */
export async function partsToRule(
  journal: Journal,
  entry: AccountEntry,
  step: StepName,
  ruling: Ruling,
): Promise<readonly PartEntry[] | RulingRefused> {
  if (ruling.as === 'skip' && step !== 'process') return 'process-only';
  const { part = 'all' } = ruling;
  const chosen = entry.parts.filter((one) => one.step === step && (part === 'all' || one.part === part));
  const parts: PartEntry[] = [];
  for (const one of chosen) if (await isInDoubt(journal, entry.id, one, ruling)) parts.push(one);
  // A ruling on what is in doubt says nothing of what the same step has refused.
  if (parts.length === 0)
    parts.push(...chosen.filter((one) => isAgainst(one, ruling) || isCreatedInError(one, entry, ruling)));
  if (chosen.length === 0 && step === 'process' && ruling.as !== 'repeat')
    parts.push(...(await neverProcessed(journal, entry, ruling)));
  if (parts.length === 0) return 'not-uncertain';
  const isNamed = ruling.as !== 'done' || ruling.krakenAccountNumber !== undefined;
  return step === 'process' && !isNamed ? 'number-needed' : parts;
}

/**
 * Records that a person has made the changes of an account on the platform by hand: it is complete with the data that the export
 * has now, until that changes. False if it is not rejected for such a change, or not for that alone. Resolves when that is durable.
 */
export async function takeForCorrected(
  journal: Journal,
  entry: AccountEntry,
  ruler: Ruler,
): Promise<boolean> {
  const { id, state, code, planHash, parts } = entry;
  const process = parts.find(({ step }) => step === 'process');
  const run = process?.run ?? parts[0]?.run;
  if (state !== 'rejected' || code !== changedAfterImport || planHash === undefined || run === undefined)
    return false;
  if (hasMoreThanChanges(entry)) return false;
  const steps: Partial<Record<StepName, StepState>> = {};
  for (const step of stepNames) if (entry.steps[step] === 'refused') steps[step] = 'done';
  void journal.setProblems(id, []);
  // What was sent before is no longer what the platform has.
  const hash = correctedHash(planHash);
  void journal.recordSent(
    { accountId: id, step: 'process', part: 0 },
    { hash, run, at: ruler.at, money: process?.money },
    { state: 'done', outcome: 'ruling', at: ruler.at },
  );
  const intervention = { ...ruler, command: 'resolve' } as const;
  await journal.change(id, { state: 'completed', code: '', steps, intervention, keepsRows: true });
  return true;
}

/**
 * Records that an account left its export on purpose before it was created: it is no longer told as lost. False if its export has it,
 * or if the platform may have it. Resolves when that is durable.
 */
export async function takeForGone(journal: Journal, entry: AccountEntry, ruler: Ruler): Promise<boolean> {
  const { id, isAbsent, krakenAccountNumber, state } = entry;
  if (isAbsent !== true || krakenAccountNumber !== undefined || state === 'skipped' || mayBeThere(entry))
    return false;
  const intervention = { ...ruler, command: 'resolve' } as const;
  await journal.change(id, { state: 'skipped', code: leftOnPurpose, intervention });
  return true;
}

/** Whether steps are still to be sent, or were refused for what they are: that a change was made by hand says nothing of these. */
function hasMoreThanChanges({ steps, parts }: AccountEntry): boolean {
  const settled: ReadonlySet<StepState> = new Set(['none', 'done', 'refused']);
  return (
    stepNames.some((step) => !settled.has(steps[step])) ||
    parts.some(
      (one) => one.state === 'refused' && steps[one.step] === 'refused' && !changes.has(one.code ?? ''),
    )
  );
}

const changes: ReadonlySet<string> = new Set([changedAfterImport, noLongerInExport]);

/** Whose word it is: a person's, or that of the platform's own ledger. */
export type RulingOutcome = 'ruling' | typeof readOutcome;

/** A ruling and its parts, as returned by `partsToRule`. */
export interface RulingOnParts {
  readonly step: StepName;
  readonly ruling: Ruling;
  readonly parts: readonly PartEntry[];
}

/**
 * Records rulings on one account, of any steps. All writes are passed to the journal before this returns, so that
 * those of several accounts are committed together. `outcome`: whose word it is. Resolves when they are durable.
 */
export function takeDown(
  journal: Journal,
  entry: AccountEntry,
  rulings: readonly RulingOnParts[],
  ruler: Ruler,
  outcome: RulingOutcome = 'ruling',
): Promise<void> {
  const steps: Partial<Record<StepName, StepState>> = {};
  const ruledOn = new Set(rulings.flatMap(({ parts }) => parts));
  const left = entry.parts.filter((one) => one.state === 'uncertain' && !ruledOn.has(one));
  let number: { readonly krakenAccountNumber?: string | null } = {};
  let isCreated = false;
  let isLeftAlone = false;
  for (const { step, ruling, parts } of rulings) {
    const again = step === 'process' ? 'sent' : 'failed';
    const states = { done: 'done', repeat: again, skip: 'refused' } as const;
    for (const one of parts) void ruled(journal, entry, one, states[ruling.as], ruler.at, outcome);
    if (step === 'process') {
      isCreated = ruling.as === 'done';
      isLeftAlone = ruling.as === 'skip';
      if (ruling.as !== 'done')
        // The platform is asked for it again, or it is another account's.
        number = { krakenAccountNumber: null };
      else if (ruling.krakenAccountNumber !== undefined)
        number = { krakenAccountNumber: ruling.krakenAccountNumber };
    }
    if (left.every((one) => one.step !== step))
      steps[step] = step === 'process' && isCreated ? 'done' : 'pending';
    if (step === 'process' && ruling.as === 'repeat')
      // A refusal was about an account that did not exist, or was another one.
      for (const one of entry.parts.filter((part) => isExtraStep(part.step) && part.state === 'refused')) {
        void ruled(journal, entry, one, 'failed', ruler.at);
        if (left.every((other) => other.step !== one.step)) steps[one.step] = 'pending';
      }
  }
  const standing: Pick<AccountChange, 'state' | 'code'> = isLeftAlone
    ? { state: 'skipped', code: notOurs }
    : left.length === 0
      ? { state: isCreated ? 'imported' : whereItStands(entry), code: '' }
      : {};
  return journal.change(entry.id, {
    steps,
    ...standing,
    ...number,
    intervention: { ...ruler, command: 'resolve' },
  });
}

/** Whether nobody knows what became of a part, or a person who ruled on it may take that back. */
async function isInDoubt(
  journal: Journal,
  accountId: number,
  one: PartEntry,
  { as }: Ruling,
): Promise<boolean> {
  if (one.state === 'uncertain' || isSkipped(one)) return true;
  return as !== 'skip' && wasUnknown(journal, accountId, one);
}

/** Whether the journal has a part as without effect. A person can have found its effect, or may want it sent again. */
function isAgainst(one: PartEntry, { as }: Ruling): boolean {
  if (one.state === 'done' || as === 'skip' || one.step === 'validate' || one.step === 'stage') return false;
  if (as === 'done') return true;
  // A refusal of several items stands for those of them that may be there, and is not sent again as a whole.
  return one.state === 'refused' && one.step !== 'process' && !(itemsOf(one) > 1);
}

/**
 * The journal has an account as created by an answer that may have been another one's, and nothing else of it has arrived: the
 * platform is asked again. Where it is there after all, that finds it.
 */
function isCreatedInError({ step, state }: PartEntry, { parts }: AccountEntry, { as }: Ruling): boolean {
  const hasMore = parts.some((one) => isExtraStep(one.step) && one.state === 'done');
  return as === 'repeat' && step === 'process' && state === 'done' && !hasMore;
}

/** The process request of an account that exists though this journal never sent one: for the data that was staged last, or validated. Of an account of somebody else, nothing need have been sent. */
async function neverProcessed(
  journal: Pick<Journal, 'runs'>,
  { parts, steps, planHash = '' }: AccountEntry,
  { as }: Ruling,
): Promise<PartEntry[]> {
  if (steps.process === 'done') return [];
  const process = { step: 'process', part: 0 } as const;
  const sent = ['stage', 'validate'].flatMap((step) => parts.filter((one) => one.step === step))[0];
  if (sent !== undefined) return [{ ...sent, ...process }];
  if (as !== 'skip') return [];
  // An account of somebody else may be known before anything of it was sent.
  for await (const { id: run, startedAt: sentAt } of journal.runs(1))
    return [{ ...process, state: 'sent', hash: planHash, attempt: 1, run, sentAt }];
  return [];
}

/** A person ruled that the account is somebody else's, and may take that back. */
function isSkipped({ step, state, outcome }: PartEntry): boolean {
  return step === 'process' && state === 'refused' && outcome === 'ruling';
}

/**
 * An attempt may have had its effect, whatever the last answer was. For process, the account's status
 * decides.
 */
async function wasUnknown(journal: Journal, accountId: number, one: PartEntry): Promise<boolean> {
  if (one.state === 'done' || !isExtraStep(one.step)) return false;
  return (await openAttempts(journal, { ...one, accountId })).ever.length > 0;
}

/** Enqueued only: the following change of the account is waited for. */
function ruled(
  journal: Journal,
  entry: AccountEntry,
  { step, part, hash, run }: PartEntry,
  state: 'done' | 'failed' | 'sent' | 'refused',
  at: number,
  outcome: RulingOutcome = 'ruling',
): Promise<void> {
  const ref = { accountId: entry.id, step, part };
  const settlement = { state, outcome, at } as const;
  const isSent = entry.parts.some((one) => one.step === step && one.part === part);
  return isSent
    ? journal.settle(ref, settlement)
    : journal.recordSent(ref, { hash, run, at, money: writeMoney(undefined) }, settlement);
}

function whereItStands({ steps }: AccountEntry): AccountState {
  if (steps.process === 'done') return 'imported';
  return steps.stage === 'done' ? 'staged' : 'pending';
}
