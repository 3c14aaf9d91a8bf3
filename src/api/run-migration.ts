import type { RunEnding } from '../report/run-ending.ts';
import { runExport } from '../app/run-export.ts';
import { hoursToRunIn } from '../app/run-hours.ts';
import { orTell } from '../app/watch-run.ts';
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
    async ({ environment, config, reporter, hear }) => {
      const hours = await orTell(environment, reporter, config, () =>
        hoursToRunIn(config, environment.clock.now()),
      );
      const order = {
        ...choices,
        path: options.export,
        config,
        hours,
        ...(accounts === undefined ? {} : { accounts: new Set(accounts) }),
        ...(steps === undefined ? {} : { steps: new Set(steps) }),
      };
      return runExport(environment, order, { reporter, hear });
    },
    (ending) => ({ type: 'ended', ending }),
  );
}
