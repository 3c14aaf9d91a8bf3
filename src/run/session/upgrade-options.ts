import type { UpgradeOptions } from '../../journal/store.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { actorOf } from '../../host/actor.ts';
import { isDead, thisProcess } from '../../host/process-identity.ts';

/** How this process upgrades a journal of an earlier version. */
export function upgradeOptions(
  environment: Environment,
  { info, progress }: Pick<Reporter, 'info' | 'progress'>,
): UpgradeOptions {
  const { clock } = environment;
  return {
    now: clock.now(),
    isDead: isDead(environment),
    owner: thisProcess(environment),
    by: actorOf(environment),
    sleep: (ms) => clock.sleep(ms),
    tell: (message) => info(message),
    phase: (text) => progress.phase?.(text),
  };
}
