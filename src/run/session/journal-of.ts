import { journalPassword } from '../../config/credentials.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { journalAt } from '../../journal/journal-at.ts';
import type { JournalStore } from '../../journal/store.ts';
import { readTrustedText } from '../../domain/trusted-file.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { requireConfirmed } from './confirmed-addresses.ts';
import type { Environment } from '../../host/environment.ts';
import { stoppableStore } from './stoppable-store.ts';
import { runShellCommand } from '../../host/user-commands.ts';

/** The configured journal. Opens nothing. */
export function journalOf(
  environment: Pick<Environment, 'env' | 'clock' | 'user' | 'stopping'>,
  config: Config,
): JournalStore {
  const store = storeOf(environment, config);
  const { stopping, clock } = environment;
  return stopping === undefined ? store : stoppableStore(store, stopping, clock);
}

function storeOf(environment: Pick<Environment, 'env' | 'clock' | 'user'>, config: Config): JournalStore {
  const { journal, synchronous, workDirectory, journalPatienceMs } = config;
  const { env, clock, user } = environment;
  return journalAt({
    ...{ journal, synchronous, clock, user, directory: workDirectory, patienceMs: journalPatienceMs },
    password: async () => {
      const found = await journalPassword(config, env, runShellCommand, readTrustedText);
      if (found !== undefined && 'detail' in found)
        throw new CannotStart(exitCodes.usage, `${found.where}: ${found.detail}`);
      if ((env['PGPASSWORD'] ?? '') !== '')
        await requireConfirmed(environment, config, {
          ...{ variable: 'PGPASSWORD', address: journal, isFound: config.isJournalFound },
          instead: 'set MIGRATE_JOURNAL too',
        });
      return found?.reveal();
    },
  });
}
