import type { Actor } from '../../domain/actor.ts';
import { statement, type JournalConnection } from './connection.ts';

const findSupplier = statement(
  'find_supplier',
  `SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform
  WHERE platform.identity = $1 AND supplier.code = $2`,
);
const findSource = statement(
  'find_source',
  `SELECT source.id FROM source JOIN platform ON platform.id = source.platform
  WHERE platform.identity = $1 AND source.place = $2`,
);

/**
 * The numbers of platforms, suppliers, exports and actors: few, never removed, so they are kept. `forget` them after a transaction
 * that was not committed.
 */
export class Names {
  readonly #suppliers = new Map<string, number>();
  readonly #sources = new Map<string, number>();
  /** The readings that were recorded, by supplier and export. */
  readonly readings = new Set<string>();

  #hasAdded = false;

  /** Whether a name was added since the last call. */
  takeAdded(): boolean {
    const hasAdded = this.#hasAdded;
    this.#hasAdded = false;
    return hasAdded;
  }

  forget(): void {
    this.#hasAdded = false;
    this.#suppliers.clear();
    this.#sources.clear();
    this.readings.clear();
  }

  hasSupplier(platform: string, code: string): boolean {
    return this.#suppliers.has(nameOf(platform, code));
  }

  hasSource(platform: string, place: string): boolean {
    return this.#sources.has(nameOf(platform, place));
  }

  /** A supplier that `addSupplier` has seen. */
  supplier(platform: string, code: string): number {
    return known(this.#suppliers, platform, code);
  }

  /** An export that `addSource` has seen. */
  source(platform: string, place: string): number {
    return known(this.#sources, platform, place);
  }

  async addSupplier(connection: JournalConnection, platform: string, code: string): Promise<number> {
    const name = nameOf(platform, code);
    const cached = this.#suppliers.get(name);
    if (cached !== undefined) return cached;
    const id = await this.findSupplier(connection, platform, code);
    if (id !== undefined) return id;
    this.#hasAdded = true;
    await addPlatform(connection, platform);
    await connection.change(
      `INSERT INTO supplier (platform, code) SELECT id, $2 FROM platform WHERE identity = $1 ON CONFLICT DO NOTHING`,
      [platform, code],
    );
    return (await this.findSupplier(connection, platform, code)) ?? lost();
  }

  async findSupplier(
    connection: JournalConnection,
    platform: string,
    code: string,
  ): Promise<number | undefined> {
    const [row] = await connection.run<{ id: number }>(findSupplier, [platform, code]);
    if (row !== undefined) this.#suppliers.set(nameOf(platform, code), row.id);
    return row?.id;
  }

  async addSource(connection: JournalConnection, platform: string, place: string): Promise<number> {
    const name = nameOf(platform, place);
    const cached = this.#sources.get(name);
    if (cached !== undefined) return cached;
    const find = async (): Promise<number | undefined> =>
      (await connection.run<{ id: number }>(findSource, [platform, place]))[0]?.id;
    let id = await find();
    if (id === undefined) {
      this.#hasAdded = true;
      await addPlatform(connection, platform);
      await connection.change(
        `INSERT INTO source (platform, place) SELECT id, $2 FROM platform WHERE identity = $1 ON CONFLICT DO NOTHING`,
        [platform, place],
      );
      id = (await find()) ?? lost();
    }
    this.#sources.set(name, id);
    return id;
  }
}

async function addPlatform(connection: JournalConnection, platform: string): Promise<void> {
  await connection.change('INSERT INTO platform (identity, label) VALUES ($1, $1) ON CONFLICT DO NOTHING', [
    platform,
  ]);
}

/** The number of an actor; null if none is known. */
export async function numberOfActor(
  connection: JournalConnection,
  actor: Actor | undefined,
): Promise<number | null> {
  if (actor === undefined) return null;
  const values = [actor.user, actor.host, actor.version];
  await connection.change(
    'INSERT INTO actor (login, host, version) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values,
  );
  const [row] = await connection.query<{ id: number }>(
    'SELECT id FROM actor WHERE login = $1 AND host = $2 AND version = $3',
    values,
  );
  return row?.id ?? null;
}

function nameOf(platform: string, rest: string): string {
  return `${platform}\0${rest}`;
}

function known(ids: ReadonlyMap<string, number>, platform: string, rest: string): number {
  return ids.get(nameOf(platform, rest)) ?? lost();
}

function lost(): never {
  throw new Error('The journal lost a name that it was given.');
}
