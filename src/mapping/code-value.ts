import type { Cell } from '../domain/cell.ts';

/** The value of a code in a code table, and where it was read. */
export interface CodeValue {
  readonly text: string;
  readonly cell: Cell;
}

/** The code of a table whose codes are in several columns. */
export function joinedCodes(codes: readonly string[]): string {
  return codes.join('\0');
}
