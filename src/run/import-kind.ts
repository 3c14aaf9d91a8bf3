import type { Config } from '../config/load-config.ts';
import type { ImportKind } from '../domain/import-kind.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../host/cannot-start.ts';
import type { SupplierOverview } from '../journal/journal.ts';
import { readContract } from './effective-rules.ts';

/** How accounts are imported; throws CannotStart if the tenancy's contract does not have that. */
export async function importKindOf(
  config: Pick<Config, 'import' | 'contract' | 'strictContract'>,
): Promise<ImportKind> {
  const contract = await readContract(config, undefined, { checks: false });
  const offered = contract?.imports ?? (['v1', 'v2'] as const);
  const kind = config.import ?? offered[0] ?? 'v1';
  if (offered.includes(kind)) return kind;
  throw new CannotStart(
    exitCodes.usage,
    `The contract ${(config.contract ?? []).join(', ')} has no paths for import: ${kind}. Set import: ${offered[0] ?? 'v1'}, or leave it out.`,
  );
}

/** Why accounts of these suppliers are not imported in this way: their book was begun in the other one; undefined: they may be. */
export function otherImport(books: readonly SupplierOverview[], kind: ImportKind): string | undefined {
  const other = books.find((book) => (kind === 'v2' ? isStaged(book) : isScheduled(book)));
  if (other === undefined) return undefined;
  const begun = kind === 'v2' ? 'v1' : 'v2';
  return `The book of ${other.supplier} was begun with import: ${begun}, and this run would continue it with import: ${kind}. Set import: ${begun}. To change it on purpose, add --adopt.`;
}

function countOf({ steps }: SupplierOverview, step: 'stage' | 'process'): number {
  return Object.values(steps[step]).reduce((sum, count) => sum + count, 0);
}

function isStaged(book: SupplierOverview): boolean {
  return countOf(book, 'stage') > 0;
}

/** A task takes the place of staging. */
function isScheduled(book: SupplierOverview): boolean {
  return countOf(book, 'process') > 0 && !isStaged(book);
}
