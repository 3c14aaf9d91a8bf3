import { journalOf } from '../app/journal-of.ts';
import type { Config } from '../config/load-config.ts';
import type { Journal } from '../journal/journal.ts';
import type { Printer } from '../report/printer.ts';
import { besideRun } from '../report/status-table.ts';
import type { Shell } from './shell.ts';
import { watchSuppliers } from './watch-suppliers.ts';

/** The display beside the progress of a run on a terminal: the same as `status --watch`, from the same source. */
export class LiveStatus {
  readonly #shell: Shell;
  readonly #printer: Printer;
  readonly #config: Config;
  #journal: Promise<Journal> | undefined;

  constructor(shell: Shell, printer: Printer, config: Config) {
    this.#shell = shell;
    this.#printer = printer;
    this.#config = config;
  }

  /** Call this when the journal has the run. */
  begin(platformLabel: string): void {
    if (this.#shell.stderr.isTTY !== true) return;
    const journal = journalOf(this.#shell, this.#config).open({ create: false });
    this.#journal = journal;
    // The run itself reports a journal that cannot be used.
    journal.then((opened) => this.#show(opened, platformLabel)).catch(() => undefined);
  }

  #show(journal: Journal, platformLabel: string): void {
    const look = watchSuppliers(this.#config, this.#shell.clock);
    this.#printer.progress.beside(async (page) =>
      besideRun(
        page,
        (await look(journal)).filter((status) => status.platformLabel === platformLabel),
      ),
    );
  }

  async end(): Promise<void> {
    const journal = await this.#journal?.catch(() => undefined);
    await journal?.close();
  }
}
