import { basename, resolve } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { addressOf } from '../../source/places/address.ts';
import type { Environment } from '../../host/environment.ts';

/**
 * Identifies an export in the journal: by its location; the rows of a database by the database and the mapping that reads them,
 * whichever snapshot has them.
 */
export async function exportPlace(
  { cwd }: Pick<Environment, 'cwd'>,
  { path, name = path, config }: ReadExport,
): Promise<string> {
  const place = addressOf(cwd, name);
  if (config.mapping === undefined) return place;
  const { readManifest } = await import('../../source/database/snapshot-manifest.ts');
  // Whether the export can be read is told where it is read.
  const manifest = await readManifest(resolve(cwd, path)).catch(() => undefined);
  return manifest ? `${manifest.database} by ${basename(config.mapping)}` : place;
}

interface ReadExport {
  readonly path: string;
  /** What it is called in messages, if not by its path. */
  readonly name?: string | undefined;
  readonly config: Pick<Config, 'mapping'>;
}
