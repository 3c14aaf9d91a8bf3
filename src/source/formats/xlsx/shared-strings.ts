import type { Sqlite } from '../../../sqlite/open-database.ts';
import { openTemporary } from '../../../sqlite/temporary.ts';
import type { Workbook } from './workbook.ts';
import { damagedWorkbook, longestText, readXml, unescaped } from './xml.ts';

/** Characters that are kept in memory; what is beyond is on disk. */
const mostInMemory = 4 * 1024 * 1024;
/** Strings that are on disk, and come from there, together. */
const blockLength = 64;

/** The texts that the cells of a workbook refer to by number. Memory does not grow with them. */
export class SharedStrings {
  readonly #strings: string[] = [];
  #first: readonly string[] = [];
  #count = 0;
  #characters = 0;
  #db: Sqlite | undefined;
  #insert: { run(block: number, texts: string): unknown } | undefined;
  #find: { get(block: number): string | undefined } | undefined;
  /** The most recently used blocks, the latest at the end. */
  readonly #recent = new Map<number, readonly string[]>();
  #recentCharacters = 0;

  /** Reads all of them. Throws FileUnreadable. */
  static async read({ parts, stringsPart }: Workbook): Promise<SharedStrings> {
    const strings = new SharedStrings();
    if (stringsPart === undefined || !parts.all.has(stringsPart)) return strings;
    try {
      await strings.#parse(parts, stringsPart);
      return strings;
    } catch (error) {
      strings.close();
      throw error;
    }
  }

  /** The text of this number. Throws FileUnreadable if there is none. */
  at(index: number): string {
    const block = Math.floor(index / blockLength);
    const found =
      index < this.#first.length
        ? this.#first[index]
        : (this.#recent.get(block) ?? this.#fetched(block))[index % blockLength];
    if (found === undefined)
      throw damagedWorkbook(`a cell refers to text ${index + 1}, and it has ${this.#count}`);
    return found;
  }

  /** Frees the disk. */
  close(): void {
    this.#db?.close();
  }

  async #parse(parts: Workbook['parts'], part: string): Promise<void> {
    let text = '';
    let isText = false;
    let isPhonetic = false;
    await readXml(parts, part, {
      open: (name, _attributes, { parent }) => {
        if (name === 'si') text = '';
        else if (name === 'rPh') isPhonetic = true;
        else if (name === 't') isText = !isPhonetic && (parent === 'si' || parent === 'r');
      },
      close: (name) => {
        if (name === 'si') this.#add(unescaped(text));
        else if (name === 'rPh') isPhonetic = false;
        else if (name === 't') isText = false;
      },
      text: (piece) => {
        if (!isText) return;
        text += piece;
        if (text.length > longestText) throw damagedWorkbook('a text is longer than a cell can hold');
      },
    });
    this.#flush();
    this.#db?.exec('COMMIT');
  }

  #add(text: string): void {
    this.#strings.push(text);
    this.#count += 1;
    this.#characters += text.length;
    if (this.#db === undefined && this.#characters < mostInMemory) return;
    if (this.#count % blockLength !== 0) return;
    if (this.#db === undefined) this.#spill();
    else this.#store();
  }

  /** From here on, strings go to the disk. */
  #spill(): void {
    this.#first = this.#strings.splice(0);
    const db = openTemporary();
    this.#db = db;
    db.exec('CREATE TABLE strings (block INTEGER PRIMARY KEY, texts TEXT); BEGIN');
    this.#insert = db.prepare<[number, string]>('INSERT INTO strings VALUES (?, ?)');
    this.#find = db.prepare<[number], string>('SELECT texts FROM strings WHERE block = ?').pluck();
  }

  #store(): void {
    const block = Math.floor((this.#count - 1) / blockLength);
    this.#insert?.run(block, JSON.stringify(this.#strings.splice(0)));
  }

  #flush(): void {
    if (this.#db === undefined) this.#first = this.#strings.splice(0);
    else if (this.#strings.length > 0) this.#store();
  }

  #fetched(block: number): readonly string[] {
    const text = this.#find?.get(block);
    const texts = text === undefined ? [] : (JSON.parse(text) as readonly string[]);
    this.#recent.set(block, texts);
    this.#recentCharacters += lengthOf(texts);
    for (const [oldest, kept] of this.#recent) {
      if (this.#recentCharacters <= mostInMemory || oldest === block) break;
      this.#recent.delete(oldest);
      this.#recentCharacters -= lengthOf(kept);
    }
    return texts;
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

interface Kept {
  readonly key: string;
  readonly strings: Promise<SharedStrings>;
  users: number;
}

/** Those in use, and the ones that were used last: all sheets of a workbook share them, and are read several times. */
let kept: readonly Kept[] = [];

/** The texts of a workbook in this state, and what to call when they are no longer used. */
export async function stringsOf(
  workbook: Workbook,
  key: string,
): Promise<{ readonly strings: SharedStrings; readonly release: () => void }> {
  let entry = kept.find((one) => one.key === key);
  if (entry === undefined) {
    entry = { key, strings: SharedStrings.read(workbook), users: 0 };
    kept = [...kept, entry];
  }
  const own = entry;
  own.users += 1;
  const release = (): void => {
    own.users -= 1;
    drop((one) => one.users === 0 && one !== own);
  };
  try {
    return { strings: await own.strings, release };
  } catch (error) {
    drop((one) => one === own);
    throw error;
  }
}

function drop(isUseless: (one: Kept) => boolean): void {
  for (const { strings } of kept.filter(isUseless))
    void strings.then(
      (found) => {
        found.close();
      },
      () => undefined,
    );
  kept = kept.filter((one) => !isUseless(one));
}
