import type { Cell } from '../domain/cell.ts';

/** `file:line:column`, as editors and terminals open it; without the column for a whole record. */
export function place({ file, line, column }: Cell): string {
  return [file, line, ...(column === '' ? [] : [column])].join(':');
}
