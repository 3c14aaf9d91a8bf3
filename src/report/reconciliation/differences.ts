import { place } from '../../domain/cell.ts';
import { changedAfterImport, noLongerInExport, numberOfAnotherAccount } from '../../domain/shared-codes.ts';
import { formatDecimal, zero } from '../../domain/decimal.ts';
import { placesOf, readMoney, type Money } from '../../domain/money.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountEntry, RecordedProblem } from '../../journal/journal.ts';
import { isStagedByDryRun } from '../state-table.ts';
import type { AccountMoney } from './money-totals.ts';
import type { JoinedAccount, PlatformListing, SourceAccount } from './joined.ts';

/**
 * Where the sides differ.
 *
 * - `missing_on_platform`: the journal has the account's number, and the platform does not list the account
 * - `number_differs`: both have the account, under different numbers
 * - `number_of_another_account`: another account of the platform has the number that the journal has for it
 * - `state_differs`: one has it as created, the other not; or it is not staged though the journal says so
 * - `created_outside`, `staged_outside`: the platform has what this journal did not send
 * - `listed_twice`: the platform lists it more than once
 * - `unconfirmed`: the effect of a request is not known
 * - `unreadable`: rows of the export that belong to no account that could be told
 * - `not_created`: the export has the account, and the platform has not created it
 * - `pending`: a run read the account, and no run has created it; told where the export named does not have it
 * - `not_counted`: an export that no run has read to its end, so that the journal may not know all of its accounts;
 *   told where that export is not named
 * - `incomplete`: it is created, and not everything of it is there
 * - `changed_since_sent`: the export has it in another form than was sent
 * - `no_longer_in_export`: the platform has records of it that the export does not have any more
 * - `not_in_export`: it was sent, and the export does not have it any more
 * - `money_differs`: an amount of the export is not what the platform acknowledged
 */
export type DifferenceCode =
  | 'missing_on_platform'
  | 'number_differs'
  | 'number_of_another_account'
  | 'state_differs'
  | 'created_outside'
  | 'staged_outside'
  | 'listed_twice'
  | 'unconfirmed'
  | 'unreadable'
  | 'not_created'
  | 'pending'
  | 'not_counted'
  | 'incomplete'
  | 'changed_since_sent'
  | 'no_longer_in_export'
  | 'not_in_export'
  | 'money_differs';

export interface Difference {
  readonly code: DifferenceCode;
  /** For people. */
  readonly detail: string;
  /** Of `changed_since_sent`: the fields that the last run named, or else those that the journal's prints show. */
  readonly fields?: readonly Pick<RecordedProblem, 'step' | 'path' | 'cell'>[];
  /** Of `changed_since_sent`: records that were not sent, as far as the journal's prints show. */
  readonly added?: readonly Pick<RecordedProblem, 'step' | 'path' | 'cell'>[];
  /** Of `money_differs`: exact decimals. */
  readonly money?: { readonly kind: string; readonly source: string; readonly acknowledged: string };
}

/** What the journal knows of an account beside its entry. */
interface Known {
  readonly money: AccountMoney;
  /** The fields that the last run found to be changed after they were sent. */
  readonly changed: readonly RecordedProblem[];
  /** Steps of which the last run no longer found a record in the export. */
  readonly leftBehind: ReadonlySet<StepName>;
}

/**
 * What of one account does not agree; nothing for most.
 *
 * @param hasSource an export was given
 */
export function* differencesOf(
  { listed, entry, source }: JoinedAccount,
  { hasSource, ...known }: Known & { readonly hasSource: boolean },
): Generator<Difference> {
  const [theirs] = listed;
  if (listed.length > 1)
    yield { code: 'listed_twice', detail: `The platform lists it ${listed.length} times.` };
  const created = entry?.steps.process === 'done' ? entry : undefined;
  const between = created === undefined ? notOurs(theirs, entry) : ours(theirs, created);
  if (between !== undefined) yield between;
  yield* unconfirmed(entry, theirs);
  if (source === undefined && between === undefined) yield* notBegun(entry);
  if (!hasSource) return;
  if (source !== undefined && created !== undefined) yield* beside(source, created, known);
  else if (source !== undefined && theirs?.krakenAccountNumber === undefined)
    yield { code: 'not_created', detail: `The export has it: ${standing(entry)}.` };
  else if (created !== undefined)
    yield { code: 'not_in_export', detail: 'It was sent, but is no longer in the export.' };
}

/** What is pending of an account that no export was given for. */
function* notBegun(entry: AccountEntry | undefined): Generator<Difference> {
  if (entry?.state !== 'pending' || entry.isAbsent === true) return;
  yield {
    code: 'pending',
    detail: isStagedByDryRun(entry)
      ? 'A dry run staged it on the platform, and no run has created it: run the export that has it.'
      : entry.parts.length === 0
        ? 'Nothing was sent for it yet: run the export that has it.'
        : 'No run has created it yet: run the export that has it.',
  };
}

/** What of an account that was created is not as the export has it. */
function* beside(
  source: SourceAccount,
  created: AccountEntry,
  { money, changed, leftBehind }: Known,
): Generator<Difference> {
  if (created.code === changedAfterImport) {
    yield created.planHash === source.planHash
      ? {
          code: 'changed_since_sent',
          detail: `It changed after it was sent, and cannot be sent again: ${placesIn(changed)}correct it on the platform.`,
          fields: changed,
        }
      : changedAgain(source);
    return;
  }
  if (created.state !== 'completed') {
    yield { code: 'incomplete', detail: `Not all of its data has arrived: ${standing(created)}.` };
    return;
  }
  if (created.planHash !== source.planHash && source.isSame !== true) yield changedNow(source);
  else if (leftBehind.size > 0)
    yield {
      code: noLongerInExport,
      detail: `The platform still has records that are no longer in the export: ${[...leftBehind].join(', ')}.`,
    };
  yield* moneyDifferences(readMoney(source.money), money.acknowledged);
}

function changedAgain(source: SourceAccount): Difference {
  const { places, fields, added } = shownBy(source);
  return {
    code: 'changed_since_sent',
    detail: `It changed after it was sent${places}, and again since a run found that: run the export, which finds whether it agrees now.`,
    ...{ fields, added },
  };
}

/** No run has read the export since it changed. */
function changedNow(source: SourceAccount): Difference {
  const { places, fields, added } = shownBy(source);
  const code = 'changed_since_sent';
  if (places === '')
    return {
      code,
      detail:
        'The export, the mapping or a code table has changed since it was sent. Run the export: the run names what changed.',
    };
  return {
    ...{ code, fields, added },
    detail: `Changed since it was sent${places}. Run the export: the run sends what can be sent, and names the rest.`,
  };
}

/** What changed, for people and for programs. */
function shownBy({ changes = [] }: SourceAccount) {
  const fields = changes.filter(({ is }) => is !== 'added');
  const added = changes.filter(({ is }) => is === 'added');
  const gone = [...new Set(changes.flatMap(({ is, step }) => (is === 'gone' ? [step] : [])))];
  const said = [
    ...cellsOf(changes.filter(({ is }) => is === 'changed')),
    ...cellsOf(added).map((cell) => `${cell} (not sent)`),
    ...gone.map((step) => `a record of ${step} that is gone`),
  ];
  return { places: said.length === 0 ? '' : `: ${shortened(said)}`, fields, added };
}

/** The most places in a text for people. */
const mostPlaces = 5;

function shortened(places: readonly string[]): string {
  const others = places.length - mostPlaces;
  const more = others > 0 ? [`${others} more`] : [];
  return [...places.slice(0, mostPlaces), ...more].join(', ');
}

/** The places of changed fields, before what to do about them. */
function placesIn(changed: readonly RecordedProblem[]): string {
  const cells = cellsOf(changed);
  return cells.length === 0 ? '' : `${shortened(cells)}; `;
}

function cellsOf(changed: readonly Pick<RecordedProblem, 'cell'>[]): readonly string[] {
  return [...new Set(changed.flatMap(({ cell }) => (cell === undefined ? [] : [place(cell)])))];
}

/** Another account of the platform has its number. */
export function sharedNumber(entry: AccountEntry): Difference {
  // Stryker disable next-line StringLiteral: an account that is created has a number
  const { krakenAccountNumber: number = '' } = entry;
  return {
    code: numberOfAnotherAccount,
    detail: `The journal has it as ${number}, and another account of this platform under the same number.`,
  };
}

/** The journal has its number. */
function ours(theirs: PlatformListing | undefined, entry: AccountEntry): Difference | undefined {
  // Stryker disable next-line StringLiteral: an account that is created has a number
  const number = entry.krakenAccountNumber ?? '';
  if (theirs === undefined)
    return {
      code: 'missing_on_platform',
      detail: `The journal has it as ${number}, but the platform does not list it.`,
    };
  if (theirs.krakenAccountNumber === undefined)
    return {
      code: 'state_differs',
      detail: `The journal has it as ${number}, but the platform lists it as not created.`,
    };
  if (theirs.krakenAccountNumber === number) return undefined;
  return {
    code: 'number_differs',
    detail: `The journal has it as ${number}, the platform as ${theirs.krakenAccountNumber}.`,
  };
}

/** The journal does not know of a number. */
function notOurs(
  theirs: PlatformListing | undefined,
  entry: AccountEntry | undefined,
): Difference | undefined {
  const number = theirs?.krakenAccountNumber;
  if (number !== undefined)
    return openSteps(entry).has('process')
      ? {
          code: 'state_differs',
          detail: `The platform has it as ${number}; the journal does not know the result of its request yet.`,
        }
      : { code: 'created_outside', detail: `The platform has it as ${number}: ${standing(entry)}.` };
  if (theirs !== undefined && entry === undefined)
    return {
      code: 'staged_outside',
      detail: 'The platform has staged data for it that this journal did not send.',
    };
  if (theirs === undefined && entry?.stagedHash !== undefined)
    return {
      code: 'state_differs',
      detail: 'The journal has it as staged, but the platform does not list it.',
    };
  return undefined;
}

function* unconfirmed(
  entry: AccountEntry | undefined,
  theirs: PlatformListing | undefined,
): Generator<Difference> {
  const open = openSteps(entry);
  if (theirs?.krakenAccountNumber !== undefined) open.delete('process');
  if (open.size > 0)
    yield { code: 'unconfirmed', detail: `It is not known whether it arrived: ${[...open].join(', ')}.` };
}

/** The steps with a request whose effect is not known; validating or staging twice does no harm. */
function openSteps(entry: AccountEntry | undefined): Set<StepName> {
  const open = entry?.parts.filter(({ state }) => state === 'sent' || state === 'uncertain') ?? [];
  return new Set(open.map(({ step }) => step).filter((step) => step !== 'validate' && step !== 'stage'));
}

function* moneyDifferences(
  source: Money | undefined,
  acknowledged: Money | undefined,
): Generator<Difference> {
  if (source === undefined || acknowledged === undefined) return;
  for (const kind of [...new Set([...source.keys(), ...acknowledged.keys()])].sort()) {
    const [theirs, ours] = [source.get(kind) ?? zero, acknowledged.get(kind) ?? zero];
    if (theirs.eq(ours)) continue;
    const places = placesOf(kind);
    const money = { kind, source: formatDecimal(theirs, places), acknowledged: formatDecimal(ours, places) };
    const detail = `${kind}: the export has ${money.source}, but ${money.acknowledged} was acknowledged.`;
    yield { code: 'money_differs', detail, money };
  }
}

function standing(entry: AccountEntry | undefined): string {
  if (entry === undefined) return 'the journal has never seen it';
  if (isStagedByDryRun(entry)) return 'a dry run staged it on the platform, and no run has created it';
  return `the journal has it as ${entry.state}${entry.code === '' ? '' : ` (${entry.code})`}`;
}
