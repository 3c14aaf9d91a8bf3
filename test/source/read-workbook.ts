import { place } from '../../src/domain/cell.ts';
import type { TableSpec } from '../../src/source/export.ts';
import { directoryWith, readAll } from './temporary-export.ts';
import { bookParts, inline, rowsXml, zipOf } from './workbook.ts';

const accounts: TableSpec = { name: 'accounts', file: 'book.xlsx', role: 'accounts', key: 'NR' };

/** The fields of each account of a workbook of one sheet, and what is told of it. */
export async function read(bytes: Buffer, more: Partial<TableSpec> = {}) {
  const { bundles, faults } = await readAll(directoryWith({ 'book.xlsx': bytes }), [
    { ...accounts, ...more },
  ]);
  const told = [...faults, ...[...bundles.values()].flatMap(({ problems }) => problems)].map(
    ({ code, cell }) => `${code} ${cell === undefined ? '' : place(cell)}`,
  );
  const fields = [...bundles.values()].flatMap((bundle) =>
    bundle.records('accounts').map((record) => record.fields),
  );
  return { fields, told };
}

/** The text of a single cell, given in XML, with a number format. */
export async function textOf(cell: string, format = 'General', more: { readonly is1904?: boolean } = {}) {
  const sheet = rowsXml([
    [inline('NR'), inline('X')],
    [inline('1'), cell.replace('<c', '<c s="1"')],
  ]);
  const { fields, told } = await read(await zipOf(bookParts(sheet, { formats: [format], ...more })));
  return told[0]?.split(' ')[0] ?? fields[0]?.['X'];
}
