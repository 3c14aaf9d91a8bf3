import type { Actor } from '../../domain/actor.ts';

/** Who gave a command, as a row has it. */
export interface ActorRow {
  readonly login: string | null;
  readonly host: string | null;
  readonly version: string | null;
}

export function byOf({ login, host, version }: ActorRow): { readonly by?: Actor } {
  return login === null || host === null || version === null ? {} : { by: { user: login, host, version } };
}
