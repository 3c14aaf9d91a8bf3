import type sax from 'sax';
import { lazily, load } from '../../../domain/lazily.ts';
import { FileUnreadable } from '../../file-bytes.ts';
import type { ReadOptions } from '../../places/place.ts';
import type { ZipParts } from '../../zip-file.ts';

const library = lazily(() => load('sax') as typeof sax);
/** Only the entities of XML itself are known. */
const strict = { position: false, strictEntities: true };

/** Learns what is in an XML part; names are without their prefix. */
export interface XmlVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
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

/** Parses XML text that comes in pieces. Refuses a document type, and with it entities of the file's own. */
export class XmlParser {
  private readonly parser = library().parser(true, strict);
  private readonly part: string;

  constructor(part: string, visitor: XmlVisitor) {
    this.part = part;
    const names = new Map<string, string>();
    const local = (name: string): string => {
      let found = names.get(name);
      if (found === undefined) names.set(name, (found = name.slice(name.indexOf(':') + 1)));
      return found;
    };
    const { parser } = this;
    parser.onerror = (error) => {
      throw error;
    };
    parser.ondoctype = () => {
      throw damagedWorkbook(`its part ${part} has a document type, which a workbook never has`);
    };
    parser.onopentag = (tag) => {
      // With namespaces, attributes would be objects.
      if (!('prefix' in tag)) visitor.open(local(tag.name), tag.attributes);
    };
    parser.onclosetag = (name) => {
      visitor.close(local(name));
    };
    parser.ontext = (text) => {
      visitor.text(text);
    };
    parser.oncdata = (text) => {
      visitor.text(text);
    };
  }

  write(piece: string): void {
    this.guard(() => this.parser.write(piece));
  }

  end(): void {
    this.guard(() => this.parser.close());
  }

  private guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (error instanceof FileUnreadable) throw error;
      throw damagedWorkbook(`its part ${this.part} is not well-formed XML`);
    }
  }
}

/** The text of a part, piece by piece. */
export async function* textOf(
  parts: ZipParts,
  name: string,
  options?: ReadOptions,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw damagedWorkbook(`its part ${name} is not UTF-8`);
    }
  };
  for await (const block of parts.read(name, options)) yield decode(block);
  yield decode();
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
