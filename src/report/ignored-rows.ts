import { counted } from './format.ts';

/** For people: rows that the mapping's `ignore` excluded; nothing where there are none, or nothing was read. */
export function ignoredRowsText(ignoredRows: number | null): readonly string[] {
  if (ignoredRows === null || ignoredRows === 0) return [];
  return [`${counted(ignoredRows, 'row')} left out on purpose, by the mapping's ignore.`];
}
