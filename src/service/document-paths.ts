import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { PayloadProblem } from '../domain/problem.ts';
import type { OperatorConfig } from './operator.ts';
import { problem } from './refusals.ts';

/** Off unless the operator turns it on: the supplier's object store is looked into. */
export const missingDocumentCode = 'path_does_not_exist_in_file_store';

/** A document path (section 2.1) and where it stands in the payload. */
export interface DocumentPath {
  readonly at: string;
  readonly path: string;
}

/** Which of the documents the supplier's file store lacks; none where it is not to be asked. */
export function missingDocuments(
  operator: OperatorConfig,
  supplier: string,
  documents: readonly DocumentPath[],
): PayloadProblem[] {
  const root = operator.suppliers[supplier]?.objectStoreRoot;
  if (root === undefined || operator.rules[missingDocumentCode] !== 'error') return [];
  const inside = resolve(root) + sep;
  return documents
    .filter(({ path }) => {
      const file = resolve(root, path);
      return path.includes('\0') || !file.startsWith(inside) || !existsSync(file);
    })
    .map(({ at }) => problem(missingDocumentCode, at, 'The file store has no document at this path.'));
}
