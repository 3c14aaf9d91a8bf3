/** Takes a value's dotted path ('' for the whole), its offset, its key or position, and whether its object had the key before. */
export type JsonVisit = (path: string, at: number, name: string, isRepeated: boolean) => void;

/**
 * Walks a JSON text and tells `visit` where each value begins, in the order of the text. Gives the offset of the first
 * error, or undefined where the text is JSON.
 */
export function walkJson(text: string, visit: JsonVisit): number | undefined {
  return new JsonWalk(text, visit).run();
}

interface Frame {
  readonly path: string;
  /** Keys of an object so far. */
  readonly keys: Set<string> | undefined;
  readonly close: '}' | ']';
  /** Members or elements so far, less one. */
  index: number;
}

class JsonWalk {
  private readonly text: string;
  private readonly visit: JsonVisit;
  private readonly frames: Frame[] = [];
  private at = 0;
  /** Path of the value that comes next. */
  private path = '';
  private name = '';
  private isRepeated = false;

  constructor(text: string, visit: JsonVisit) {
    this.text = text;
    this.visit = visit;
  }

  run(): number | undefined {
    do {
      this.space();
      this.visit(this.path, this.at, this.name, this.isRepeated);
      if (!this.value()) return this.at;
    } while (this.frames.length > 0);
    this.space();
    return this.at === this.text.length ? undefined : this.at;
  }

  /** Reads a value, or opens it, and stops where the next value is due or all are closed. */
  private value(): boolean {
    const first = this.text[this.at];
    if (first === '{' || first === '[') {
      const close = first === '{' ? '}' : ']';
      const frame: Frame = { path: this.path, keys: first === '{' ? new Set() : undefined, close, index: -1 };
      this.frames.push(frame);
      this.at += 1;
      this.space();
      if (this.text[this.at] !== frame.close) return this.next(frame);
    } else if (!(first === '"' ? this.string() : this.scalar())) {
      return false;
    }
    return this.close();
  }

  /** Closes what ends here; then goes to the next value where there is one. */
  private close(): boolean {
    for (let frame = this.frames.at(-1); frame !== undefined; frame = this.frames.at(-1)) {
      this.space();
      const found = this.text[this.at];
      if (found !== ',' && found !== frame.close) return false;
      this.at += 1;
      if (found === ',') return this.next(frame);
      this.frames.pop();
    }
    return true;
  }

  private next(frame: Frame): boolean {
    frame.index += 1;
    let name = String(frame.index);
    this.isRepeated = false;
    if (frame.close === '}') {
      this.space();
      const start = this.at;
      if (this.text[start] !== '"' || !this.string()) return false;
      name = JSON.parse(this.text.slice(start, this.at)) as string;
      this.isRepeated = frame.keys?.has(name) === true;
      frame.keys?.add(name);
      this.space();
      if (this.text[this.at] !== ':') return false;
      this.at += 1;
    }
    this.name = name;
    this.path = frame.path === '' ? name : `${frame.path}.${name}`;
    return true;
  }

  private string(): boolean {
    // One run of plain characters, or one escape, at a time: long strings must not exhaust the matcher.
    // eslint-disable-next-line no-control-regex -- JSON forbids them in strings
    const piece = /[^"\\\u0000-\u001f]{1,4096}|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
    piece.lastIndex = this.at + 1;
    do this.at = piece.lastIndex;
    while (piece.test(this.text));
    if (this.text[this.at] !== '"') return false;
    this.at += 1;
    return true;
  }

  private scalar(): boolean {
    const pattern = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private space(): void {
    const pattern = /[ \t\r\n]*/y;
    pattern.lastIndex = this.at;
    pattern.test(this.text);
    this.at = pattern.lastIndex;
  }
}
