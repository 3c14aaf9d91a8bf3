import { joinPath } from '../../../domain/paths.ts';

/** The current value of a walk; valid only until the walk continues. */
export interface JsonPosition {
  readonly at: number;
  /** Its key or position; '' for the whole. */
  readonly name: string;
  /** Its object had the key before. */
  readonly isRepeated: boolean;
  /** Objects and arrays around it. */
  readonly depth: number;
  /** Its dotted path ('' for the whole), or that of its ancestor at a depth of 64. */
  path(): string;
}

export type JsonVisit = (position: JsonPosition) => void;

/** A longer path is of no use, and for 100,000 nested arrays it would be as long as the text. */
const mostNames = 64;

/** Documented payloads need eight levels; metadata may hold any object. */
export const deepest = 1000;

/** Where a text is not JSON, or where it is nested deeper than is read. */
export interface JsonError {
  readonly at: number;
  readonly isTooDeep: boolean;
}

/**
 * Walks a JSON text and calls `visit` with the start of each value, in the order of the text. Gives the first
 * error, or undefined if the text is JSON. Its time depends only on the length of the text, if `visit`
 * reads few paths.
 */
export function walkJson(text: string, visit: JsonVisit): JsonError | undefined {
  return new JsonWalk(text, visit).run();
}

interface Frame {
  readonly name: string;
  /** Keys of an object so far. */
  readonly keys: Set<string> | undefined;
  readonly close: '}' | ']';
  /** Members or elements so far, less one. */
  index: number;
}

class JsonWalk implements JsonPosition {
  readonly #text: string;
  readonly #visit: JsonVisit;
  readonly #frames: Frame[] = [];
  at = 0;
  /** Of the value that comes next. */
  name = '';
  isRepeated = false;

  constructor(text: string, visit: JsonVisit) {
    this.#text = text;
    this.#visit = visit;
  }

  get depth(): number {
    return this.#frames.length;
  }

  path(): string {
    const names = this.#frames.slice(0, mostNames).map(({ name }) => name);
    return joinPath(...names, ...(names.length < mostNames ? [this.name] : []));
  }

  run(): JsonError | undefined {
    do {
      this.#space();
      this.#visit(this);
      if (!this.#value()) return { at: this.at, isTooDeep: this.depth > deepest };
    } while (this.#frames.length > 0);
    this.#space();
    return this.at === this.#text.length ? undefined : { at: this.at, isTooDeep: false };
  }

  /** Reads a value, or opens it, and stops where the next value is due or all are closed. */
  #value(): boolean {
    const first = this.#text[this.at];
    if (first === '{' || first === '[') {
      const close = first === '{' ? '}' : ']';
      const frame: Frame = { name: this.name, keys: first === '{' ? new Set() : undefined, close, index: -1 };
      this.#frames.push(frame);
      if (this.depth > deepest) return false;
      this.at += 1;
      this.#space();
      if (this.#text[this.at] !== frame.close) return this.#next(frame);
    } else if (!(first === '"' ? this.#string() : this.#scalar())) {
      return false;
    }
    return this.#close();
  }

  /** Closes what ends here; then goes to the next value where there is one. */
  #close(): boolean {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      this.#space();
      const found = this.#text[this.at];
      if (found !== ',' && found !== frame.close) return false;
      this.at += 1;
      if (found === ',') return this.#next(frame);
      this.#frames.pop();
    }
    return true;
  }

  #next(frame: Frame): boolean {
    frame.index += 1;
    let name = String(frame.index);
    this.isRepeated = false;
    if (frame.close === '}') {
      this.#space();
      const start = this.at;
      if (this.#text[start] !== '"' || !this.#string()) return false;
      name = JSON.parse(this.#text.slice(start, this.at)) as string;
      this.isRepeated = frame.keys?.has(name) === true;
      frame.keys?.add(name);
      this.#space();
      if (this.#text[this.at] !== ':') return false;
      this.at += 1;
    }
    this.name = name;
    return true;
  }

  #string(): boolean {
    piece.lastIndex = this.at + 1;
    do this.at = piece.lastIndex;
    while (piece.test(this.#text));
    if (this.#text[this.at] !== '"') return false;
    this.at += 1;
    return true;
  }

  #scalar(): boolean {
    scalar.lastIndex = this.at;
    if (!scalar.test(this.#text)) return false;
    this.at = scalar.lastIndex;
    return true;
  }

  #space(): void {
    while (isBlank(this.#text.charCodeAt(this.at))) this.at += 1;
  }
}

/** One run of plain characters, or one escape, at a time: long strings must not exhaust the matcher. */
// eslint-disable-next-line no-control-regex -- JSON forbids them in strings
const piece = /[^"\\\u0000-\u001f]{1,4096}|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}

/** Where something else than white space begins. */
export function afterBlanks(text: string, from: number): number {
  const blanks = /[ \t\r\n]*/y;
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}

/** Where a string that begins at `start` has ended; undefined if it is not closed. */
export function stringEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}
