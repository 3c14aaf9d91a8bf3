import type { SupplierOverview } from '../../journal/journal.ts';
import type { RunEvent } from './run-events.ts';
import type { StopControl } from './stop-control.ts';

/** So many accounts of a new journal are on the platform already: it is not chance. */
const enough = 20;

/** Whether a journal has sent no account of a supplier: a run that was stopped here leaves it so. */
export function hasNothingOfItsOwn({ accounts }: Pick<SupplierOverview, 'accounts'>): boolean {
  const { staged, scheduled, imported, completed, failed, uncertain } = accounts;
  return staged + scheduled + imported + completed + failed + uncertain === 0;
}

/**
 * Stops a run with a journal that has sent no account yet if the platform has each of the first accounts: the journal that created
 * them is missing.
 */
export class AlreadyThere {
  readonly #stop: StopControl;
  #found = 0;

  constructor(stop: StopControl) {
    this.#stop = stop;
  }

  hear(event: RunEvent): void {
    if (event.type !== 'account' || !event.driven || this.#found === enough) return;
    const isThere = event.state === 'skipped' && event.code === 'already_imported';
    // One that was not there: the journal is not missing.
    if (!isThere) this.#found = enough;
    else if ((this.#found += 1) === enough) this.#stop.stop('already-there', String(enough));
  }
}
