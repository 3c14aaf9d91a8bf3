import type { JsonObject } from '../../domain/json.ts';
import { cellAt } from './cell-at.ts';
import type { Node } from './run.ts';

/** The record unchanged, except that the supplier is filled in if it names none. */
export function recordNode(supplier: string | undefined): Node {
  return {
    build({ run, record }): JsonObject {
      for (const path of record.unreadable ?? []) run.findings.push({ isList: false, path });
      if (supplier === undefined || record.fields['import_supplier'] !== undefined) return record.fields;
      return { import_supplier: supplier, ...record.fields };
    },
    locate: ({ record }, path) => cellAt(record, path.join('.')),
  };
}
