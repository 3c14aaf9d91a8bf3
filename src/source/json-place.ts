import { walkJson } from './json-walk.ts';
import { lineEndsInText } from './physical-lines.ts';

/** Where in a JSON text each value stands: by its dotted path, the number of line ends before it. */
export function valueLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let line = 0;
  let counted = 0;
  walkJson(text, (path, at) => {
    line += lineEndsInText(text.slice(counted, at));
    counted = at;
    lines.set(path, line);
  });
  return lines;
}

/** The number of line ends before the value at a path, or before the innermost value there is on the way to it. */
export function lineWithin(lines: ReadonlyMap<string, number>, path: string): number {
  for (let rest = path; ; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('.')))) {
    const line = lines.get(rest);
    if (line !== undefined || rest === '') return line ?? 0;
  }
}

/** The path of the value in which an offset lies, and the number of line ends before the offset. */
export function placeAt(text: string, offset: number): { readonly path: string; readonly lines: number } {
  let path = '';
  walkJson(text, (next, at) => {
    if (at <= offset) path = next;
  });
  return { path, lines: lineEndsInText(text.slice(0, offset)) };
}
