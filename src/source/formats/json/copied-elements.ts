import { rejectedBecause } from '../../../domain/shared-codes.ts';
import { rawBytes } from '../../raw-text.ts';
import type { Row } from '../../row.ts';
import { copiedRows } from '../copied-rows.ts';
import type { CopiedFile, Format } from '../format.ts';
import { afterBlanks, stringEnd } from './walk.ts';

/** A JSON array of the elements that have a reason, each unchanged. */
export async function* copiedElements(
  tables: readonly [CopiedFile, ...CopiedFile[]],
  format: Pick<Format, 'rows'>,
): AsyncGenerator<Buffer, void, undefined> {
  const { encoding } = tables[0].file.table;
  let before = '[\n';
  for await (const { row, reason } of copiedRows(tables, format)) {
    const text = 'body' in row ? row.body : row.text;
    if (reason === undefined || typeof text !== 'string') continue;
    const isDamaged = codesOf(row).includes('invalid_encoding');
    yield encoded(before + recordWithReason(text, reason), encoding, isDamaged);
    before = ',\n';
  }
  yield encoded(before === '[\n' ? '[]\n' : '\n]\n', encoding);
}

function codesOf(row: Row): string[] {
  return 'body' in row ? (row.unreadable ?? []).map(({ code }) => code) : [row.code];
}

/**
 * Characters that are not ASCII are within strings, so escapes can replace them in an encoding that lacks them. An
 * invalid byte must not become a valid one: another invalid byte replaces it.
 */
function encoded(text: string, encoding: string, isDamaged = false): Buffer {
  const isUtf16 = encoding.startsWith('utf-16');
  const wrong = isUtf16
    ? rawBytes('\ud800', encoding)
    : Buffer.from([encoding === 'windows-1252' ? 0x81 : 0xff]);
  const pieces = isDamaged ? text.split('\ufffd') : [text];
  return Buffer.concat(
    pieces.flatMap((piece, at) => {
      const bytes = isUtf16
        ? rawBytes(piece, encoding)
        : Buffer.from(encoding === 'utf-8' ? piece : escaped(piece));
      return at === 0 ? [bytes] : [wrong, bytes];
    }),
  );
}

function escaped(text: string): string {
  return text.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A JSON object's text with its reason as the last member; a text that is not an object stays as it is. */
export function recordWithReason(text: string, reason: string): string {
  const record = text.trimEnd();
  if (!record.endsWith('}')) return text;
  const members = record.slice(0, -1).trimEnd();
  const kept = withoutReason(members);
  const comma = kept.trimEnd().endsWith('{') ? '' : ',';
  const member = `${comma}${JSON.stringify(rejectedBecause)}:${escaped(JSON.stringify(reason))}`;
  return kept + member + text.slice(members.length);
}

/** An object's text up to its closing brace, without a reason that is its last member. */
function withoutReason(members: string): string {
  const name = JSON.stringify(rejectedBecause);
  const at = members.lastIndexOf(name);
  if (at < 0) return members;
  const colon = afterBlanks(members, at + name.length);
  const start = afterBlanks(members, colon + 1);
  if (members[colon] !== ':' || members[start] !== '"') return members;
  if (stringEnd(members, start) !== members.length) return members;
  const before = members.slice(0, at).trimEnd();
  return before.endsWith(',') ? before.slice(0, -1) : members.slice(0, at);
}
