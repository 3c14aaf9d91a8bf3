import { utcDatetime } from '../domain/clock.ts';
import type { EmptyJournal } from '../report/empty-journal.ts';
import { paragraph } from '../report/paragraph.ts';
import type { Printer } from '../report/printer.ts';
import { statusSummary, statusText, type SupplierStatus } from '../report/status-table.ts';
import type { Shell } from './shell.ts';

/** Between two looks, in milliseconds: at a terminal, and where each is written below the one before. */
const [seenEveryMs, writtenEveryMs] = [2_000, 30_000];

/** What is watched. */
export interface WatchedBook {
  /** Reads the journal as it is now. */
  suppliers(): Promise<readonly SupplierStatus[]>;
  /** Why there are none. */
  whyEmpty(): Promise<EmptyJournal>;
  /** The one supplier that was asked for. */
  readonly asked: string | undefined;
}

/** Shows progress again and again until an interrupt; gives what it was at the end. */
export async function watchStatus(
  shell: Shell,
  printer: Printer,
  watched: WatchedBook,
): Promise<readonly SupplierStatus[]> {
  const { clock } = shell;
  const stopped = new AbortController();
  const ignoreInterrupts = shell.onInterrupt(() => stopped.abort());
  try {
    for (;;) {
      const suppliers = await watched.suppliers();
      const empty = suppliers.length === 0 ? await watched.whyEmpty() : 'new';
      const at = utcDatetime(clock.now());
      printer.frame({ type: 'status', at, ...statusSummary(suppliers) }, (page) =>
        [
          statusText(page, suppliers, empty, watched.asked),
          '',
          page.paint.dim(paragraph(page, `${at}  Ctrl-C to quit.`, '')),
        ].join('\n'),
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
