import { definedFields } from '../../domain/defined-fields.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { spelledAs } from '../../domain/nearest.ts';
import type { Mapping } from '../../mapping/plan.ts';
import type { TableSpec } from '../../source/export.ts';
import type { SnapshotManifest } from '../../source/database/snapshot-manifest.ts';
import { CannotStart } from '../../host/cannot-start.ts';

/**
 * The columns of each table of a mapping in a snapshot of its database; none if the mapping reads files, or for corrected
 * rows (`isFix`). Throws CannotStart if the directory is no snapshot, was changed, or was read by other queries.
 */
export async function snapshotColumns(
  directory: string,
  name: string,
  mapping: Mapping,
  isFix: boolean,
): Promise<
  ReadonlyMap<string, Partial<Pick<TableSpec, 'columns' | 'key' | 'numeric' | 'dates' | 'floats'>>>
> {
  if (mapping.source === undefined) return new Map();
  const { changedFile, manifestName, readManifest } =
    await import('../../source/database/snapshot-manifest.ts');
  const manifest = await readManifest(directory);
  if (manifest === undefined && isFix) return new Map();
  // Without it, the formats of the mapping would change values of the database: 1.234 would be read as 1234.
  if (manifest === undefined)
    throw new CannotStart(
      exitCodes.usage,
      `${name} is no snapshot of the database that the mapping reads: it has no ${manifestName}, which says which columns are numbers and dates. ` +
        'Name the directory of a snapshot with --snapshot, and corrected rows of it with --with as well.',
    );
  refuseOther(name, manifest, mapping);
  if (manifest === null) return new Map();
  const changed = await changedFile(directory, manifest);
  if (changed !== undefined)
    throw new CannotStart(
      exitCodes.usage,
      `The snapshot ${name} has changed since it was written: ${changed} is missing or different. Read the database into a new directory.`,
    );
  return new Map(
    mapping.tables.flatMap(({ name: table, key }) => {
      const {
        columns = [],
        numeric,
        dates,
        floats,
      } = manifest.tables.find((one) => one.name === table) ?? {};
      // Of an empty result, a module does not know the columns.
      return columns.length === 0
        ? []
        : [[table, definedFields({ columns, numeric, dates, floats, key: spelledAs(key, columns) ?? key })]];
    }),
  );
}

/** The first table of a mapping that a snapshot has by another query, or not at all. */
export function otherTable({ tables }: SnapshotManifest, { source }: Mapping): string | undefined {
  return source?.queries.find(
    ({ name, query }) => tables.find((table) => table.name === name)?.query !== query,
  )?.name;
}

/** Throws CannotStart if a snapshot cannot be what the mapping reads. */
export function refuseOther(name: string, manifest: SnapshotManifest | null, mapping: Mapping): void {
  if (manifest === null)
    throw new CannotStart(
      exitCodes.usage,
      `The manifest of the snapshot ${name} is damaged. Read the database into a new directory.`,
    );
  const table = otherTable(manifest, mapping);
  if (table === undefined) return;
  const { file = '', line = 0 } = mapping.source?.queries.find((query) => query.name === table)?.origin ?? {};
  throw new CannotStart(
    exitCodes.usage,
    `${file}:${line}: The snapshot ${name} was read with another query for ${table}. Name a new directory to read the database again, or restore the query.`,
  );
}
