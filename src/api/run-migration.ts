import type { RunEnding } from '../report/ending.ts';
import { runExport } from '../run/run-export.ts';
import { hoursToRunIn } from '../run/run-hours.ts';
import { orTell } from '../run/watch-run.ts';
import type { MigrationOptions } from './options.ts';
import { onCall } from './call.ts';
import { checkedAccounts, checkedSteps, checkRunOptions } from './check-options.ts';

/**
 * Migrates every account of an export that has work left, as `migrate run` does, and resolves to the result of the
 * run; its `exit` is the exit code of the command. Can be stopped at any moment and called again. Asks nothing and
 * prints nothing. Throws CannotStart if the run cannot start; nothing was sent then.
 */
export async function runMigration(options: MigrationOptions): Promise<RunEnding> {
  checkRunOptions(options);
  const { accounts, steps, ...choices } = options;
  const chosen = accounts && checkedAccounts(accounts);
  const driven = steps && checkedSteps(steps);
  return onCall(
    options,
    async ({ environment, config, reporter, hear }) => {
      const hours = await orTell(environment, reporter, config, () =>
        hoursToRunIn(config, environment.clock.now()),
      );
      const request = {
        ...choices,
        path: options.export,
        config,
        hours,
        accounts: chosen,
        steps: driven,
      };
      return runExport(environment, request, { reporter, hear });
    },
    (ending) => ({ type: 'ended', ending }),
  );
}
