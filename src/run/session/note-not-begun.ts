import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { runRefused } from '../../pipeline/run/unread-runs.ts';
import type { ObservedEnd } from '../../telemetry/run-observer.ts';
import { headOf } from '../run-head.ts';
import { platformLabel, platformOf } from './connect.ts';
import { journalOf } from './journal-of.ts';
import { openToChange } from './open-to-change.ts';

/** A night that could not begin. */
export interface NotBegun {
  readonly config: Config;
  /** As the user named it. */
  readonly export: string;
  readonly unattended: boolean;
}

const silent: Pick<Reporter, 'info' | 'warn' | 'progress'> = {
  info: () => undefined,
  warn: () => undefined,
  progress: { begin: () => undefined, advance: () => undefined, note: () => undefined },
};

/**
 * Records an unattended run that could not start, with the reason, so that the history shows the night. A start outside the
 * allowed hours is none. If the journal cannot be used, only the observers of the run know.
 */
export async function noteNotBegun(
  environment: Environment,
  { config, export: path, unattended }: NotBegun,
  end: ObservedEnd,
): Promise<void> {
  if (end.kind !== 'not-begun' || end.reason !== 'not-begun' || !(config.unattended || unattended)) return;
  try {
    if (!(await journalOf(environment, config).exists())) return;
    const platform = (await platformOf(environment, config)) ?? platformLabel(config);
    const journal = await openToChange(environment, config, silent, { create: false });
    try {
      const own = headOf(environment, { config, path, unattended }, platform);
      // Nothing was sent there: a wrong address of a known platform would be its address from then on.
      const known = (await journal.platforms()).find((one) => one.platform === platform);
      const head = known === undefined ? own : { ...own, platformLabel: known.label };
      const ports = { journal, clock: environment.clock, emit: () => undefined };
      await runRefused(head, { reason: 'not-begun', detail: end.detail, exit: exitCodes.usage }, ports);
    } finally {
      await journal.close();
    }
  } catch {
    // The run's own error is reported; it is often that of the journal.
  }
}
