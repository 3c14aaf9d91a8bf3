import type { Config } from '../config/load-config.ts';
import { cellRecord, place } from '../domain/cell.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { Journal } from '../journal/journal.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { knownAccount } from '../pipeline/account/known-account.ts';
import type { ReadDifference } from '../read-back/comparison.ts';
import { mostThatDiffer } from '../read-back/sample.ts';
import type { CommandResult, Printer } from '../report/printer.ts';
import { readBackSummary, readBackText } from '../report/reconciliation/read-back-page.ts';
import { accountList } from '../run/listed-accounts.ts';
import { lagMsOf, openReader } from '../run/read-back/open-reader.ts';
import { openBook } from '../run/read-back/reading-book.ts';
import { readAccounts, type ReadAccountsListener } from '../run/read-back/read-accounts.ts';
import { choose, type Selection, type selectionWords } from '../run/read-back/selection.ts';
import { cuttingOf } from '../run/pipeline-settings.ts';
import { addressOf } from '../source/places/address.ts';
import type { Recorded } from './connect-recorded.ts';
import { openRecordedPlans } from './open-recorded-plans.ts';
import { onlySupplier } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

export interface ReadBackWork {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  readonly journal: Journal;
  readonly path: string;
  readonly name: string | undefined;
  readonly fixes: readonly string[];
  readonly recorded: Recorded;
  readonly chosen: ReturnType<typeof selectionWords>;
  readonly seed: string;
  /** Whether differences are told with both values. */
  readonly withValues: boolean;
}

/** Reads accounts back and compares them with what was sent; the result is added to that of the comparison before. */
export async function readBack(work: ReadBackWork, compared: CommandResult): Promise<CommandResult> {
  const { shell, printer, config, journal, recorded, path, name = path } = work;
  const meant = onlySupplier(recorded.suppliers);
  if (meant === undefined) throw new Error('a connection that was made for no supplier');
  const { platform, supplier } = meant;
  const selection = await selectionOf(work);
  const stop = new AbortController();
  const forget = shell.onInterrupt(() => stop.abort(new Error('Interrupted.')));
  const reader = openReader(shell, config, recorded.connection, stop.signal);
  const opened = await openRecordedPlans(work, platform);
  try {
    const chosen = await choose(journal, { platform, supplier }, selection);
    printer.progress.begin(chosen.size, 'account');
    const book = await openBook(
      { journal, clock: shell.clock, perHour: config.readBack.perHour },
      {
        ...{ platform, supplier },
        selection: JSON.stringify([
          work.chosen.kind,
          work.chosen.value,
          work.seed,
          addressOf(shell.cwd, name),
        ]),
      },
    );
    const result = await readAccounts(
      {
        ...{ platform, supplier, journal, plans: opened.plans, chosen, reader, book },
        supplierOf: async (plan) =>
          plan.key.supplier !== ''
            ? plan.key.supplier
            : (
                await knownAccount(
                  journal,
                  platform,
                  plan.key.account,
                  plan.fix?.place ?? addressOf(shell.cwd, name),
                )
              )?.key.supplier,
        cutting: cuttingOf(config),
        decimals: config.readBack.decimals ?? 2,
        timeZone: config.timeZone,
        clock: shell.clock,
        lagMs: lagMsOf(config, recorded.connection),
        concurrency: config.readBack.concurrency,
        signal: stop.signal,
      },
      listenerOf(printer, work.withValues),
    );
    if (result.stopped === undefined) await book.end();
    const view = {
      ...{ result, selection: selection.kind, seed: work.seed, perHour: config.readBack.perHour },
      atMost: mostThatDiffer(result.differ, result.read),
    };
    return {
      ...compared,
      exit: exitCodeOf([compared.exit, exitOf(result)]),
      summary: readBackSummary(compared.summary ?? {}, view),
      text: (page) => [compared.text?.(page) ?? '', readBackText(page, view)].join('\n\n'),
    };
  } finally {
    opened.close();
    forget();
  }
}

async function selectionOf({ shell, chosen, seed }: ReadBackWork): Promise<Selection> {
  if (chosen.kind === 'accounts')
    return { kind: 'accounts', accounts: await accountList(shell, chosen.value) };
  return chosen.kind === 'sample' ? { kind: 'sample', size: Number(chosen.value), seed } : { kind: 'all' };
}

function exitOf(result: Awaited<ReturnType<typeof readAccounts>>): ExitCode {
  if (result.differ > 0) return exitCodes.uncertain;
  if (result.stopped !== undefined) return exitCodes.stoppedEarly;
  return result.notReadable + result.changed + result.notInExport > 0
    ? exitCodes.accountsRejected
    : exitCodes.done;
}

function listenerOf(printer: Printer, withValues: boolean): ReadAccountsListener {
  return {
    compared: () => printer.progress.advance(1),
    difference: (plan, difference) => {
      const { field, kind } = difference;
      const cell = cellOf(plan, difference);
      const values = withValues
        ? { expected: difference.expected ?? null, held: difference.held ?? null }
        : {};
      const { account } = plan.key;
      const record = { type: 'difference', account, field, kind, ...cellRecord(cell), ...values };
      const told = withValues ? `  ${difference.expected ?? '-'} / ${difference.held ?? '-'}` : '';
      printer.line(
        record,
        `${account}  ${field}  ${kind}${cell === undefined ? '' : `  ${place(cell)}`}${told}`,
      );
    },
    remark: ({ key }, { field, kind }) =>
      printer.line({ type: 'read-back', account: key.account, field, kind }),
    hidden: (account, fields) => {
      for (const [field, reason] of fields)
        printer.line(
          { type: 'not-readable', account, field, reason },
          `${account}  ${field}  not readable (${reason})`,
        );
    },
  };
}

function cellOf(plan: AccountPlan, { origin }: ReadDifference) {
  return origin === undefined ? undefined : plan.locate(origin.step, origin.path, origin.request);
}
