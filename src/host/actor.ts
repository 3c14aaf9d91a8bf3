import type { Actor } from '../domain/actor.ts';
import type { Environment } from './environment.ts';
import { versionAndCommit } from './packaged.ts';

/** The person or program that gives this command, for the record. */
export function actorOf({ user, host }: Pick<Environment, 'user' | 'host'>): Actor {
  return { user, host, version: versionAndCommit() };
}
