import { parseJson, isJsonObject, type JsonObject } from '../../domain/json.ts';
import {
  doubledOnPlatform,
  journalContradicted,
  notOnPlatform,
  unclearOnPlatform,
} from '../../domain/shared-codes.ts';
import { extraStepNames, isExtraStep } from '../../domain/steps.ts';
import type { PartEntry, Settlement } from '../../journal/journal.ts';
import { atRest } from '../request/quiet-period.ts';
import { waitAfter } from '../request/retry.ts';
import type { RunContext } from '../run/context.ts';
import { SentBy } from '../steps/sent-by.ts';
import type { StepProblem } from '../steps/step-result.ts';
import type { AccountRun } from './account-run.ts';
import { addSteps, type Hear } from './add-steps.ts';
import type { FoundByReading, ReadingWay, SentItems } from './by-reading.ts';
import { readOutcome } from './open-attempts.ts';
import { wasCreatedFrom } from './standing.ts';

/** How often requests of an account that are found absent are sent again. */
const mostRepeats = 2;

/**
 * Asks by reading what became of requests of a created account whose effect is unknown, before they are left to a person: what is there is
 * done, and what is known to be absent is sent again. False: the run drains.
 */
export async function askByReading(context: RunContext, run: AccountRun, hear: Hear): Promise<boolean> {
  const unclear = new Set<string>();
  let repeats = 0;
  for (;;) {
    const found = await settleByReading(context, run, { mayBeAbsent: repeats < mostRepeats, unclear, hear });
    const steps = extraStepNames.filter((step) => found.some(({ part }) => part.step === step));
    if (steps.length === 0) return true;
    // As after a ruling: each step finds by its entries what is left of it.
    for (const step of steps) run.progress.carry({ steps: { [step]: 'pending' } });
    if ((await addSteps(context, run, steps, { isResumed: false, hear })) === 'stopped') return false;
    // What was sent now may be in doubt as well.
    if (found.some(({ decision }) => decision === 'absent')) repeats += 1;
  }
}

interface Asking {
  readonly mayBeAbsent: boolean;
  /** Names of the attempts of which reading has not said what became of them: it is not asked again for these alone. */
  readonly unclear: Set<string>;
  readonly hear: Hear;
}

/** Records what reading shows of requests; those of which it says something new. */
async function settleByReading(
  context: RunContext,
  run: AccountRun,
  { mayBeAbsent, unclear, hear }: Asking,
): Promise<readonly FoundByReading[]> {
  const { byReading, journal, platform, settings, contradictions, clock } = context;
  const { plan, progress } = run;
  const { krakenAccountNumber: number } = progress;
  // Stryker disable next-line ConditionalExpression: a created account has a number
  if (byReading === undefined || number === undefined || progress.steps.process !== 'done') return [];
  // With what this run has sent of it.
  const entry = await journal.find(platform, plan.key);
  // Stryker disable next-line ConditionalExpression,ArrayDeclaration: an account under way is in the journal
  if (entry === undefined) return [];
  const sentBy = new SentBy(plan, entry.parts, settings);
  const asked = partsInDoubt(entry.parts, sentBy);
  if (asked.every((part) => unclear.has(nameOf(part)))) return [];
  const found = await byReading.find(
    {
      ...{ number, entry, asked, sentBy, extras: plan.extras, minorUnits: plan.minorUnits },
      payload: () => payloadIn(run.payloadBody),
      isAsCreated: wasCreatedFrom(entry, run.payloadHash),
      mayBeAbsent: mayBeAbsent && !contradictions.holds(progress.id),
    },
    wayOf(context, run, asked),
  );
  const at = clock.now();
  const news: FoundByReading[] = [];
  for (const one of found) {
    const { step, part } = one.part;
    // Stryker disable next-line ConditionalExpression: no other is in doubt as this attempt
    if (one.decision === 'unknown') unclear.add(nameOf(one.part));
    const settlement = settlementOf(one, at);
    if (settlement === undefined) continue;
    news.push(one);
    context.record(journal.settle({ accountId: progress.id, step, part }, settlement));
    if (one.decision === 'doubled')
      // Stryker disable next-line StringLiteral: only its problem counts, since the step is heard again when it ends
      await hear(step, { state: 'done', code: '', problems: [doubledProblem(sentBy, one.part)] });
  }
  const { parts } = (await journal.find(platform, plan.key)) ?? progress;
  progress.parts = parts;
  return news;
}

/** The requests that only a person could rule on, and that the export has as they were sent. */
export function partsInDoubt(parts: readonly PartEntry[], sentBy: SentItems): readonly PartEntry[] {
  return parts.filter(
    (part) => part.state === 'uncertain' && isExtraStep(part.step) && sentBy.placeOf(part) !== undefined,
  );
}

/** The code of a request that stays unknown, by what was seen; undefined if its own says more. */
export function codeOfSeen({ part, seen }: FoundByReading): string | undefined {
  if (seen === undefined || part.code === journalContradicted) return undefined;
  return seen === 'missing' ? notOnPlatform : unclearOnPlatform;
}

function settlementOf(found: FoundByReading, at: number): Settlement | undefined {
  const base = { outcome: readOutcome, at } as const;
  switch (found.decision) {
    case 'done':
      return { ...base, state: 'done' };
    case 'doubled':
      return { ...base, state: 'done', code: doubledOnPlatform };
    case 'absent':
      return { ...base, state: 'failed' };
    case 'unknown': {
      const code = codeOfSeen(found);
      return code === undefined || code === found.part.code
        ? undefined
        : { ...base, state: 'uncertain', code };
    }
  }
}

function nameOf({ step, part, attempt }: PartEntry): string {
  return `${step} ${part} ${attempt}`;
}

/** A warning: the tool never removes anything from the platform. */
function doubledProblem(sentBy: SentItems, part: PartEntry): StepProblem {
  // Stryker disable next-line StringLiteral: what is asked about has a place
  const { path = '', request = 0 } = sentBy.placeOf(part) ?? {};
  return {
    ...{ code: doubledOnPlatform, path, request, severity: 'warning' },
    detail: 'The platform holds this once more than the export has it. Have one of them removed there.',
  };
}

function wayOf(context: RunContext, run: AccountRun, asked: readonly PartEntry[]): ReadingWay {
  const { flow, client, clock, quiet, settings, random } = context;
  const { key } = run.plan;
  const [first] = asked;
  const request = { account: key.account, step: first?.step ?? 'process' } as const;
  return {
    number: async () => {
      const answer = await flow.send({
        ...{ ...request, isQuestion: true },
        send: (signal) => client.transferStatus(key, { signal, fresh: true }),
      });
      return answer.kind === 'ok' ? answer.body.krakenAccountNumber : undefined;
    },
    post: async (body, path) => {
      const answer = await flow.send({
        ...{ ...request, isQuestion: true },
        send: (signal) => client.query(body, { path, signal }),
      });
      return answer.kind === 'stopped' || answer.kind === 'overdue' ? undefined : answer;
    },
    discardToken: (tokenId) => client.discardToken(tokenId),
    pause: async (tries, askedMs) => {
      await flow.pause(request, waitAfter(askedMs, tries, settings.retry, random));
    },
    quietMs: () =>
      asked.reduce((until, part) => Math.max(until, quiet.ofRecorded(part)), atRest) - clock.monotonic(),
    wait: (ms) => flow.waitAside(request, ms),
  };
}

function payloadIn(body: string | Buffer): JsonObject {
  const payload = parseJson(body.toString());
  return isJsonObject(payload) ? payload : {};
}
