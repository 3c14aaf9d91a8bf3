import { spelledAs } from '../../domain/nearest.ts';
import type { SourceRecord } from '../../source/export.ts';

/** Whether a record's value in this column (CSV) or at this dotted path (JSON), or a part of it, cannot be read. */
export function isUnreadable({ unreadable, table }: SourceRecord, column: string): boolean {
  if (unreadable === undefined) return false;
  const { columns } = table;
  const name = columns === undefined ? column : spelledAs(column, columns);
  // A column that the file does not have is empty in every row.
  if (name === undefined) return false;
  return unreadable.some(
    (path) => path === '' || path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`),
  );
}
