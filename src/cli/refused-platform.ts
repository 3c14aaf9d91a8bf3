import { CannotStart } from '../host/cannot-start.ts';
import type { Config } from '../config/load-config.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { isLoopback } from '../run/session/connect.ts';
import { refuseRehearsal } from '../run/session/rehearsal-beside.ts';
import { otherPlatform } from '../run/session/unattended-platform.ts';
import type { Finding } from './doctor-checks.ts';
import type { Shell } from './shell.ts';

/** Why a run would be refused for its platform, found as the run does. `found`: what the platform's own checks found. */
export async function examineMeantPlatform(
  shell: Shell,
  config: Config,
  found: readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await meantPlatform(shell, config, found);
  } catch (error) {
    // The check of the journal tells.
    if (!(error instanceof DatabaseRefused)) throw error;
    return [];
  }
}

async function meantPlatform(
  shell: Shell,
  config: Config,
  found: readonly Finding[],
): Promise<readonly Finding[]> {
  const { baseUrl, unattended } = config;
  const isSilent = found.some(({ check, state }) => check === 'reachability' && state === 'failed');
  // What answers on this machine tells which platform it is.
  const isAsked = baseUrl !== undefined && isLoopback(baseUrl);
  const why = !unattended || (isAsked && isSilent) ? undefined : await otherPlatform(shell, config);
  if (why !== undefined)
    return [{ check: 'configuration', state: 'failed', detail: why, exit: exitCodes.usage }];
  try {
    await refuseRehearsal(shell, { config }, {});
    return [];
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return [{ check: 'configuration', state: 'warning', detail: error.lines.join(' ') }];
  }
}
