import type { QueryColumn, QueryRow } from './connection.ts';

/** Makes the function that writes a row of a query as a line of NDJSON. Empty values are left out. */
export function snapshotLine(columns: readonly QueryColumn[]): (row: QueryRow) => string {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const isJson = columns.map(({ kind }) => kind === 'json');
  return (row) => {
    let line = '';
    for (let at = 0; at < names.length; at += 1) {
      const value = row[at];
      if (value === null || value === undefined) continue;
      const start = line === '' ? '{' : ',';
      // A line end within JSON can only be white space.
      const text = isJson[at] === true ? value.replaceAll(/[\r\n]/g, ' ') : quoted(value);
      line += start + (names[at] ?? '') + text;
    }
    return line === '' ? '{}\n' : `${line}}\n`;
  };
}

const escaped = /["\\\p{Cc}\p{Cs}]/u;

/** Most texts need no escape, and JSON.stringify is slower to find that out. */
function quoted(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`;
}
