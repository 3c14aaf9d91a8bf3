import { actorOf } from '../host/actor.ts';
import type { Environment } from '../host/environment.ts';
import { bootOf } from '../host/process-identity.ts';
import type { RunHead } from '../pipeline/run/run-record.ts';
import { factsOfStart } from './last-run/facts-of-run.ts';
import type { RunRequest } from './run-request.ts';
import { platformLabel } from './session/connect.ts';

/** What people and the journal call the export. */
export function nameOf({ path, name = path }: Pick<RunRequest, 'path' | 'name'>): string {
  return name;
}

/** The history's record of a run that reads no account. */
export function headOf(
  environment: Environment,
  request: Pick<RunRequest, 'config' | 'path' | 'name' | 'dryRun' | 'unattended' | 'typed'>,
  platform: string,
): RunHead {
  const { config, dryRun = false } = request;
  return {
    ...{ platform, platformLabel: platformLabel(config), export: nameOf(request), dryRun },
    boot: bootOf(environment.clock),
    by: actorOf(environment),
    supplier: config.supplier,
    facts: factsOfStart(request),
  };
}
