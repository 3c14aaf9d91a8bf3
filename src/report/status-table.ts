import { stepNames, type StepName } from '../domain/steps.ts';
import { partitions } from '../domain/account-key.ts';
import type { StepCounts, SupplierOverview, Trouble } from '../journal/journal.ts';
import type { RunnerSeen } from '../journal/run-groups.ts';
import { emptyJournalText, type EmptyJournal } from './empty-journal.ts';
import { counted, formatCount, formatDuration, formatRate, formatTime } from './format.ts';
import { notBegunIn } from './not-begun.ts';
import { paragraph } from './paragraph.ts';
import { bookCounts, partlyReadRecords, partlyReadText } from './partly-read.ts';
import { paintState, stateTable } from './state-table.ts';
import { table, type Column } from './table.ts';
import { withoutSupplierText, type WithoutSupplier } from './without-supplier.ts';
import type { Page } from './terminal.ts';

/** What the platform lists of a supplier (interface, section 4, endpoint 5). */
interface Remote {
  readonly accounts: number;
  /** Staged, and not created. */
  readonly pending: number;
  readonly imported: number;
}

/** One supplier in the journal and, if it was asked, on the platform. */
export interface SupplierStatus extends SupplierOverview {
  readonly remote?: Remote | undefined;
  readonly watched?: Watched | undefined;
  /** Steps whose endpoint the tenancy's contract does not have; absent without a contract. */
  readonly notOffered?: readonly StepName[] | undefined;
}

/** What changes while a supplier is watched. */
export interface Watched {
  /** Accounts that came to an end per second: over the last minute, and since the watch began. */
  readonly perSecond: number;
  readonly averagePerSecond: number;
  /** Those that have not ended, of the journal and of the export that is run. */
  readonly rest: number;
  /** The speed of the active run, and what limits it. */
  readonly flow?: string | undefined;
  /** Newest first. */
  readonly troubles: readonly Trouble[];
}

/** For programs: the fields of the summary of `status`. `runners`: absent if runs cannot share a book. */
export function statusSummary(
  suppliers: readonly SupplierStatus[],
  runners?: readonly RunnerSeen[],
  withoutSupplier?: WithoutSupplier,
): object {
  return {
    withoutSupplier: withoutSupplier?.accounts ?? 0,
    runners: runners?.map(runnerRecord),
    suppliers: suppliers.map(({ notOffered, remote, watched, ...overview }) => ({
      supplier: overview.supplier,
      platform: overview.platform,
      accounts: bookCounts(overview),
      partlyRead: partlyReadRecords(overview.partlyRead),
      absent: overview.absent,
      stagedByDryRun: overview.stagedByDryRun,
      changedAfterImport: overview.changedAfterImport,
      alreadyHeld: overview.alreadyHeld,
      refusedData: overview.refusedData,
      inDoubt: overview.inDoubt,
      steps: overview.steps,
      notOffered,
      remote,
      ...(watched && watchedRecord(watched)),
    })),
  };
}

/**
 * For people: each supplier's accounts by state and its steps. `empty`: why there are no suppliers, if there are none;
 * `asked`: the requested supplier, if one was named.
 */
export function statusText(
  page: Page,
  suppliers: readonly SupplierStatus[],
  empty: EmptyJournal = 'new',
  asked?: string,
): string {
  if (suppliers.length === 0)
    return paragraph(
      page,
      asked === undefined || empty === 'no-accounts' || empty === 'not-yet'
        ? emptyJournalText(empty)
        : `The journal has no accounts of ${asked}${empty === 'elsewhere' ? ' on this platform, but it has others. Check --supplier, --profile and MIGRATE_BASE_URL' : ''}.`,
      '',
    );
  return suppliers.map((supplier) => supplierText(page, supplier)).join('\n\n');
}

/** For people: the status, and below it the accounts that belong to none of the suppliers. */
export function withAccountsOfNone(page: Page, text: string, unnamed?: WithoutSupplier): string {
  return unnamed === undefined ? text : `${text}\n\n${paragraph(page, withoutSupplierText(unnamed), '')}`;
}

/** For people: the status, and below it the runs that share the work of a book, if there are any. */
export function withRunners(page: Page, text: string, runners: readonly RunnerSeen[] = []): string {
  return runners.length === 0 ? text : `${text}\n\n${runnersText(page, runners)}`;
}

function runnersText(page: Page, runners: readonly RunnerSeen[]): string {
  const columns: Column[] = [
    { title: 'Runner' },
    { title: 'Host' },
    { title: 'Partitions left', align: 'right' },
    { title: `Lease until (${page.timeZone})` },
  ];
  const rows = runners.map(({ run, owner, partitions: left, expiresAt }) => [
    `run ${run}`,
    owner.host,
    `${left} of ${partitions}`,
    formatTime(expiresAt, page.timeZone).slice(11),
  ]);
  return table(page, columns, rows);
}

function runnerRecord({ run, owner, partitions: left, since, expiresAt }: RunnerSeen): object {
  const { host, pid } = owner;
  const [from, until] = [since, expiresAt].map((at) => new Date(at).toISOString());
  return { run, host, pid, partitions: left, since: from, leaseUntil: until };
}

/** Accounts that are not counted, since their export does not have them any more. */
export function absentText(absent: number): string {
  const [are, them] = absent === 1 ? ['is', 'it'] : ['are', 'them'];
  return `Not counted: ${counted(absent, 'account')} that ${are} no longer in the export. The journal does not know that a run created ${them}.`;
}

/** Accounts for which more may have been sent than a restored journal knows. */
export function doubtText(inDoubt: number): string {
  const [know, each] = inDoubt === 1 ? ['is', 'it'] : ['are', 'each'];
  return `The journal was restored, and ${counted(inDoubt, 'account')} ${know} in doubt: requests may have been sent that it does not contain. The next run asks the platform about ${each} before it sends anything.`;
}

function watchedRecord({ perSecond, averagePerSecond, flow, troubles }: Watched): object {
  return { perSecond, averagePerSecond, flow: flow ?? null, troubles };
}

const counts = ['done', 'failed', 'uncertain', 'pending'] as const satisfies readonly (keyof StepCounts)[];

/** For people: `failed` and `pending` are states of accounts, and these counts have others in them. */
export const stepCountNames: Readonly<Record<keyof StepCounts, string>> = {
  done: 'done',
  failed: 'not accepted',
  uncertain: 'uncertain',
  pending: 'to do',
};

function supplierText(page: Page, overview: SupplierStatus): string {
  const { watched } = overview;
  return [
    page.paint.bold(paragraph(page, `${overview.supplier} on ${overview.platformLabel}`, '')),
    stateTable(page, bookCounts(overview), overview),
    ...(overview.partlyRead.length === 0 ? [] : [paragraph(page, partlyReadText(overview.partlyRead))]),
    ...(overview.absent === 0 ? [] : [paragraph(page, absentText(overview.absent))]),
    ...(overview.inDoubt === 0 ? [] : [paragraph(page, doubtText(overview.inDoubt))]),
    ...(overview.remote === undefined ? [] : [remoteText(page, overview, overview.remote)]),
    ...(watched === undefined ? [] : [paceText(page, watched)]),
    '',
    stepTable(page, overview),
    ...(notBegunIn(overview) > 0
      ? [paragraph(page, 'Pending accounts that no run has begun are in none of these rows.')]
      : []),
    ...notSentTexts(overview).map((line) => paragraph(page, line)),
    ...(watched === undefined ? [] : troubleText(page, watched.troubles)),
  ].join('\n');
}

/** Steps of accounts that were refused before anything was sent are neither done nor refused by the platform. */
export function notSentTexts({
  accounts,
  steps,
}: Pick<SupplierOverview, 'accounts' | 'steps'>): readonly string[] {
  if (accounts.rejected === 0 || steps.validate.pending === 0) return [];
  return [
    'Not accepted: refused by the platform, or failed. Steps of accounts that a check refused before anything was sent are among those to do.',
  ];
}

/** What a run shows beside its progress: the steps, and what got into trouble last. */
export function besideRun(page: Page, suppliers: readonly SupplierStatus[]): string {
  const isOne = suppliers.length === 1;
  return suppliers
    .map((status) =>
      [
        ...(isOne ? [] : [page.paint.bold(paragraph(page, status.supplier, ''))]),
        stepTable(page, status),
        ...troubleText(page, status.watched?.troubles ?? []),
      ].join('\n'),
    )
    .join('\n\n');
}

function stepTable(page: Page, overview: SupplierStatus): string {
  const columns: Column[] = [
    { title: 'Step' },
    ...counts.map((count) => ({ title: stepCountNames[count], align: 'right' as const })),
  ];
  const rows = stepNames.map((step) => {
    const each = counts.map((count) => overview.steps[step][count]);
    const isLeftOut = overview.notOffered?.includes(step) === true && each.every((count) => count === 0);
    return isLeftOut ? [step, 'not offered'] : [step, ...each.map(formatCount)];
  });
  return table(page, columns, rows);
}

/** A few of them: a display must fit on a screen. */
const troublesShown = 3;

function troubleText(page: Page, troubles: readonly Trouble[]): string[] {
  if (troubles.length === 0) return [];
  const columns: Column[] = [
    { title: 'Last failures' },
    { title: '', paint: (state) => paintState(page, state) },
    { title: '' },
  ];
  const rows = troubles.slice(0, troublesShown).map(({ account, state, code }) => [account, state, code]);
  return ['', table(page, columns, rows)];
}

/** What the platform lists, beside what the journal has of it. */
function remoteText(page: Page, { steps }: SupplierStatus, { accounts, pending, imported }: Remote): string {
  const created = `${formatCount(imported)} created (in the journal ${formatCount(steps.process.done)})`;
  return paragraph(
    page,
    `The platform lists ${formatCount(accounts)}: ${created}, ${formatCount(pending)} staged.`,
  );
}

/** How fast it goes now, and why. */
function paceText(page: Page, { perSecond, averagePerSecond, rest, flow }: Watched): string {
  const left =
    perSecond > 0 && rest > 0 ? `, ${formatDuration((rest / perSecond) * 1000)} left at this rate` : '';
  return [
    `${formatRate(perSecond)} over the last minute, ${formatRate(averagePerSecond)} since the watch began; ` +
      `${counted(rest, 'account')} to do${left}.`,
    ...(flow === undefined ? [] : [`The run continues: ${flow}.`]),
  ]
    .map((line) => paragraph(page, line))
    .join('\n');
}
