import type { Journal } from '../../../src/journal/journal.ts';
import type { World } from './world.ts';

/** The clock that the leases of groups go by: that of a world. */
export class LeaseClock {
  readonly #world: World;
  readonly #set: (ms: number) => Promise<unknown>;
  #at = -1;
  #isSet: Promise<unknown> = Promise.resolve();

  /** `set`: sets the server's clock, in ms since the epoch. */
  constructor(world: World, set: (ms: number) => Promise<unknown>) {
    this.#world = world;
    this.#set = set;
  }

  /** A journal with groups, whose leases go by this clock. */
  journal(journal: Journal): Journal {
    const { groups } = journal;
    if (groups === undefined) throw new Error('this engine has no groups');
    const atItsTime = async <T>(work: () => Promise<T>): Promise<T> => {
      const { wall } = this.#world;
      if (wall !== this.#at) {
        this.#at = wall;
        this.#isSet = this.#set(wall);
      }
      await this.#isSet;
      return work();
    };
    const timed: typeof groups = {
      join: (...args) => atItsTime(() => groups.join(...args)),
      turn: (...args) => atItsTime(() => groups.turn(...args)),
      reopen: (...args) => groups.reopen(...args),
      results: (joined) => groups.results(joined),
      living: () => atItsTime(() => groups.living()),
      runsWith: (run) => atItsTime(() => groups.runsWith(run)),
      leave: (joined) => atItsTime(() => groups.leave(joined)),
    };
    return new Proxy(journal, {
      get(target, name) {
        if (name === 'groups') return timed;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}
