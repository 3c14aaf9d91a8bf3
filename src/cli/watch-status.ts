import { utcDatetime } from '../domain/clock.ts';
import { zeroCounts } from '../domain/account-state.ts';
import { withTotal } from '../report/json-records.ts';
import { Pace } from '../report/pace.ts';
import type { Printer } from '../report/printer.ts';
import { statusSummary, statusText, type SupplierStatus } from '../report/status-table.ts';
import type { Shell } from './shell.ts';

/** Between two looks, in milliseconds: at a terminal, and where each is written below the one before. */
const [seenEveryMs, writtenEveryMs] = [2_000, 30_000];
/** The rate is taken over so long (ms). */
const paceMs = 60_000;

/** Shows progress again and again until an interrupt; gives what it was at the end. */
export async function watchStatus(
  shell: Shell,
  printer: Printer,
  look: () => Promise<readonly SupplierStatus[]>,
): Promise<readonly SupplierStatus[]> {
  const { clock } = shell;
  const stopped = new AbortController();
  const ignoreInterrupts = shell.onInterrupt(() => stopped.abort());
  const paces = new Map<string, { readonly pace: Pace; readonly from: number }>();
  const withPace = (status: SupplierStatus): SupplierStatus => {
    const { pending, staged, imported } = { ...zeroCounts(), ...status.accounts };
    const rest = pending + staged + imported;
    const done = withTotal(status.accounts).total - rest;
    const name = `${status.platform}\n${status.supplier}`;
    const known = paces.get(name) ?? { pace: new Pace(paceMs, clock.now()), from: done };
    paces.set(name, known);
    return { ...status, pace: { perSecond: known.pace.note(clock.now(), done - known.from), rest } };
  };
  try {
    for (;;) {
      const suppliers = (await look()).map(withPace);
      const at = utcDatetime(clock.now());
      printer.frame({ type: 'status', at, ...statusSummary(suppliers) }, (page) =>
        [statusText(page, suppliers), '', page.paint.dim(`${at}  Interrupt (Ctrl-C) to leave.`)].join('\n'),
      );
      const everyMs = shell.stdout.isTTY === true ? seenEveryMs : writtenEveryMs;
      await clock.sleep(everyMs, stopped.signal).catch((error: unknown) => {
        if (!stopped.signal.aborted) throw error;
      });
      if (stopped.signal.aborted) return suppliers;
    }
  } finally {
    ignoreInterrupts();
  }
}
