import type { RunEnding } from '../report/run-ending.ts';
import { runExport } from '../wiring/run-export.ts';
import { hoursToRunIn } from '../wiring/run-hours.ts';
import { orTell } from '../wiring/watch-run.ts';
import type { MigrationOptions } from './options.ts';
import { onCall } from './call.ts';

/**
 * Drives every account of an export that has work left, as `migrate run` does, and resolves to what the run has ended
 * with; what the command would exit with is its `exit`. Can be stopped at any moment and called again. Nothing is asked
 * and nothing is printed. Throws CannotStart where the run cannot begin: nothing was sent then.
 */
export function runMigration(options: MigrationOptions): Promise<RunEnding> {
  const { accounts, steps, ...choices } = options;
  return onCall(
    options,
    async ({ surroundings, config, teller, hear }) => {
      const hours = await orTell(surroundings, teller, config, () =>
        hoursToRunIn(config, surroundings.clock.now()),
      );
      const order = {
        ...choices,
        path: options.export,
        config,
        hours,
        ...(accounts === undefined ? {} : { accounts: new Set(accounts) }),
        ...(steps === undefined ? {} : { steps: new Set(steps) }),
      };
      return runExport(surroundings, order, { teller, hear });
    },
    (ending) => ({ type: 'ended', ending }),
  );
}
