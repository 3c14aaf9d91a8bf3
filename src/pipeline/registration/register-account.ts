import type { MeterPoint, RegisteredMeterPoint } from '../../client/platform-client.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import { registration, registrationItem } from '../../domain/registration.ts';
import { addedSteps } from '../../domain/steps.ts';
import type { ItemEntry, ItemRef, Journal } from '../../journal/journal.ts';
import { missedSettlement, refusedBy, saidSettlement } from '../request/part.ts';
import type { RetriedRequest, Said } from '../request/retried-request.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import type { RequestContext } from '../run/context.ts';
import { haveMoved, statusCounts, statusText } from './statuses.ts';

/** What registering an account needs beyond sending. */
export interface RegistrationContext extends RequestContext {
  readonly journal: Pick<Journal, 'items' | 'find' | 'attempts'>;
  readonly platform: string;
  /** When the journal was last restored, in ms since the epoch; absent: never. */
  readonly restoredAt: number | undefined;
  /** The journal's last run: what is recorded belongs to the time after it. */
  readonly run: number;
  /** An account is marked if each of its meter points has one of these statuses. */
  readonly from: ReadonlySet<string>;
  /** Nothing is sent but questions, and nothing is recorded. */
  readonly isDryRun: boolean;
  /** Takes a journal write that nobody waits for. */
  readonly record: (write: Promise<void>) => void;
  /** Whether one more account may be marked. */
  readonly admit: () => boolean;
  /** Marks an account when it is its turn. */
  readonly inTurn: (mark: () => Promise<RegistrationResult>) => Promise<RegistrationResult>;
}

/**
 * What became of an account.
 *
 * - `done`: it is marked, by this command
 * - `earlier`: it was marked before
 * - `due`: it would be marked, or may be by a later command
 * - `none`: it has no meter points
 * - `elsewhere`: a meter point has another status
 * - `refused`: the platform marked none of its meter points
 * - `failed`: known to have had no effect
 * - `uncertain`: what became of its request is not known, or only some of its meter points are marked
 * - `stopped`: the command ends
 */
export type RegistrationState =
  'done' | 'earlier' | 'due' | 'none' | 'elsewhere' | 'refused' | 'failed' | 'uncertain' | 'stopped';

export interface RegistrationResult {
  readonly state: RegistrationState;
  /** Why it is not done; '' otherwise. */
  readonly code: string;
  /** Whether the request that marks it has left. */
  readonly isSent?: true;
  /** What was read before; absent if nothing was. */
  readonly points?: readonly MeterPoint[] | undefined;
}

/**
 * Marks the meter points of an account for registration, at most once: nobody says whether a repeat is safe. The intent, with the
 * statuses as they were, is durable before the request leaves. A lost answer is settled by statuses that have all moved since, by this
 * command or a later one; until then the account is uncertain.
 */
export async function registerAccount(
  context: RegistrationContext,
  key: AccountKey,
): Promise<RegistrationResult> {
  const { journal, platform, from, isDryRun, admit, inTurn } = context;
  const ref: ItemRef = { platform, step: registration, item: registrationItem(key) };
  const { entry, isInDoubt } = await journal.items.find(ref);
  if (entry?.state === 'done') return { state: 'earlier', code: '' };
  const { points, unread } = await statusesOf(context, key);
  if (points === undefined) return unread;
  if (entry?.state === 'sent' || entry?.state === 'uncertain')
    return { ...(await settle(context, ref, entry, points)), points };
  if (points.length === 0) return { state: 'none', code: '', points };
  if (points.some(({ status }) => !from.has(status))) return { state: 'elsewhere', code: '', points };
  if (isInDoubt && (entry !== undefined || (await existedBeforeRestore(context, key))))
    return { ...(await settle(context, ref, entry, points, 'journal_restored')), points };
  if (isDryRun || !admit()) return { state: 'due', code: '', points };
  return inTurn(async () => ({ ...(await mark(context, key, ref, points)), points, isSent: true }));
}

/** Of an account that was created since the restore nothing can have been sent before it. */
async function existedBeforeRestore(
  { journal, platform, restoredAt = Infinity }: RegistrationContext,
  key: AccountKey,
): Promise<boolean> {
  const account = await journal.find(platform, key);
  if (account === undefined) return true;
  let first = -Infinity;
  for await (const { step, sentAt } of journal.attempts(account.id))
    if (step === 'process') first = first === -Infinity ? sentAt : Math.min(first, sentAt);
  return first < restoredAt;
}

/** An earlier request may have had its effect. */
async function settle(
  { journal, clock, run, isDryRun }: RegistrationContext,
  ref: ItemRef,
  entry: ItemEntry | undefined,
  points: readonly MeterPoint[],
  code = entry?.code ?? 'lost_answer',
): Promise<RegistrationResult> {
  const at = clock.now();
  if (entry !== undefined && haveMoved(entry.hash, points)) {
    if (!isDryRun) await journal.items.settle(ref, { state: 'done', outcome: 'asked', at });
    return { state: isDryRun ? 'earlier' : 'done', code: '' };
  }
  if (!isDryRun && entry?.state !== 'uncertain') {
    // The statuses of now are the ones from which they would move.
    if (entry === undefined)
      await journal.items.intend(ref, { hash: statusText(statusCounts(points)), run, at });
    await journal.items.settle(ref, { state: 'uncertain', outcome: 'unknown', code, at });
  }
  return { state: 'uncertain', code };
}

async function mark(
  context: RegistrationContext,
  key: AccountKey,
  ref: ItemRef,
  points: readonly MeterPoint[],
): Promise<RegistrationResult> {
  const { journal, client, clock, run } = context;
  const hash = statusText(statusCounts(points));
  const outcome = await sendWithRetry(context, {
    ...requestOf(key),
    isDelicate: true,
    lostRepeats: () => 0,
    before: () => journal.items.intend(ref, { hash, run, at: clock.now() }),
    send: (signal) => client.meterPoints.register(key, { signal }),
    missed: (answer, unknown) =>
      context.record(journal.items.settle(ref, missedSettlement(answer, unknown, clock.now()))),
  });
  switch (outcome.kind) {
    case 'said':
      return said(context, ref, outcome.answer, points);
    case 'stopped':
      return { state: outcome.unknown ? 'uncertain' : 'stopped', code: outcome.unknown ? 'lost_answer' : '' };
    case 'gave-up':
      return { state: outcome.unknown ? 'uncertain' : 'failed', code: outcome.cause };
    case 'lost': {
      const now = await statusesOf(context, key);
      const { entry } = await journal.items.find(ref);
      return now.points === undefined
        ? { state: 'uncertain', code: outcome.cause }
        : settle(context, ref, entry, now.points);
    }
  }
}

async function said(
  { journal, clock }: RegistrationContext,
  ref: ItemRef,
  answer: Said<readonly RegisteredMeterPoint[]>,
  points: readonly MeterPoint[],
): Promise<RegistrationResult> {
  const verdict = answer.kind === 'ok' ? verdictOn(answer.body, points) : refusedBy(answer);
  const { state, code = '' } = verdict;
  await journal.items.settle(ref, saidSettlement(answer, { state, code }, clock.now()));
  return { state, code };
}

/** Of a part that is marked nobody says whether it may be marked again. */
function verdictOn(
  marked: readonly RegisteredMeterPoint[],
  points: readonly MeterPoint[],
): { readonly state: 'done' | 'refused' | 'uncertain'; readonly code?: string } {
  const done = new Set(marked.filter(({ isRegistered }) => isRegistered).map(({ mpxn }) => mpxn));
  if (points.every(({ mpxn }) => done.has(mpxn))) return { state: 'done' };
  return done.size === 0
    ? { state: 'refused', code: 'registration_flow_error' }
    : { state: 'uncertain', code: 'registration_partly_done' };
}

/** The meter points of an account, or what became of it because they cannot be read. */
export type StatusesRead =
  | { readonly points: readonly MeterPoint[]; readonly unread?: undefined }
  | { readonly points?: undefined; readonly unread: RegistrationResult };

/** Asks for the meter points of an account that is under way. */
export async function statusesOf(context: RequestContext, key: AccountKey): Promise<StatusesRead> {
  const outcome = await sendWithRetry(context, {
    ...requestOf(key),
    isQuestion: true,
    send: (signal) => context.client.meterPoints.statuses(key, { signal }),
  });
  if (outcome.kind === 'stopped') return { unread: { state: 'stopped', code: '' } };
  if (outcome.kind !== 'said') return { unread: { state: 'failed', code: outcome.cause } };
  const { answer } = outcome;
  if (answer.kind === 'ok') return { points: answer.body };
  return { unread: { state: 'failed', code: refusedBy(answer).code ?? '' } };
}

function requestOf(key: AccountKey): Pick<RetriedRequest<never>, 'supplier' | 'account' | 'step'> {
  return { ...key, step: addedSteps };
}
