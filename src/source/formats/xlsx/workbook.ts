import { posix } from 'node:path';
import { FileUnreadable } from '../../file-bytes.ts';
import type { StoredFile } from '../../places/place.ts';
import { openZip, startOf, type ZipParts } from '../../zip-file.ts';
import { builtInFormat, shownBy, type Shown } from './number-format.ts';
import { partNamed } from './part-names.ts';
import { damagedWorkbook, readXml } from './xml.ts';

export interface Sheet {
  readonly name: string;
  /** The name of its part. */
  readonly part: string;
}

/** What a workbook says about its sheets. */
export interface Workbook {
  readonly parts: ZipParts;
  readonly sheets: readonly Sheet[];
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
  /** What the formats of the cells show, by their numbers. */
  readonly formats: readonly Shown[];
  /** The part of the texts that cells refer to. */
  readonly stringsPart: string | undefined;
}

/** Opens a workbook; close its parts at the end. Throws FileUnreadable. */
export async function openWorkbook(file: StoredFile): Promise<Workbook> {
  await refuseOther(file);
  const parts = await openZip(file);
  try {
    return await read(parts);
  } catch (error) {
    parts.close();
    throw error;
  }
}

const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Where the directory of a compound file is not at its end, it is near its start. */
const searched = 1024 * 1024;

/** Refuses files that people take for such workbooks. */
async function refuseOther(file: StoredFile): Promise<void> {
  const start = await startOf(file, searched);
  if (start.subarray(0, compound.length).equals(compound)) {
    const isEncrypted = start.includes(Buffer.from('EncryptedPackage', 'utf16le'));
    throw isEncrypted
      ? new FileUnreadable('encrypted_file', 'is protected by a password. Save it without a password.')
      : new FileUnreadable(
          'not_a_workbook',
          'is an old workbook (.xls), or protected by a password. Save it as .xlsx, without a password.',
        );
  }
  if (start.subarray(0, 2).toString('latin1') !== 'PK')
    throw new FileUnreadable(
      'not_a_workbook',
      'is not a workbook, despite its name. Save it as .xlsx, or give it the right extension, such as .csv.',
    );
}

async function read(parts: ZipParts): Promise<Workbook> {
  const root = await relations(parts, '');
  const main = root.find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined || !parts.all.has(main) || !/\.xml$/i.test(main))
    throw new FileUnreadable(
      'not_a_workbook',
      main !== undefined && /\.bin$/i.test(main)
        ? 'is a binary workbook (.xlsb). Save it as .xlsx.'
        : 'is not a workbook (.xlsx). Save it as one.',
    );
  const related = await relations(parts, main);
  const named: { readonly name: string; readonly id: string }[] = [];
  let is1904 = false;
  await readXml(parts, main, {
    open(name, attributes, context) {
      const { parent } = context;
      if (name === 'workbookPr' && parent === 'workbook') is1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet' || parent !== 'sheets') return;
      const id = context.attribute(attributes, '/relationships', 'id');
      if (id !== undefined) named.push({ name: attributes['name'] ?? '', id });
    },
    close: () => undefined,
    text: () => undefined,
  });
  const sheets = named.flatMap(({ name, id }) => {
    const relation = related.find((one) => one.id === id);
    // A sheet may also be a chart.
    return relation?.type === 'worksheet' ? [{ name, part: relation.target }] : [];
  });
  const styles = related.find(({ type }) => type === 'styles')?.target;
  return {
    parts,
    sheets,
    is1904,
    formats: styles === undefined ? [] : await formatsOf(parts, styles),
    stringsPart: related.find(({ type }) => type === 'sharedStrings')?.target,
  };
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

interface Relation {
  readonly id: string;
  /** The last word of its type, which is the same in all editions of the standard. */
  readonly type: string;
  /** The name of a part. */
  readonly target: string;
}

/** The parts that a part refers to; '' is the whole file. */
async function relations(parts: ZipParts, part: string): Promise<readonly Relation[]> {
  const directory = posix.dirname(part);
  const file = partNamed(parts, posix.join(directory, '_rels', `${posix.basename(part)}.rels`));
  if (!parts.all.has(file)) {
    if (part === '') throw new FileUnreadable('not_a_workbook', 'is not a workbook (.xlsx). Save it as one.');
    throw damagedWorkbook(`it has no part ${file}`);
  }
  const found: Relation[] = [];
  await readXml(parts, file, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      // What is elsewhere is never fetched.
      if (name !== 'Relationship' || mode?.toLowerCase() === 'external') return;
      const place = target.startsWith('/') ? target.slice(1) : posix.join(directory, target);
      found.push({
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        target: partNamed(parts, posix.normalize(place)),
      });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return found;
}

async function formatsOf(parts: ZipParts, part: string): Promise<readonly Shown[]> {
  const own = new Map<string, Shown>();
  const formats: Shown[] = [];
  await readXml(parts, part, {
    open(name, attributes, { parent }) {
      if (name === 'numFmt' && parent === 'numFmts')
        own.set(attributes['numFmtId'] ?? '', shownBy(attributes['formatCode'] ?? ''));
      if (name !== 'xf' || parent !== 'cellXfs') return;
      const id = attributes['numFmtId'] ?? '0';
      formats.push(own.has(id) ? own.get(id) : builtInFormat(Number(id)));
    },
    close: () => undefined,
    text: () => undefined,
  });
  return formats;
}
