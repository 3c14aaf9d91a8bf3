import { paceAdvice } from './pace-advice.ts';
import type { StopReason } from '../pipeline/run/run-events.ts';
import { changedTexts } from './changed-text.ts';
import { givenFlags, quoted, type GivenFlags } from './command-line.ts';
import { copiedRowsText } from './copied-rows-text.ts';
import { failingStepsText } from './failing-steps-text.ts';
import { faultsOfNoAccount } from './faults-of-no-account.ts';
import { counted, formatCount, formatDuration } from './format.ts';
import { paragraph } from './paragraph.ts';
import { ignoredRowsText, partlyReadRecords, partlyReadText } from './partly-read.ts';
import { problemList } from './problem-list.ts';
import type { RunEnding } from './ending.ts';
import { sizeAdvice } from './size-advice.ts';
import { stateTable } from './state-table.ts';
import type { Page } from './terminal.ts';

/** Of the flags of a run, those that the next steps depend on. */
interface RunGiven extends GivenFlags {
  readonly rejects?: string;
}

/** For programs: the fields of the summary of `run`. */
export function runSummary(ending: RunEnding): object {
  return {
    supplier: ending.suppliers.length === 1 ? ending.suppliers[0] : null,
    suppliers: ending.suppliers,
    run: ending.run,
    platform: ending.platform,
    profile: ending.profile,
    rehearsal: ending.rehearsal,
    dryRun: ending.dryRun,
    accounts: ending.accounts,
    partlyRead: ending.partlyRead.length === 0 ? undefined : partlyReadRecords(ending.partlyRead),
    wouldImport: ending.dryRun ? ending.wouldImport : undefined,
    requests: ending.requests,
    retries: ending.retries,
    pace: ending.pace && { acceptedPerSecond: ending.pace.acceptedPerSecond, refused: ending.pace.refused },
    bodyLimit: ending.bodyLimit,
    failingSteps: ending.failingSteps,
    notOurs: ending.notOurs,
    refusedData: ending.refusedData,
    faults: ending.faults,
    leftExport: ending.leftExport,
    ignoredRows: ending.ignoredRows,
    changedAccounts: ending.rows?.changed ?? null,
    unchangedAccounts: ending.rows === undefined ? null : ending.rows.unchanged + ending.rows.same,
    durationMs: ending.durationMs,
    changedBy: ending.changedBy?.map(({ cause, accounts }) => ({
      by: cause.by,
      ...(cause.by === 'codes' ? { files: cause.files, sinceRun: cause.since } : {}),
      accounts,
    })),
    unchangedSince: ending.unchangedSince,
    stopped: ending.stopped?.reason,
    stopReason: ending.stopped?.reason ?? null,
    workLeft: ending.workLeft,
  };
}

/**
 * For people: what arrived, what was refused and where in the files the fault is, and the next steps, as
 * commands with the flags of this one.
 */
export function runText(page: Page, ending: RunEnding, given: RunGiven = {}): string {
  const what = ending.dryRun ? 'Dry run' : 'Run';
  const where = ending.platform === 'embedded' ? 'the embedded platform' : ending.platform;
  if (didNotStart(ending))
    return page.paint.bold(
      paragraph(page, `${what} ${ending.run} on ${where} did not start: ${ending.stopped?.detail ?? ''}`, ''),
    );
  const retries = ending.retries === 0 ? '' : ` (${counted(ending.retries, 'retry', 'retries')})`;
  const sent = `${counted(ending.requests, 'request')}${retries} in ${formatDuration(ending.durationMs)}.`;
  const atLeast = ending.accounts.uncounted === null ? 'at least ' : '';
  const next = nextSteps(ending, given);
  const problems = problemList(page, ending.problems);
  // The most important part comes last, where it stays visible above the terminal's prompt.
  return [
    ...(problems === '' ? [] : [problems, '']),
    page.paint.bold(
      paragraph(
        page,
        `${what} ${ending.run} on ${where}: ${atLeast}${counted(ending.accounts.total, 'account')}`,
        '',
      ),
    ),
    stateTable(page, ending.accounts, {
      stagedByDryRun: ending.stagedByDryRun,
      changedAfterImport: ending.changedInBook,
      refusedData: ending.refusedInBook,
    }),
    ...(ending.partlyRead.length === 0 ? [] : [paragraph(page, partlyReadText(ending.partlyRead))]),
    ...(ending.dryRun
      ? [paragraph(page, `${counted(ending.wouldImport, 'account')} would be imported. Nothing was created.`)]
      : []),
    paragraph(page, sent),
    ...rowsText(ending).map((line) => paragraph(page, line)),
    ...leftText(ending).map((line) => paragraph(page, line)),
    ...ignoredRowsText(ending.ignoredRows).map((line) => paragraph(page, line)),
    ...(ending.unchangedSince === undefined
      ? []
      : [
          paragraph(
            page,
            `Nothing to do: export, mapping and settings are unchanged since run ${ending.unchangedSince}, which completed everything.`,
          ),
        ]),
    ...(next.length === 0
      ? []
      : ['', page.paint.bold('Next steps'), ...next.map((line) => paragraph(page, line))]),
  ].join('\n');
}

/** Another run held the supplier before this one read anything, or its export is refused. */
function didNotStart({ stopped, suppliers }: RunEnding): boolean {
  return ['held', 'export-shrank'].includes(stopped?.reason ?? '') && suppliers.length === 0;
}

/** An export that lost accounts may have been cut short on its way. */
function leftText({ leftExport = 0 }: Pick<RunEnding, 'leftExport'>): string[] {
  if (leftExport === 0) return [];
  const are = leftExport === 1 ? 'is' : 'are';
  return [
    `${counted(leftExport, 'account')} of an earlier run ${are} no longer in the export: check that it is whole. \`migrate plan --json\` names each.`,
  ];
}

/** Nothing is said of the first reading of an export. */
function rowsText({ rows, dryRun }: Pick<RunEnding, 'rows' | 'dryRun'>): string[] {
  const { changed, unchanged, same } = rows ?? { changed: 0, unchanged: 0, same: 0 };
  if (changed > 0) {
    // A dry run records nothing.
    const names = dryRun ? '.' : ': `migrate list --changed` names them.';
    const rest = unchanged === 0 ? '' : ` ${counted(unchanged, 'unchanged account')} not checked again.`;
    return [`${counted(changed, 'account')} changed in the export${names}${rest}`];
  }
  // An earlier run may have completed them a moment ago.
  if (unchanged > 0)
    return [`${counted(unchanged, 'completed account')} unchanged in the export, and not checked again.`];
  return same === 0 ? [] : [`${counted(same, 'completed account')} unchanged in the export.`];
}

/** A dry run keeps no place: it begins with the first accounts each time. */
function again(reason: StopReason, isDryRun: boolean): string {
  if (reason === 'dry-run-ignored') return '';
  if (!isDryRun) return ' Run the same command again to continue.';
  return reason === 'limit'
    ? ' A dry run takes the first accounts each time: raise --limit to see more.'
    : ' A dry run starts from the beginning each time.';
}

function nextSteps(
  {
    accounts,
    taken,
    dryRun,
    stopped,
    problems,
    examples = {},
    changedAfterImport: changed = 0,
    changedBy,
    refusedData = 0,
    faults = 0,
    rejectedRows = 0,
    isShared = false,
    failingSteps,
    notOurs = 0,
    pace,
    bodyLimit,
    knowsNotDelivered = false,
  }: RunEnding,
  { rejects, ...common }: RunGiven,
): string[] {
  const flags = givenFlags(common);
  const { pending, staged, imported, rejected, failed, uncertain, skipped } = taken;
  const waiting = pending + staged + imported;
  const steps: string[] = [...paceAdvice({ pace, knowsNotDelivered }), ...sizeAdvice({ bodyLimit })];
  if (stopped !== undefined) {
    const advice = /run the same command again/i.test(stopped.detail) ? '' : again(stopped.reason, dryRun);
    steps.push(`It stopped early: ${stopped.detail}${advice}`);
  }
  if (stopped === undefined && !dryRun && waiting > 0)
    steps.push(
      `${formatCount(waiting)} not complete: they wait for steps that --steps excluded. Run without it.`,
    );
  const others = accounts.pending - pending;
  if (stopped === undefined && !dryRun && others > 0)
    steps.push(
      `${formatCount(others)} pending that this run did not take. Run the whole export, without --accounts.`,
    );
  const isCopied = rejects !== undefined && rejectedRows > 0;
  if (isCopied) steps.push(copiedRowsText(rejectedRows, rejects));
  const toFix = rejected - changed;
  const shown = (account: string | undefined): string => `\`migrate show ${quoted(account ?? '')}${flags}\``;
  // The reason of the stop says what to correct.
  if (toFix > 0 && !isCopied && stopped?.reason !== 'same-refusal') {
    const elsewhere =
      examples.rejected === undefined
        ? `\`migrate report --out report.html${flags}\` names them`
        : `${shown(examples.rejected)} shows what to fix in account ${examples.rejected}`;
    const hasErrors = problems.problems > problems.warnings;
    const all = `\`migrate list --state rejected${flags}\` names them, whichever run read them`;
    const fault = isShared
      ? `${all}. Fix the cells`
      : hasErrors
        ? 'fix the problems above'
        : `${elsewhere}. Fix the cells`;
    steps.push(`${formatCount(toFix)} rejected: ${fault} in the files, then run the same command again.`);
  }
  if (refusedData > 0) {
    const [has, it] = refusedData === 1 ? ['has', 'it'] : ['have', 'them'];
    const remedy = isCopied ? '.' : ': fix the problems above in the files, then run the same command again.';
    steps.push(
      `${counted(refusedData, 'account')} that arrived earlier ${has} data in the export now that is refused. Nothing more was sent of ${it}${remedy}`,
    );
  }
  if (faults > 0) steps.push(faultsOfNoAccount(faults, 'see the problems above'));
  if (changed > 0)
    steps.push(
      ...changedTexts(changed, changedBy),
      '`migrate resolve --as corrected` records that an account was corrected on the platform.',
    );
  steps.push(...failingStepsText({ failingSteps, stopped }));
  if (failed > 0) steps.push(`${formatCount(failed)} failed: run the same command again.`);
  if (uncertain > 0)
    steps.push(
      `${formatCount(uncertain)} uncertain: ${
        examples.uncertain === undefined
          ? '`migrate help resolve` says how to rule on them'
          : `${shown(examples.uncertain)} shows what is unknown about account ${examples.uncertain}, and \`migrate help resolve\` how to rule on it`
      }. Until then they are not sent again.`,
    );
  if (skipped > notOurs)
    steps.push(
      `${formatCount(skipped - notOurs)} skipped: the platform has them, and this journal did not create them. Find out who did. To leave them alone: \`migrate list --state skipped --csv theirs.csv${flags}\`, write skip into the column ruling, then \`migrate resolve --from theirs.csv${flags}\`. If they are yours, --adopt continues with them.`,
    );
  return steps;
}
