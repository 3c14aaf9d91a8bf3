import { accountStates } from '../../domain/account-state.ts';
import type { Problem } from '../../domain/problem.ts';
import type { AccountEntry, PartlyRead, RecordedProblem } from '../../journal/journal.ts';
import { counted, formatCount } from '../format.ts';
import { paragraph } from '../paragraph.ts';
import { ignoredRowsText, partlyReadText } from '../partly-read.ts';
import { cellRecord, place } from '../../domain/cell.ts';
import { table, type Column } from '../table.ts';
import type { Page } from '../terminal.ts';
import type { Difference } from './differences.ts';
import type { JoinedAccount } from './joined.ts';
import { kindName, separated } from './amounts.ts';
import { unreadText } from './last-reconciled.ts';
import { missingOf, missingTexts } from './missing-text.ts';
import type { Reconciled } from './reconcile.ts';

export interface ReconcileView {
  readonly supplier: string;
  /** The platform's address, or 'embedded'. */
  readonly platformLabel: string;
  readonly result: Reconciled;
  /** Rows of the export that the mapping leaves out on purpose; null if no export was given. */
  readonly ignoredRows: number | null;
}

/** A difference as one JSON line. */
export function differenceRecord({ account, entry, listed }: JoinedAccount, difference: Difference): object {
  const { code, detail, money, fields, added } = difference;
  const placed = (all: Difference['fields']) =>
    all?.map(({ step, path, cell }) => ({ step, path, ...cellRecord(cell) }));
  const [theirs] = listed;
  return {
    type: 'difference',
    code,
    account,
    detail,
    ...money,
    fields: placed(fields),
    added: added?.length === 0 ? undefined : placed(added),
    journal:
      entry === undefined
        ? null
        : {
            state: entry.state,
            code: entry.code === '' ? null : entry.code,
            krakenAccountNumber: entry.krakenAccountNumber ?? null,
          },
    platform:
      theirs === undefined
        ? null
        : { krakenAccountNumber: theirs.krakenAccountNumber ?? null, createdAt: theirs.createdAt ?? null },
  };
}

/** The same for people, in one line. */
export function differenceLine({ account }: JoinedAccount, { code, detail }: Difference): string {
  return `${account}  ${code}  ${detail}`;
}

/** A row of the export that belongs to no account, as one JSON line. */
export function unreadableRecord({ account, detail, cell }: Problem): object {
  return { type: 'difference', code: 'unreadable', account, detail, ...cellRecord(cell) };
}

export function unreadableLine({ detail, cell }: Problem): string {
  return `${cell === undefined ? '' : place(cell)}  unreadable  ${detail}`;
}

/** An export that no run has read to its end, as one JSON line. */
export function notCountedRecord(read: PartlyRead): object {
  const { place: exported, accounts = null } = read;
  const detail = partlyReadText([read]);
  return { type: 'difference', code: 'not_counted', account: null, detail, export: exported, accounts };
}

export function notCountedLine(read: PartlyRead): string {
  return `${read.place}  not_counted  ${partlyReadText([read])}`;
}

/** An account that its export no longer has, as one JSON line: reported, but not a difference. */
export function absentRecord({ key, state, from }: AccountEntry): object {
  return { type: 'absent', supplier: key.supplier, account: key.account, state, export: from ?? null };
}

/** A transaction whose date the platform moved, as one JSON line: reported, but not a difference. */
export function dateMovedRecord(account: string, problem?: RecordedProblem): object {
  return { type: 'date-moved', account, path: problem?.path ?? null, ...cellRecord(problem?.cell) };
}

function differencesIn({ differences }: Reconciled): number {
  return [...differences.values()].reduce((sum, count) => sum + count, 0);
}

/** For programs: the fields of the summary of `reconcile`. */
export function reconcileSummary({ supplier, platformLabel, result, ignoredRows }: ReconcileView): object {
  const { source = null, journal, platform, money } = result;
  const differences = differencesIn(result);
  return {
    supplier,
    matches: differences === 0,
    differences,
    byCode: Object.fromEntries(result.differences),
    source,
    journal,
    platform: { label: platformLabel, ...platform },
    money: Object.fromEntries(money.byKind(source !== null)),
    moneyUnknown: money.unknown,
    missing: source === null ? null : result.missing,
    datesMoved: result.datesMoved,
    absent: result.absent,
    corrected: result.corrected,
    stagedByDryRun: result.stagedByDryRun,
    ignoredRows,
    digest: result.digest,
  };
}

/** For people; the result comes last, where it stays visible above the terminal's prompt. */
export function reconcileText(page: Page, view: ReconcileView): string {
  const { supplier, platformLabel, result } = view;
  const { bold, green, red } = page.paint;
  const differences = differencesIn(result);
  const headline =
    differences === 0
      ? green(`They match: ${sidesOf(result)} agree on every account.`)
      : red(`They do not match: ${counted(differences, 'difference')} between ${sidesOf(result)}.`);
  return [
    bold(paragraph(page, `${supplier} on ${platformLabel}`, '')),
    accountsTable(page, result),
    '',
    ...moneySection(page, result),
    ...(differences === 0 ? [] : [bold('Differences by code'), codesTable(page, result), '']),
    ...[...remarks(result), ...ignoredRowsText(view.ignoredRows)].map((remark) =>
      paragraph(page, remark, ''),
    ),
    bold(headline),
    `Digest ${result.digest}`,
  ].join('\n');
}

function sidesOf({ source }: Reconciled): string {
  return source === undefined ? 'journal and platform' : 'export, journal and platform';
}

function accountsTable(page: Page, { source, journal, platform }: Reconciled): string {
  const columns: Column[] = [
    { title: '' },
    { title: 'Accounts', align: 'right' },
    { title: 'Created', align: 'right' },
  ];
  const sides = [['export', source] as const, ['journal', journal] as const, ['platform', platform] as const];
  return table(
    page,
    columns,
    sides.flatMap(([name, side]) =>
      side === undefined ? [] : [[name, formatCount(side.accounts), formatCount(side.imported)]],
    ),
  );
}

function moneySection(page: Page, { source, money, missing }: Reconciled): string[] {
  const kinds = money.byKind(source !== undefined);
  if (kinds.size === 0) return [];
  const amount = (title: string): Column => ({ title, align: 'right' });
  const columns = [
    { title: 'Money' },
    ...(source === undefined ? [] : [amount('Export')]),
    amount('Acknowledged'),
    ...(source === undefined ? [] : [amount('Missing')]),
    amount('Unconfirmed'),
  ];
  const rows = [...kinds].map(([kind, totals]) => [
    kindName(kind) ?? kind,
    ...(totals.source === null ? [] : [separated(totals.source)]),
    separated(totals.acknowledged),
    ...(totals.source === null ? [] : [separated(missingOf(missing, kind))]),
    separated(totals.unconfirmed),
  ]);
  return [table(page, columns, rows), ...missingTexts(missing).map((line) => paragraph(page, line)), ''];
}

function codesTable(page: Page, { differences }: Reconciled): string {
  const columns: Column[] = [{ title: '', align: 'right' }, { title: '' }];
  return table(
    page,
    columns,
    [...differences].map(([code, count]) => [formatCount(count), code]),
  );
}

/** What is not a difference, but is needed to understand the result. */
function remarks({
  differences,
  states,
  source,
  money,
  datesMoved,
  absent,
  corrected,
  stagedByDryRun,
}: Reconciled): string[] {
  const unfinished = accountStates
    .filter((state) => state !== 'completed' && states[state] > 0)
    .map((state) => `${formatCount(states[state])} ${state}`);
  const { source: unread, acknowledged, unconfirmed } = money.unknown;
  const unknown = Math.max(acknowledged, unconfirmed);
  return [
    ...(source === undefined && unfinished.length > 0
      ? [
          `Not complete yet, according to the journal: ${unfinished.join(', ')}. Name the export to compare it as well.`,
        ]
      : []),
    ...(stagedByDryRun > 0
      ? [
          `A dry run staged ${counted(stagedByDryRun, 'pending account')} on the platform. No run has created ${stagedByDryRun === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...unreadText(unread),
    ...(unknown > 0
      ? [
          `The amounts of ${counted(unknown, 'account')} are not known and are in no total: adopted, found on the platform after a restore, or sent by a version that did not record them.`,
        ]
      : []),
    ...(absent > 0
      ? [
          `${counted(absent, 'account')} that a run read from an export ${absent === 1 ? 'is' : 'are'} no longer in it, and not created: --json names each.`,
        ]
      : []),
    ...(corrected > 0
      ? [
          `${counted(corrected, 'account')} ${corrected === 1 ? 'was' : 'were'} corrected on the platform by hand, as you ruled: what was sent before is compared.`,
        ]
      : []),
    ...(differences.has('changed_since_sent')
      ? [
          'What was sent is not in the journal: `migrate explain EXPORT ACCOUNT --earlier OLD_EXPORT` shows old and new values with both cells.',
        ]
      : []),
    ...(datesMoved > 0
      ? [`The platform moved ${counted(datesMoved, 'date')} of transactions into the open statement period.`]
      : []),
  ];
}
