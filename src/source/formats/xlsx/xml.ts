import type sax from 'sax';
import { lazily, load } from '../../../domain/lazily.ts';
import { FileUnreadable } from '../../file-bytes.ts';
import type { ReadOptions } from '../../places/place.ts';
import type { ZipParts } from '../../zip-file.ts';
import { ElementNames, type XmlContext } from './namespaces.ts';

const library = lazily(() => load('sax') as typeof sax);
/** Only the entities of XML itself are known. */
const strict = { position: false, strictEntities: true };

/** Learns what is in an XML part, by the local names of the elements of its own namespace; others are left out. */
export interface XmlVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>, context: XmlContext): void;
  close(name: string, context: XmlContext): void;
  /** May come in pieces. */
  text(text: string): void;
}

/** What is wrong with a workbook; the message continues after the file's name. */
export function damagedWorkbook(why: string): FileUnreadable {
  return new FileUnreadable(
    'damaged_file',
    `is damaged: ${why}. Save it again with the program that made it.`,
  );
}

/**
 * Parses XML text that comes in pieces. Refuses a document type, and with it entities of the file's own. A line end of the
 * text is a line feed, whatever it is in the file (XML 1.0, 2.11), which the library leaves to its caller.
 */
export class XmlParser {
  readonly #parser = library().parser(true, strict);
  readonly #part: string;
  #endsInReturn = false;

  constructor(part: string, visitor: XmlVisitor) {
    this.#part = part;
    const names = new ElementNames();
    const parser = this.#parser;
    parser.onerror = (error) => {
      throw error;
    };
    parser.ondoctype = () => {
      throw damagedWorkbook(`its part ${part} has a document type, which a workbook never has`);
    };
    parser.onopentag = (tag) => {
      // With namespaces of the library, each attribute would be an object.
      if ('prefix' in tag) return;
      const name = names.enter(tag.name, tag.attributes);
      if (name !== undefined) visitor.open(name, tag.attributes, names);
    };
    parser.onclosetag = () => {
      const name = names.leaving();
      if (name !== undefined) visitor.close(name, names);
      names.left();
    };
    const text = (piece: string): void => {
      if (names.hasText) visitor.text(piece);
    };
    parser.ontext = text;
    parser.oncdata = text;
  }

  write(piece: string): void {
    const follows = this.#endsInReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') this.#endsInReturn = piece.endsWith('\r');
    const text = follows.includes('\r') ? follows.replaceAll(/\r\n?/g, '\n') : follows;
    this.#guard(() => this.#parser.write(text));
  }

  end(): void {
    this.#guard(() => this.#parser.close());
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (error instanceof FileUnreadable) throw error;
      throw damagedWorkbook(`its part ${this.#part} is not well-formed XML`);
    }
  }
}

/** The text of a part, piece by piece: UTF-8, or UTF-16 with a byte order mark. */
export async function* textOf(
  parts: ZipParts,
  name: string,
  options?: ReadOptions,
): AsyncGenerator<string, void, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (bytes?: Buffer): string => {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw damagedWorkbook(`its part ${name} is not ${decoder.encoding.toUpperCase()}`);
    }
  };
  for await (const block of parts.read(name, options)) yield decode(block);
  yield decode();
}

function encodingOf(start: Buffer = Buffer.alloc(0)): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Parses a whole part. */
export async function readXml(parts: ZipParts, name: string, visitor: XmlVisitor): Promise<void> {
  const parser = new XmlParser(name, visitor);
  for await (const piece of textOf(parts, name)) parser.write(piece);
  parser.end();
}

const escaped = /_x([0-9A-Fa-f]{4})_/g;

/** The text of a string in a workbook, in which characters that XML does not have are written as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(escaped, (_found, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The longest text of a cell in characters; a workbook's own limit is 32,767. */
export const longestText = 1024 * 1024;
