import type { Actor } from '../domain/actor.ts';

/** For people: who gave a command, where and with which version. */
export function actorText({ user, host, version }: Actor): string {
  return `${user}@${host}, version ${version}`;
}
