import type { Actor } from '../../domain/actor.ts';
import type { Environment } from '../environment.ts';
import { version } from './version.ts';

/** Who gives this command: for the record of what was done. */
export function actorOf({ user, host }: Pick<Environment, 'user' | 'host'>): Actor {
  return { user, host, version: version() };
}
