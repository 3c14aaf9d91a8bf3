import type { Config } from '../config/load-config.ts';
import type { Environment } from '../host/environment.ts';
import { isDead } from '../host/process-identity.ts';
import type { Journal, LeaseOwner, RunEntry } from '../journal/journal.ts';
import type { RunnerSeen } from '../journal/run-groups.ts';
import { journalOf } from './session/journal-of.ts';

/**
 * The runs that share a book, without those of this machine whose processes have ended; undefined in a journal of
 * one machine.
 */
export async function livingRunners(
  environment: Environment,
  journal: Journal,
  dead = isDead(environment),
): Promise<readonly RunnerSeen[] | undefined> {
  return (await journal.groups?.living())?.filter(({ owner }) => !dead(owner));
}

/** The same for a run that has ended in this process: what it could not release, as on a full disk, is no run under way. */
export function isDeadOrOwn(environment: Environment): (owner: LeaseOwner) => boolean {
  const dead = isDead(environment);
  return (owner) => (owner.host === environment.host && owner.pid === environment.pid) || dead(owner);
}

/** The runs of living processes that share a book, of those given; none in a journal of one machine. */
export async function runnersAmong(
  environment: Environment,
  journal: Journal,
  runs: readonly RunEntry[],
  dead = isDead(environment),
): Promise<readonly RunEntry[]> {
  const ids = new Set((await livingRunners(environment, journal, dead))?.map(({ run }) => run));
  return runs.filter(({ id, end }) => end === undefined && ids.has(id));
}

/**
 * The ids of the runs of living processes: those that share a book; for each other supplier that is held, the newest that has not
 * ended. `dead`: whether the owner of a lease is gone.
 */
export async function runningAmong(
  environment: Environment,
  config: Config,
  journal: Journal,
  runs: readonly RunEntry[],
  dead = isDead(environment),
): Promise<ReadonlySet<number>> {
  const sharing = await runnersAmong(environment, journal, runs, dead);
  const held = await journalOf(environment, config).holders({
    now: environment.clock.now(),
    isDead: dead,
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
