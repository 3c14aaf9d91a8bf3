import type { HttpReply } from './http.ts';

/** A connection of a run's, kept alive. */
export interface Connection {
  /** An answer that is sent a second time, and arrives with the next request. */
  copy: HttpReply | undefined;
}

/** The connections of one run that nobody uses at the moment. */
export class Connections {
  readonly #idle: Connection[] = [];

  /** Whether the next request needs a connection that is not open. */
  needsNew(isFresh: boolean): boolean {
    return isFresh || this.#idle.length === 0;
  }

  take(isFresh: boolean): Connection {
    const idle = isFresh ? undefined : this.#idle.pop();
    return idle ?? { copy: undefined };
  }

  keep(connection: Connection): void {
    this.#idle.push(connection);
  }
}
