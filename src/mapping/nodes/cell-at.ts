import type { Cell } from '../../domain/cell.ts';
import type { SourceRecord } from '../../source/export.ts';

/** The cell of a record for this column (CSV) or dotted path (JSON), also if it is missing; '' is the whole record. */
export function cellAt(record: SourceRecord, column: string): Cell {
  if (column !== '') return record.cell(column);
  const { file, sheet } = record.table;
  return { file, line: record.line, column, ...(sheet === undefined ? {} : { sheet }) };
}
