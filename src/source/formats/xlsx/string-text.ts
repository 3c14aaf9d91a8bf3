const escaped = /_x([0-9A-Fa-f]{4})_/g;

/** The text of a string in a workbook, in which characters that XML does not have are written as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(escaped, (_found, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The longest text of a cell in characters; a workbook's own limit is 32,767. */
export const longestText = 1024 * 1024;
