import { builtInMapping } from '../../src/mapping/built-in.ts';
import type { AccountPlan, BoundMapping } from '../../src/mapping/plan.ts';
import type { Export, ExportFault } from '../../src/source/export.ts';
import { listExport } from '../../src/source/list-export.ts';
import { openExport } from '../../src/source/open-export.ts';

/** The accounts of an export that needs no mapping, as plans; everything before the first request, for real. */
export async function openPlans(
  directory: string,
): Promise<{ faults: readonly ExportFault[]; plans: AsyncIterable<AccountPlan> }> {
  const listing = await listExport(directory);
  if ('problems' in listing) throw new Error(JSON.stringify(listing.problems));
  const mapping = builtInMapping(listing.files, {});
  if ('problems' in mapping) throw new Error(JSON.stringify(mapping.problems));
  const opened = await openExport(listing.root, mapping.tables);
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
  const bound = mapping.bind(opened.tables);
  if ('problems' in bound) throw new Error(JSON.stringify(bound.problems));
  return { faults: opened.faults, plans: plansOf(opened, bound) };
}

async function* plansOf(opened: Export, bound: BoundMapping): AsyncGenerator<AccountPlan> {
  for await (const bundle of opened.bundles()) yield bound(bundle);
  opened.close();
}
