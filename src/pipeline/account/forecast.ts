import type { AccountState, PlannedAction } from '../../domain/account-state.ts';
import { extraStepNames, ofEachStep, type StepName } from '../../domain/steps.ts';
import { dispositionOf, type Facts } from './disposition.ts';
import { importOf, isProcessOpen, isStaged, isValidated, stepsInLine, wasCreatedFrom } from './standing.ts';
import type { AccountEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { itemRefused } from '../added/needed-items.ts';
import type { Settings } from '../settings.ts';
import { outstandingOf } from '../steps/extra-steps.ts';
import { together } from '../steps/step-result.ts';
import { accountResult } from './account-result.ts';
import type { ReadyPlan } from './ready-plan.ts';

export interface Forecast {
  readonly due: PlannedAction;
  /** The steps that are known, before the first answer, to have requests to send. */
  readonly steps: readonly StepName[];
  /** Its current state; if nothing will be sent, the state in which a run leaves it. */
  readonly state: AccountState;
  /** Why it is blocked: a machine code; '' otherwise. */
  readonly code: string;
}

/** Whether steps wait that the run was told not to take. */
const stepsLeftOut = 'steps_left_out';

/** What a forecast needs of an account's plan. */
export interface AheadPlan extends Pick<
  ReadyPlan,
  'key' | 'problems' | 'print' | 'isPlanned' | 'extras' | 'minorUnits'
> {
  readonly rows?: AccountPlan['rows'];
}

/** An account as `run` would meet it. */
export interface Met {
  readonly plan: AheadPlan;
  /** The journal's entry of it. */
  readonly entry: AccountEntry | undefined;
  /** As in Facts. */
  readonly isSuperseded: boolean;
  readonly isContested: boolean;
  /** As far as it is known before the items are sent. */
  readonly lacking: Facts['lacking'];
}

/** Says what `run` would do with an account now, without a request. */
export function forecast(met: Met, settings: Settings): Forecast {
  const { plan, entry, isSuperseded, isContested, lacking } = met;
  const firstError = plan.problems.find((problem) => problem.severity === 'error');
  const refusal = firstError?.code ?? '';
  const standing = entry ?? unknownAccount(plan);
  const disposition = dispositionOf({
    standing,
    today: { ...plan.print, isSound: firstError === undefined, rows: plan.rows?.found },
    hasSupplier: plan.key.supplier !== '',
    isSuperseded,
    isContested,
    lacking,
    settings,
  });
  switch (disposition) {
    case 'stray':
    case 'refused':
      return still('rejected', refusal);
    case 'without-item':
      return still('rejected', itemRefused);
    case 'awaiting-item':
      return still(standing.state, standing.code || 'item_not_done');
    case 'kept':
      return { ...still('rejected', refusal), state: standing.state };
    case 'superseded':
      return still(standing.state, standing.code);
    case 'corrected':
      return still('completed', '');
    case 'contested':
      return { due: 'unfinished', steps: ['process'], state: standing.state, code: '' };
    case 'not-ours':
    case 'unclear':
    case 'outside':
    case 'complete':
    case 'waiting':
      return still(standing.state, standing.code || stepsLeftOut);
    case 'new':
    case 'changed':
    case 'unfinished':
      return driven(met, standing, disposition, settings);
  }
}

function driven(
  { plan }: Met,
  standing: AccountEntry,
  due: 'new' | 'changed' | 'unfinished',
  settings: Settings,
): Forecast {
  const isNew = due !== 'unfinished';
  const inLine = {
    ...standing,
    steps: isNew
      ? stepsInLine((step) => plan.isPlanned(step), standing.steps, settings.importKind)
      : standing.steps,
  };
  const process = inLine.parts.find((part) => part.step === 'process');
  const isAsked = isProcessOpen(inLine) && settings.steps.has('process');
  if (inLine.steps.process !== 'done' && process?.state === 'uncertain' && !isAsked)
    return still('uncertain', process.code ?? '');
  const ahead =
    inLine.steps.process === 'done'
      ? extrasAhead(plan, inLine, settings)
      : creationAhead(plan, inLine, plan.print.payloadHash, settings);
  if (ahead.sent.length > 0) return { due, steps: ahead.sent, state: standing.state, code: '' };
  if (inLine.steps.process !== 'done') return still(standing.state, stepsLeftOut);
  const isAsCreated = wasCreatedFrom(inLine, plan.print.payloadHash);
  const [state, code] = accountResult({ ...inLine, ...ahead, isAsCreated });
  return still(state, code || stepsLeftOut);
}

function still(state: AccountState, code: string): Forecast {
  const due = state === 'completed' ? 'done' : 'blocked';
  return { due, steps: [], state, code: due === 'done' ? '' : code };
}

interface Ahead {
  readonly sent: readonly StepName[];
  readonly steps: AccountEntry['steps'];
  readonly codes: ReadonlyMap<StepName, string>;
}

/** The account exists: the pending steps that add to it. */
function extrasAhead(plan: AheadPlan, entry: AccountEntry, settings: Settings): Ahead {
  const sent: StepName[] = [];
  const steps = { ...entry.steps };
  const codes = new Map<StepName, string>();
  for (const step of extraStepNames) {
    if (!settings.steps.has(step) || steps[step] === 'none' || steps[step] === 'done') continue;
    const { requests, results } = outstandingOf(step, plan, entry.parts, settings);
    if (requests.length > 0) sent.push(step);
    const { state, code } = together(results);
    if (state === 'done' || state === 'refused' || state === 'uncertain') steps[step] = state;
    codes.set(step, code);
  }
  return { sent, steps, codes };
}

/** The account does not exist, or is not known to: the first of these steps decides whether the others follow. */
function creationAhead(plan: AheadPlan, entry: AccountEntry, payloadHash: string, settings: Settings): Ahead {
  const { steps: driven } = settings;
  const ahead: Ahead = { sent: [], steps: entry.steps, codes: new Map() };
  const isUnknown = isProcessOpen(entry);
  const asks = isUnknown || entry.inDoubtSince !== undefined;
  const validates = !isUnknown && !isValidated(entry, payloadHash) && driven.has('validate');
  const stages = importOf(entry, settings) === 'v1' && !isStaged(entry, payloadHash);
  const isHeld = stages && !driven.has('stage');
  const processes = driven.has('process') && !isHeld;
  const first: StepName[] = [
    ...(validates ? (['validate'] as const) : []),
    ...(stages && !isHeld ? (['stage'] as const) : []),
    ...(asks || processes ? (['process'] as const) : []),
  ];
  const further = extraStepNames.filter((step) => driven.has(step) && plan.isPlanned(step));
  return { ...ahead, sent: asks || processes ? [...first, ...further] : first };
}

function unknownAccount({ key }: AheadPlan): AccountEntry {
  const steps = ofEachStep(() => 'none' as const);
  return { id: 0, key, state: 'pending', code: '', steps, parts: [] };
}
