import type { JournalConnection } from './connection.ts';
import { identityOf, otherJournal, placeOf } from './identity.ts';

/**
 * Notices that a writer's server was replaced by another: a promoted standby, a copy, or one that was put back to an earlier moment. It may
 * lack the last commits of writers that are gone, and nobody else can know it. Only this proves that it lacks none: each commit
 * waited for a standby, as the writer saw at its last one, and its own are all there.
 */
export class ServerWatch {
  #identity: string | undefined;
  #place: string | undefined;
  #isKept = false;
  /** Where each connection leads. */
  readonly #places = new WeakMap<JournalConnection, string>();

  /**
   * Looks where a connection leads, once, before anything is written over it. Throws DatabaseRefused if it leads to another
   * journal. Call outside of a transaction.
   */
  async look(connection: JournalConnection): Promise<void> {
    if (this.#places.has(connection)) return;
    const { identity } = await identityOf(connection);
    if (this.#identity !== undefined && identity !== this.#identity) throw otherJournal();
    this.#identity = identity;
    const place = await placeOf(connection);
    // It may be promoted in a moment: only then it is known where it is.
    if (place === undefined) throw Object.assign(new Error('The server is a standby.'), { code: '25006' });
    this.#places.set(connection, place);
  }

  placeOf(connection: JournalConnection): string {
    return this.#places.get(connection) ?? '';
  }

  /** The new place, if the server was replaced since the last commit. */
  replacedBy(connection: JournalConnection): string | undefined {
    const place = this.placeOf(connection);
    return this.#place === undefined || this.#place === place ? undefined : place;
  }

  /** Whether every commit until the last one is known to have reached a standby. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** A commit was confirmed over this connection. `isKept`: only after a standby had it. */
  confirmed(connection: JournalConnection, isKept: boolean): void {
    this.#place = this.placeOf(connection);
    this.#isKept = isKept;
  }
}
