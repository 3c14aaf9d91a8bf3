import type { Config } from '../config/load-config.ts';
import { configurationInForce } from '../app/configuration.ts';
import type { CommonFlags } from './usage.ts';
import type { Shell } from './shell.ts';

/** Flags that are settings too. */
export interface SettingFlags {
  readonly supplier?: string;
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly contract?: readonly string[];
  readonly strictContract?: boolean;
  readonly team?: string;
  readonly concurrency?: string;
  readonly until?: string;
  readonly window?: string;
  readonly timeZone?: string;
  readonly rate?: string;
}

/** The configuration in force; throws CannotStart with every problem in it. */
export function resolveSettings(shell: Shell, flags: CommonFlags & SettingFlags): Promise<Config> {
  const { config, profile, journal, supplier, mapping, contract, team, concurrency } = flags;
  const { rate, encoding, delimiter, until, window, timeZone, strictContract } = flags;
  return configurationInForce({
    cwd: shell.cwd,
    env: { ...shell.env },
    flags: {
      ...{ config, profile, journal, supplier, mapping, contract, team, concurrency },
      ...{ rate, encoding, delimiter, until, window, timeZone, strictContract },
    },
  });
}
