import type { Config } from '../../config/load-config.ts';
import type { Environment } from '../../host/environment.ts';
import type { Journal } from '../../journal/journal.ts';
import type { PlatformConnection } from '../session/connect.ts';
import { FindByReading } from './find-by-reading.ts';
import { HourBudget } from './hour-budget.ts';
import { lagMsOf, openReader, queryPathOf } from './open-reader.ts';

/** What a run asks by; undefined if the profile has no `readBack`. Throws CannotStart if a query cannot be sent. */
export function byReadingOf(
  environment: Pick<Environment, 'clock' | 'random'>,
  config: Config,
  connection: PlatformConnection,
  journal: Pick<Journal, 'readBack'>,
): FindByReading | undefined {
  return config.isReadBackGiven === true
    ? findByReading(environment, config, connection, journal)
    : undefined;
}

/** What asks by reading, as the profile says. Throws CannotStart if a query cannot be sent. */
export function findByReading(
  environment: Pick<Environment, 'clock' | 'random'>,
  config: Config,
  connection: PlatformConnection,
  journal: Pick<Journal, 'readBack'>,
): FindByReading {
  const { readBack, timeZone } = config;
  return new FindByReading({
    reader: openReader(environment, config, connection),
    path: queryPathOf(config),
    decimals: readBack.decimals ?? 2,
    timeZone,
    absence: readBack.absence,
    lagMs: lagMsOf(config, connection),
    budget: new HourBudget(journal, environment.clock, readBack.perHour),
  });
}
