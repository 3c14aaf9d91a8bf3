import { stringifyJson } from '../../../src/domain/json.ts';
import { zeroCounts } from '../../../src/domain/account-state.ts';
import { createdMeanwhile, createdUnrecorded } from '../../../src/domain/shared-codes.ts';
import { extraStepNames, type ExtraStepName } from '../../../src/domain/steps.ts';
import type { AccountEntry, PartEntry, SupplierOverview } from '../../../src/journal/journal.ts';
import type { AccountPlan } from '../../../src/mapping/plan.ts';
import type { RunResult } from '../../../src/pipeline/run/run-migration.ts';
import { effectsOf, has, nameOf, type AccountSpec } from './accounts.ts';
import { unwanted, type Held } from './model-platform.ts';
import type { Orphans } from './orphans.ts';
import type { Wire } from './wire.ts';

/** Something that must never be. */
export class Violation extends Error {}

/** What the export has said of each account in the course of a schedule, the last one last. */
export type Versions = ReadonlyMap<string, AccountPlan[]>;

/**
 * Holds at every moment: no effect is there twice, save where nobody could have told that it was there, and none that the
 * export never asked for.
 */
export function checkNothingTwice(wire: Wire, versions: Versions): void {
  for (const [account, held] of wire.platform.accounts)
    for (const step of extraStepNames) {
      const effects = held.effects[step];
      const asked = new Set(versions.get(account)?.flatMap((plan) => effectsOf(plan, step).wanted));
      const twice = effects.filter((effect, at) => {
        const before = effects.slice(0, at).filter((other) => other === effect).length;
        return before > wire.unseen(account, step, effect);
      });
      if (twice.length > 0) throw new Violation(`Account ${account} has ${step} twice: ${twice.join()}`);
      const strange = effects.filter((effect) => !asked.has(effect));
      if (strange.length > 0)
        throw new Violation(`Account ${account} has ${step} that nobody asked for: ${strange.join()}`);
    }
}

/**
 * Holds whenever a run has ended: each item of each step that the journal has as done is there, and none that it has as
 * refused; save where nobody could have told. `isOlder`: the journal was put back, and nobody has opened it since.
 * `forgotten`: accounts that were put back in line, which the journal does not know.
 */
export function checkSaidIsTrue(
  wire: Wire,
  versions: Versions,
  entries: readonly AccountEntry[],
  isOlder: boolean,
  forgotten: ReadonlySet<string>,
): void {
  for (const { key, state, steps, parts, inDoubtSince, krakenAccountNumber: number } of entries) {
    const { account } = key;
    const held = wire.platform.accounts.get(account);
    for (const { step, part, state: partState, hash, outcome } of parts) {
      const extra = extraStepNames.find((name) => name === step);
      if (extra === undefined) continue;
      const there = held?.effects[extra] ?? [];
      const all = wire.effectsOf(account, extra, hash) ?? [];
      // A person rules on what of a request was not sent alone since: that is a part of its own.
      const sent = outcome === 'ruling' ? ruledOn(wire, account, extra, all, part, parts) : all;
      if (partState === 'done' && sent.length === 0)
        throw new Violation(`Part ${part} of ${step} of account ${account} counts as done, and never left.`);
      const effects = sent.filter((effect) => !wire.isMisled(account, extra, effect));
      const isThere = (effect: string) => has(there, extra, effect);
      // A refusal of several is of one of them, and each is sent alone after it. An account in doubt claims nothing of what it
      // was refused before.
      const isInDoubt = isOlder || inDoubtSince !== undefined || forgotten.has(account);
      const isRefused = partState === 'refused' && sent.length === 1 && !isInDoubt;
      // What is there in the form that an earlier request had is that one's, whatever became of this one.
      const wrong = effects.filter((effect) =>
        partState === 'done' ? !isThere(effect) : isRefused && there.includes(effect),
      );
      if (wrong.length > 0)
        throw new Violation(
          `Part ${part} of ${step} of account ${account} counts as ${partState}: ${wrong.join()}`,
        );
    }
    if (wire.mistaken.has(account)) continue;
    // Whose number it is, the journal learns only when it asks about the other account.
    const isMistold =
      number !== undefined && wire.isMistold(account, number, hasAnother(entries, account, number));
    if (steps.process === 'done' && !isMistold && number !== held?.number)
      throw new Violation(
        `Account ${account} counts as created with ${number ?? 'no number'}, and there is ${held?.number ?? 'none'}.`,
      );
    if (isMistold && held?.number === undefined) continue;
    if (state === 'completed' && versions.get(account)?.some((plan) => isAllThere(plan, held, wire)) !== true)
      throw new Violation(`Account ${account} counts as completed, and lacks something.`);
  }
}

/** What a ruling on a part is about: what of its request is not a part of its own. */
export function ruledOn(
  wire: Wire,
  account: string,
  step: ExtraStepName,
  whole: readonly string[],
  number: number,
  parts: readonly PartEntry[],
): readonly string[] {
  const alone = parts
    .filter((other) => other.step === step && other.part !== number)
    .flatMap((other) => wire.effectsOf(account, step, other.hash) ?? []);
  const left = whole.filter((effect) => !alone.includes(effect));
  return left.length > 0 ? left : whole;
}

/** Whether the journal has this number for another account than this one. */
function hasAnother(entries: readonly AccountEntry[], account: string, number: string): boolean {
  return entries.some(
    ({ key, krakenAccountNumber }) => key.account !== account && krakenAccountNumber === number,
  );
}

/** Holds whenever a run has ended: an account that no fault has met is not in trouble, unless its data is. */
export function checkUntouched(
  { touched }: Wire,
  versions: Versions,
  accounts: readonly AccountSpec[],
  entries: readonly AccountEntry[],
): void {
  for (const { key, state, code, parts } of entries) {
    const { account } = key;
    if (touched.has(account)) continue;
    const is = `Account ${account} is ${state} (${code}), and no fault has met it`;
    if (state === 'uncertain' || state === 'failed' || parts.some((part) => part.state === 'uncertain'))
      throw new Violation(`${is}.`);
    const spec = accounts.find((_, n) => nameOf(n) === account);
    const plans = versions.get(account) ?? [];
    if (spec === undefined || spec.isForeign || state !== 'rejected') continue;
    const isWanted = plans.every(
      (plan) =>
        !stringifyJson(plan.payload).includes(unwanted) &&
        plan.problems.length === 0 &&
        extraStepNames.every((step) => effectsOf(plan, step).unwanted.length === 0),
    );
    if (isWanted && isAdditive(plans)) throw new Violation(`${is}, though the platform wants all of it.`);
  }
}

export interface AtRest {
  readonly wire: Wire;
  readonly versions: Versions;
  readonly accounts: readonly AccountSpec[];
  readonly entries: readonly AccountEntry[];
  readonly overview: readonly SupplierOverview[];
  /** The last run, in which nothing moved. */
  readonly last: RunResult;
  readonly orphans: Orphans;
  /** Accounts of which a person could not tell everything, since a journal was lost. */
  readonly undecided: ReadonlySet<string>;
}

/** Holds when nothing moves any more: every account is as after an undisturbed run, and the counts say so. */
export function checkAtRest(rest: AtRest): void {
  const { wire, versions, accounts, entries, overview, last, orphans, undecided } = rest;
  const states = zeroCounts();
  for (const [n, spec] of accounts.entries()) {
    const account = nameOf(n);
    const entry = entries.find(({ key }) => key.account === account);
    if (entry === undefined) throw new Violation(`Account ${account} is not in the journal.`);
    states[entry.state] += 1;
    if (undecided.has(account) && (entry.state === 'uncertain' || entry.state === 'rejected')) continue;
    if (spec.isForeign || !orphans.has(account))
      checkAccount(account, spec, entry, versions.get(account) ?? [], wire, entries);
    else checkOrphan(entry, orphans, wire);
  }
  for (const [said, counts] of [
    ['The summary', last.accounts],
    ['The overview', overview[0]?.accounts ?? zeroCounts()],
  ] as const) {
    const wrong = Object.entries(states).filter(
      ([state, count]) => counts[state as keyof typeof states] !== count,
    );
    if (wrong.length > 0)
      throw new Violation(`${said} counts otherwise than the journal: ${wrong.join('; ')}`);
  }
}

/** Made by a journal that is gone: to the one that is there now it is not ours. */
function checkOrphan({ key: { account }, state, code }: AccountEntry, orphans: Orphans, wire: Wire): void {
  const isHeld = code === createdMeanwhile || code === createdUnrecorded;
  if (state !== 'skipped' && state !== 'rejected' && !isHeld)
    throw new Violation(`Account ${account} is ${state} (${code}), and a journal made it that is gone.`);
  if (!orphans.isAsLeft(account, wire.platform.accounts.get(account)))
    throw new Violation(`Something was added to account ${account}, which a journal made that is gone.`);
}

function checkAccount(
  account: string,
  spec: AccountSpec,
  { state, code, krakenAccountNumber }: AccountEntry,
  plans: readonly AccountPlan[],
  wire: Wire,
  entries: readonly AccountEntry[],
): void {
  const held = wire.platform.accounts.get(account);
  const plan = plans.at(-1);
  if (plan === undefined) throw new Error(`account ${account} was never planned`);
  const is = `Account ${account} is ${state} (${code})`;
  if (spec.isForeign) {
    if (wire.isMisled(account) || wire.mistaken.has(account)) return;
    if (code === createdMeanwhile && wire.touched.has(account)) return;
    if (state !== 'skipped' && state !== 'rejected') throw new Violation(`${is}, and is not ours.`);
    if (extraStepNames.some((step) => held?.effects[step].length !== 0))
      throw new Violation(`Something was added to account ${account}, which is not ours.`);
    return;
  }
  if (state === 'skipped' && wire.createdUnseen.has(account)) return;
  // Another account's number can be told by the journal that knows that account, and by no other.
  const isMisnumbered =
    krakenAccountNumber !== undefined &&
    wire.wasToldNumber(account, krakenAccountNumber) &&
    !hasAnother(entries, account, krakenAccountNumber);
  if (isMisnumbered && held?.number === undefined) return;
  if (!isMisnumbered && held?.number !== krakenAccountNumber)
    throw new Violation(
      `${is} with ${krakenAccountNumber ?? 'no number'}, and there is ${held?.number ?? 'none'}.`,
    );
  if (state === 'completed') {
    if (!isAllThere(plan, held, wire)) throw new Violation(`${is}, and lacks something of its last version.`);
    return;
  }
  const hasUnwanted =
    spec.isUnwanted || extraStepNames.some((step) => effectsOf(plan, step).unwanted.length > 0);
  if (state !== 'rejected') throw new Violation(`${is} in the end.`);
  const isUntold = (step: ExtraStepName) => hasLeftUntold(account, plans, step, wire);
  // What came unseen is refused when it is sent again.
  const cameUnseen = (step: ExtraStepName) =>
    effectsOf(plan, step).wanted.some((effect) => wire.unseen(account, step, effect) > 0);
  const isExcused = extraStepNames.some((step) => isUntold(step) || cameUnseen(step));
  if (!hasUnwanted && !isExcused && isAdditive(plans))
    throw new Violation(`${is}, though the platform wants all of it.`);
  if (held?.number === undefined) {
    if (!spec.isUnwanted) throw new Violation(`${is} and was never created, though the platform wants it.`);
    return;
  }
  for (const step of extraStepNames) {
    if (!isAdditiveIn(plans, step) || isUntold(step)) continue;
    const lost = effectsOf(plan, step).wanted.filter(
      (effect) => !wire.isMisled(account, step, effect) && !has(held.effects[step], step, effect),
    );
    if (lost.length > 0) throw new Violation(`${is} and lacks ${step} that are fine: ${lost.join()}`);
  }
}

/** Something was told to have come that has not, and has left the export: what is new may be that in another form. */
function hasLeftUntold(
  account: string,
  plans: readonly AccountPlan[],
  step: ExtraStepName,
  wire: Wire,
): boolean {
  const now = new Set(plans.slice(-1).flatMap((plan) => allEffectsOf(plan, step)));
  const before = plans.flatMap((plan) => allEffectsOf(plan, step)).filter((effect) => !now.has(effect));
  return before.some((effect) => wire.isMisled(account, step, effect));
}

function allEffectsOf(plan: AccountPlan, step: ExtraStepName): readonly string[] {
  const { wanted, unwanted: refused } = effectsOf(plan, step);
  return [...wanted, ...refused];
}

/**
 * The account was made from this plan's payload, and everything of the plan is on the platform, or nobody could have
 * told that it is not.
 */
function isAllThere(plan: AccountPlan, held: Held | undefined, wire: Wire): boolean {
  if (held === undefined || held.createdFrom !== stringifyJson(plan.payload)) return false;
  return extraStepNames.every((step) =>
    allEffectsOf(plan, step).every(
      (effect) => has(held.effects[step], step, effect) || wire.isMisled(plan.key.account, step, effect),
    ),
  );
}

/** Nothing that the platform may have was ever changed or taken away. */
function isAdditive(plans: readonly AccountPlan[]): boolean {
  const payloads = new Set(
    plans.map((plan) => stringifyJson(plan.payload)).filter((payload) => !payload.includes(unwanted)),
  );
  return payloads.size <= 1 && extraStepNames.every((step) => isAdditiveIn(plans, step));
}

function isAdditiveIn(plans: readonly AccountPlan[], step: ExtraStepName): boolean {
  const now = new Set(plans.at(-1) === undefined ? [] : effectsOf(plans.at(-1)!, step).wanted);
  return plans.every((plan) => effectsOf(plan, step).wanted.every((effect) => now.has(effect)));
}
