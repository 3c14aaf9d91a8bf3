import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** The file of a snapshot that says what the others are. It is JSON, and has no extension of data. */
export const manifestName = 'snapshot.manifest';

const manifest = z.strictObject({
  version: z.literal(1),
  driver: z.string(),
  /** The database's address, without a user and a password. */
  database: z.string(),
  takenAt: z.iso.datetime(),
  /** Whether all tables were read as they were at one moment. */
  isConsistent: z.boolean(),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      file: z.string(),
      query: z.string(),
      columns: z.array(z.string()),
      /** The columns of numbers; absent if there are none. */
      numeric: z.array(z.string()).optional(),
      /** The columns of dates; absent if there are none. */
      dates: z.array(z.string()).optional(),
      /** The columns of a binary floating-point type; absent if there are none. */
      floats: z.array(z.string()).optional(),
      rows: z.int().min(0),
      bytes: z.int().min(0),
      sha256: z.string(),
    }),
  ),
});
export type SnapshotManifest = z.infer<typeof manifest>;
export type SnapshotTable = SnapshotManifest['tables'][number];

/** The manifest of a directory; undefined if it has none, null if it cannot be understood. */
export async function readManifest(directory: string): Promise<SnapshotManifest | null | undefined> {
  let text;
  try {
    text = await readFile(join(directory, manifestName), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The first file of a snapshot that is not as it was written; undefined if all are. */
export async function changedFile(
  directory: string,
  { tables }: SnapshotManifest,
): Promise<string | undefined> {
  for (const { file, sha256 } of tables) {
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(join(directory, file)), hash);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      return file;
    }
    if (hash.digest('hex') !== sha256) return file;
  }
  return undefined;
}
