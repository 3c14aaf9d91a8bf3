import { walkJson } from './walk.ts';
import { lineEndsInText } from '../../physical-lines.ts';

/** An object or array of a text: by key or position, the line ends before each value in it, and what is in that. */
interface Level {
  readonly lines: Map<string, number>;
  readonly inner: Map<string, Level>;
  /** A key has a dot in it, so that several names of a path may be one. */
  hasDots: boolean;
}

/** Values that are remembered: a record of many lines has a few thousand, and memory must not grow with a wrong one. */
const mostValues = 1_000_000;

/** Where in a JSON text each value is. */
export class ValueLines {
  readonly #whole = newLevel();
  #first = 0;

  constructor(text: string) {
    // Most records are one line.
    if (lineEndsInText(text.trimEnd()) > 0) this.#read(text);
  }

  #read(text: string): void {
    const open: (Level | undefined)[] = [];
    let [line, counted, values] = [0, 0, 0];
    walkJson(text, ({ at, name, depth }) => {
      line += lineEndsInText(text.slice(counted, at));
      counted = at;
      if (depth === 0) this.#first = line;
      const isKept = (values += 1) <= mostValues;
      const level = depth === 0 ? undefined : open[depth - 1];
      if (isKept) level?.lines.set(name, line);
      if (isKept && name.includes('.') && level !== undefined) level.hasDots = true;
      const isOpening = text[at] === '{' || text[at] === '[';
      const isKnown = isOpening && isKept && (depth === 0 || level !== undefined);
      open[depth] = isKnown ? this.#enter(level, name) : undefined;
    });
  }

  #enter(level: Level | undefined, name: string): Level {
    if (level === undefined) return this.#whole;
    const inner = newLevel();
    level.inner.set(name, inner);
    return inner;
  }

  /** The number of line ends before the value at a path, or before the innermost value there is on the way to it. */
  before(path: string): number {
    return path === '' ? this.#first : (lineIn(this.#whole, path.split('.')) ?? this.#first);
  }
}

function newLevel(): Level {
  return { lines: new Map(), inner: new Map(), hasDots: false };
}

function lineIn(level: Level, names: readonly string[]): number | undefined {
  const most = level.hasDots ? names.length : Math.min(1, names.length);
  for (let count = 1; count <= most; count += 1) {
    const name = names.slice(0, count).join('.');
    const line = level.lines.get(name);
    if (line === undefined) continue;
    const inner = level.inner.get(name);
    return (inner === undefined ? undefined : lineIn(inner, names.slice(count))) ?? line;
  }
  return undefined;
}

/** The path of the value that contains an offset, and the number of line ends before the offset. */
export function placeAt(text: string, offset: number): { readonly path: string; readonly lines: number } {
  let last = 0;
  let count = 0;
  walkJson(text, ({ at }) => {
    count += 1;
    if (at <= offset) last = count;
  });
  // The path is asked of one value: those of all would take a time that grows with the depth as well.
  let path = '';
  walkJson(text, (position) => {
    last -= 1;
    if (last === 0) path = position.path();
  });
  return { path, lines: lineEndsInText(text.slice(0, offset)) };
}
