import { CannotStart } from '../host/cannot-start.ts';
import type { Config, ConfigFlags } from '../config/load-config.ts';
import type { Printer } from '../report/printer.ts';
import type { NotBegun } from '../run/session/note-not-begun.ts';
import { orTell } from '../run/watch-run.ts';
import { resolveSettings } from './conclude.ts';
import type { Shell } from './shell.ts';

/**
 * The configuration in force. If its profile is the only fault, a run that could not start is told as the configuration without it says.
 * `watched`: how the run is watched. Throws CannotStart with every problem.
 */
export async function settingsOrTell(
  shell: Shell,
  printer: Printer,
  flags: ConfigFlags,
  watched: (config: Config) => Config,
  notBegun: Omit<NotBegun, 'config'>,
): Promise<Config> {
  try {
    return watched(await resolveSettings(shell, flags));
  } catch (error) {
    const rest = error instanceof CannotStart ? await withoutProfile(shell, flags) : undefined;
    if (rest === undefined) throw error;
    return orTell(shell, printer, watched(rest), () => Promise.reject(error as CannotStart), notBegun);
  }
}

/** undefined if no profile was asked for, or the rest has faults too. */
async function withoutProfile(shell: Shell, flags: ConfigFlags): Promise<Config | undefined> {
  const { MIGRATE_PROFILE: variable, ...env } = shell.env;
  const { profile, ...others } = flags;
  if (profile === undefined && variable === undefined) return undefined;
  try {
    return await resolveSettings({ ...shell, env }, others);
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return undefined;
  }
}
