import { ruleCodes } from '../contract/preflight.ts';
import { loadConfig, type Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../wiring/cannot-start.ts';
import type { CommonFlags } from './common-flags.ts';
import type { Shell } from './shell.ts';

/** Flags that are settings too. */
export interface SettingFlags {
  readonly supplier?: string;
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly contract?: string;
  readonly team?: string;
  readonly concurrency?: string;
  readonly until?: string;
  readonly window?: string;
  readonly timeZone?: string;
  readonly rate?: string;
}

/** The configuration in force; throws CannotStart with every problem in it. */
export async function settingsInForce(shell: Shell, flags: CommonFlags & SettingFlags): Promise<Config> {
  const { config, profile, journal, supplier, mapping, contract, team, concurrency } = flags;
  const { rate, encoding, delimiter, until, window, timeZone } = flags;
  const loaded = await loadConfig({
    cwd: shell.cwd,
    env: { ...shell.env },
    flags: {
      ...{ config, profile, journal, supplier, mapping, contract, team, concurrency },
      ...{ rate, encoding, delimiter, until, window, timeZone },
    },
    ruleCodes,
  });
  if (!('problems' in loaded)) return loaded;
  throw new CannotStart(
    exitCodes.usage,
    loaded.problems.map((problem) => `${problem.where}: ${problem.detail}`),
  );
}
