import { repeatedKey } from './repeated-key.ts';
import { createHash } from 'node:crypto';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { jsonMarks } from '../../domain/json-marks.ts';
import { countMembers, isJsonObject, parseMarked, type JsonObject } from '../../domain/json.ts';
import { leadInto, readReference } from './contract-reference.ts';
import type { ImportKind } from '../../domain/import-kind.ts';
import { ContractRefused } from './contract-refused.ts';
import type { TenancyContract } from './contract.ts';
import { describedContract } from './described-contract.ts';
import { contractWords } from './misfit-words.ts';

/** One file of a contract. */
export interface ContractText {
  /** For messages. */
  readonly file: string;
  readonly text: string;
}

/** How a contract is read. */
export interface ContractReading {
  /** Without the leniency that docs/tenancies.md lists. */
  readonly isStrict?: boolean;
  /** False: nothing will be checked, so nothing is compiled. */
  readonly checks?: boolean;
  /** How accounts are imported; absent: as the contract has it, v1 if it has both. */
  readonly kind?: ImportKind | undefined;
  /** The paths of steps that a profile adds. */
  readonly paths?: readonly string[] | undefined;
}

/**
 * Reads a tenancy's OpenAPI document (3.0 or 3.1; JSON, which is YAML too, or YAML), or several that share the
 * endpoints among them, and prepares the request schemas of the interface's endpoints, found by their paths. Throws
 * ContractRefused, with the file and the line, where that cannot be done.
 */
export function readTenancyContract(
  contract: string | readonly ContractText[],
  reading: ContractReading = {},
): TenancyContract {
  const files = typeof contract === 'string' ? [{ text: contract }] : contract;
  try {
    return readContract(files, reading);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ContractRefused('its schemas are nested too deeply', 'Correct the contract.', {
        cause: error,
      });
    throw error instanceof ContractRefused ? located(error, files) : error;
  }
}

type Files = readonly { readonly file?: string; readonly text: string }[];

/** The line of a fault is looked for only when there is one: parsing with positions takes longer. */
function located(refused: ContractRefused, files: Files): ContractRefused {
  const { reference } = refused.place;
  const read = reference === undefined ? undefined : readReference(reference);
  const found = read && files[read.file];
  return found === undefined ? refused : refused.at(found.file, lineOf(found.text, read?.names ?? []));
}

function readContract(
  files: Files,
  { isStrict = false, checks = true, kind, paths }: ContractReading,
): TenancyContract {
  const documents = files.map(({ file, text }, position) => {
    const document = parsed(text, file);
    if (position > 0) leadInto(position, document);
    return document;
  });
  return describedContract(documents, {
    names: files.map(({ file }) => file),
    fingerprint: createHash('sha256')
      .update(files.map(({ text }) => text).join('\0'))
      .digest('base64url')
      .slice(0, 12),
    isStrict,
    kind,
    paths,
    examines: checks ? 'checks' : 'fields',
    words: contractWords,
  });
}

function parsed(text: string, file: string | undefined): JsonObject {
  const document = parseContract(text, file);
  const version = isJsonObject(document) ? document['openapi'] : undefined;
  if (!isJsonObject(document) || typeof version !== 'string' || !/^3\.[01]\./.test(version))
    throw new ContractRefused('it is not an OpenAPI document of version 3.0 or 3.1', 'Name another file.', {
      file,
    });
  return document;
}

/** What a contract's file holds, JSON or YAML. Throws ContractRefused if it is neither, or has a key twice. */
function parseContract(text: string, file?: string): unknown {
  try {
    return text.trimStart().startsWith('{') ? jsonOf(text) : yamlOf(text);
  } catch (error) {
    throw error instanceof ContractRefused ? error.at(file, error.place.line) : error;
  }
}

function jsonOf(text: string): unknown {
  const marks = jsonMarks(text);
  let value;
  try {
    value = parseMarked(text, marks);
  } catch (error) {
    throw unreadable(error);
  }
  if (countMembers(value) !== marks.members) {
    const lines = new LineCounter();
    // JSON is YAML too, and this parser knows the positions of keys.
    refuseRepeats(parseDocument(text, { uniqueKeys: false, lineCounter: lines }), lines);
  }
  return value;
}

function yamlOf(text: string): unknown {
  const lines = new LineCounter();
  // The parser's own search for repeated keys compares each key of an object with each other.
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw unreadable(fault, lines.linePos(fault.pos[0]).line);
  refuseRepeats(document, lines);
  try {
    return document.toJS();
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause: unknown, line?: number): ContractRefused {
  return new ContractRefused('it is neither JSON nor YAML', 'Correct it.', { cause, line });
}

function refuseRepeats(document: Document, lines: LineCounter): void {
  const repeated = repeatedKey(document);
  if (repeated === undefined) return;
  throw new ContractRefused(
    `one of its objects has the key ${JSON.stringify(repeated.name)} twice`,
    'Remove one.',
    { line: lines.linePos(repeated.offset).line },
  );
}

/**
 * The line of a place in a contract's text, JSON or YAML, from 1: of the last of the names on the way to it that is there.
 */
function lineOf(text: string, names: readonly string[]): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines, prettyErrors: false });
  let at: unknown = document.contents;
  let offset = 0;
  for (const name of names) {
    if (isAlias(at)) at = at.resolve(document);
    if (isMap(at)) {
      const pair = at.items.find(({ key }) => isScalar(key) && String(key.value) === name);
      if (pair === undefined) break;
      offset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      at = pair.value;
    } else if (isSeq(at)) {
      at = at.items[Number(name)];
      offset = (isNode(at) ? at.range?.[0] : undefined) ?? offset;
    } else break;
  }
  return lines.linePos(offset).line;
}
