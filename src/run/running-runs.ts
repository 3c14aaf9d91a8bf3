import type { Config } from '../config/load-config.ts';
import type { Environment } from '../host/environment.ts';
import { isDead } from '../host/process-identity.ts';
import type { Journal, RunEntry } from '../journal/journal.ts';
import type { RunnerSeen } from '../journal/run-groups.ts';
import { journalOf } from './session/journal-of.ts';

/**
 * The runs that share a book, without those of this machine whose processes have ended; undefined in a journal of
 * one machine.
 */
export async function livingRunners(
  environment: Environment,
  journal: Journal,
): Promise<readonly RunnerSeen[] | undefined> {
  const dead = isDead(environment);
  return (await journal.groups?.living())?.filter(({ owner }) => !dead(owner));
}

/** The runs of living processes that share a book, of those given; none in a journal of one machine. */
export async function runnersAmong(
  environment: Environment,
  journal: Journal,
  runs: readonly RunEntry[],
): Promise<readonly RunEntry[]> {
  const ids = new Set((await livingRunners(environment, journal))?.map(({ run }) => run));
  return runs.filter(({ id, end }) => end === undefined && ids.has(id));
}

/**
 * The ids of the runs of living processes: those that share a book; for each other supplier that is held, the newest that has not
 * ended.
 */
export async function runningAmong(
  environment: Environment,
  config: Config,
  journal: Journal,
  runs: readonly RunEntry[],
): Promise<ReadonlySet<number>> {
  const sharing = await runnersAmong(environment, journal, runs);
  const held = await journalOf(environment, config).holders({
    now: environment.clock.now(),
    isDead: isDead(environment),
  });
  const newest = held.flatMap(({ platform, supplier }) => {
    const isOf = (run: RunEntry): boolean =>
      run.end === undefined &&
      run.platform === platform &&
      (run.supplier === undefined || run.supplier === supplier);
    return sharing.some(isOf) ? [] : (runs.find(isOf) ?? []);
  });
  return new Set([...sharing, ...newest].map(({ id }) => id));
}
