import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { readMapping } from '../mapping/read-mapping.ts';
import { listExport } from '../source/list-export.ts';
import { readNamedFile } from './read-named-file.ts';
import type { RunOrder } from './run-order.ts';
import type { Surroundings } from './surroundings.ts';
import { version } from './system/version.ts';

/** Settings of how a run is watched, when it goes and how fast: no difference to what becomes of the accounts. */
const indifferent: ReadonlySet<string> = new Set<keyof Config>([
  ...(['log', 'metrics', 'notify', 'until', 'window', 'timeZone', 'concurrency', 'rate'] as const),
]);

/**
 * Names an export as it is, without reading it: by the identity, size and times of its files and of the mapping's, and
 * by every setting that decides what is made of them. undefined where that does not tell all: of a mapping's module and
 * of the documents it is not known what they hold, and a run of chosen accounts says nothing of the others.
 */
export async function exportFingerprint(
  { cwd }: Pick<Surroundings, 'cwd'>,
  order: RunOrder,
): Promise<string | undefined> {
  const { path, config, steps, adopt, skipUnreadable, documents, accounts, dryRun } = order;
  if (documents !== undefined || accounts !== undefined || dryRun === true) return undefined;
  const listing = await listExport(resolve(cwd, path));
  if ('problems' in listing) return undefined;
  const { mapping, contract } = config;
  const ofMapping = mapping === undefined ? [] : await mappingFiles(mapping);
  if (ofMapping === undefined) return undefined;
  const marks: string[] = [];
  for (const file of [
    ...listing.files.map((name) => join(listing.root, name)),
    ...ofMapping,
    ...(contract === undefined ? [] : [contract]),
  ]) {
    const mark = await markOf(file);
    if (mark === undefined) return undefined;
    marks.push(mark);
  }
  const decisive = Object.entries(config).filter(([name]) => !indifferent.has(name));
  const known = [
    version(),
    decisive,
    [...(steps ?? [])].sort(),
    adopt === true,
    skipUnreadable === true,
    marks,
  ];
  return createHash('sha256').update(JSON.stringify(known)).digest('base64url');
}

/** The mapping with the code tables that it reads; undefined where it calls a module, or cannot be read. */
async function mappingFiles(mapping: string): Promise<readonly string[] | undefined> {
  const read = readMapping(basename(mapping), await readNamedFile('The mapping file', mapping), {});
  if ('problems' in read || read.module !== undefined) return undefined;
  return [mapping, ...read.lookups.map(({ file }) => join(dirname(mapping), file))];
}

async function markOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [file, dev, ino, size, mtimeNs, ctimeNs].join('\n');
  } catch {
    // Reading it will tell why.
    return undefined;
  }
}
