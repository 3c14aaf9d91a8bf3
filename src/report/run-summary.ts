import { aboutStop } from '../domain/stop-reason.ts';
import { leftByRun, type RunGiven } from './advice/of-run.ts';
import { openSteps, type NextStep } from './advice/remedies.ts';
import { whoActs } from './advice/remedy.ts';
import { counted, formatDuration } from './format.ts';
import { paragraph } from './paragraph.ts';
import { ignoredRowsText, partlyReadRecords, partlyReadText } from './partly-read.ts';
import { problemList } from './problem-list.ts';
import type { RunEnding } from './ending.ts';
import { stateTable } from './state-table.ts';
import type { Page } from './terminal.ts';

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
    night: ending.night,
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
      paragraph(page, `${what} ${ending.run} on ${where} did not start: ${notStartedFor(ending)}.`, ''),
    );
  const retries = ending.retries === 0 ? '' : ` (${counted(ending.retries, 'retry', 'retries')})`;
  const sent = `${counted(ending.requests, 'request')}${retries} in ${formatDuration(ending.durationMs)}.`;
  const atLeast = ending.accounts.uncounted === null ? 'at least ' : '';
  const next = openSteps(leftByRun(ending, given));
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
      alreadyHeld: ending.alreadyHeld ?? 0,
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
      : ['', page.paint.bold('Next steps'), ...next.flatMap((step) => stepLines(page, step))]),
  ].join('\n');
}

/** Each command is on a line of its own, to be copied. Where it is the same command again, the sentence says so. */
function stepLines(page: Page, { who, sentence, commands }: NextStep): string[] {
  const others = commands.filter(({ command }) => !/^migrate (run|validate) /.test(command));
  const by = who === 'us' ? '' : ` This is for ${whoActs[who]}.`;
  return [
    paragraph(page, `${sentence}${by}`),
    ...others.flatMap(({ when, command }) => [
      ...(when === undefined ? [] : [paragraph(page, when)]),
      `    ${command}`,
    ]),
  ];
}

/** Another run held the supplier before this one read anything, or its export is refused. */
function didNotStart({ stopped, suppliers }: RunEnding): boolean {
  return (
    stopped !== undefined && aboutStop(stopped.reason).isBeforeReading === true && suppliers.length === 0
  );
}

/** In a few words: the error line has the whole reason. */
function notStartedFor({ stopped }: RunEnding): string {
  return stopped === undefined ? '' : aboutStop(stopped.reason).words;
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
