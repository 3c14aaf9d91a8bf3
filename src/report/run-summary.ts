import type { AccountCounts } from '../domain/account-state.ts';
import { counted, formatCount, formatDuration } from './format.ts';
import { withTotal } from './json-records.ts';
import { problemList } from './problem-list.ts';
import type { ProblemTotals } from './problem-tally.ts';
import { stateTable } from './state-table.ts';
import { paragraph } from './table.ts';
import type { Page } from './terminal.ts';

/** A run that has ended, over all accounts that the export names. */
export interface RunView {
  readonly run: number;
  /** The platform's address, or 'embedded'. */
  readonly platformLabel: string;
  /** The supplier that was asked for; absent where the run took all. */
  readonly supplier?: string;
  readonly dryRun: boolean;
  readonly accounts: AccountCounts;
  /** Accounts that a dry run found would import. */
  readonly wouldImport: number;
  readonly requests: number;
  readonly retries: number;
  readonly durationMs: number;
  readonly problems: ProblemTotals;
  /** Why it ended before its work was done; `reason` is a machine code, such as `interrupt`. */
  readonly stopped?: { readonly reason: string; readonly detail: string };
}

/** For programs: the fields of the summary of `run`. */
export function runSummary(view: RunView): object {
  return {
    supplier: view.supplier ?? null,
    run: view.run,
    dryRun: view.dryRun,
    accounts: withTotal(view.accounts),
    ...(view.dryRun ? { wouldImport: view.wouldImport } : {}),
    requests: view.requests,
    retries: view.retries,
    durationMs: view.durationMs,
    ...(view.stopped === undefined ? {} : { stopped: view.stopped.reason }),
  };
}

/** For people: what arrived, what was refused and where in the files the fault lies, and how to go on. */
export function runText(page: Page, view: RunView): string {
  const { total } = withTotal(view.accounts);
  const what = view.dryRun ? 'Dry run' : 'Run';
  const where = view.platformLabel === 'embedded' ? 'the embedded platform' : view.platformLabel;
  const retries = view.retries === 0 ? '' : ` (${counted(view.retries, 'retry', 'retries')})`;
  const sent = `${counted(view.requests, 'request')}${retries} in ${formatDuration(view.durationMs)}.`;
  const next = nextSteps(view);
  const problems = problemList(page, view.problems);
  // What matters most stands last, where a terminal's prompt leaves it in sight.
  return [
    ...(problems === '' ? [] : [problems, '']),
    page.paint.bold(paragraph(page, `${what} ${view.run} on ${where}: ${counted(total, 'account')}`, '')),
    stateTable(page, view.accounts),
    ...(view.dryRun
      ? [paragraph(page, `${counted(view.wouldImport, 'account')} would import. Nothing was created.`)]
      : []),
    paragraph(page, sent),
    ...(next.length === 0
      ? []
      : ['', page.paint.bold('How to go on'), ...next.map((line) => paragraph(page, line))]),
  ].join('\n');
}

function nextSteps({ accounts, stopped, problems }: RunView): string[] {
  const { rejected, failed, uncertain, skipped } = accounts;
  const steps: string[] = [];
  if (stopped !== undefined) {
    const again = stopped.reason === 'dry-run-ignored' ? '' : ' Run the same command again to go on.';
    steps.push(`It stopped early: ${stopped.detail}${again}`);
  }
  if (rejected > 0) {
    const fault =
      problems.problems === 0 ? 'what `migrate show` tells of each' : 'the problems above in the files';
    steps.push(`${formatCount(rejected)} rejected: fix ${fault}, then run the same command again.`);
  }
  if (failed > 0) steps.push(`${formatCount(failed)} failed: run the same command again.`);
  if (uncertain > 0)
    steps.push(
      `${formatCount(uncertain)} uncertain: \`migrate show\` tells what is not known of an account, \`migrate resolve\` takes your ruling. Until then they are not sent again.`,
    );
  if (skipped > 0)
    steps.push(
      `${formatCount(skipped)} skipped: the platform has them, and this journal did not create them. --adopt goes on with them.`,
    );
  return steps;
}
