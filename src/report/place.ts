import type { Cell } from '../domain/cell.ts';

/** `file:line:column`, as editors and terminals open it; without the column where it is a whole record. */
export function place({ file, line, column }: Cell): string {
  return [file, line, ...(column === '' ? [] : [column])].join(':');
}
