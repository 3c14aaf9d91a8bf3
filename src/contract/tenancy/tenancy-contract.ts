import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { Contract } from './contract.ts';
import { leadInto, readReference } from './contract-reference.ts';
import { ContractRefused } from './contract-refused.ts';
import { describedContract } from './described-contract.ts';
import { contractWords } from './misfit-words.ts';
import { lineOf, parseContract } from './parse-contract.ts';

/** The contract that a tenancy publishes: it decides what the payloads of each step are. */
export type TenancyContract = Contract;

/** One file of a contract. */
export interface ContractText {
  /** For messages. */
  readonly file: string;
  readonly text: string;
}

/** How a contract is read. */
export interface Reading {
  /** Without the leniency that docs/tenancies.md lists. */
  readonly isStrict?: boolean;
  /** False: nothing will be checked, so nothing is compiled. */
  readonly checks?: boolean;
}

/**
 * Reads a tenancy's OpenAPI document (3.0 or 3.1; JSON, which is YAML too, or YAML), or several that share the
 * endpoints among them, and prepares the request schemas of the interface's endpoints, found by their paths. Throws
 * ContractRefused, with the file and the line, where that cannot be done.
 */
export function readTenancyContract(
  contract: string | readonly ContractText[],
  reading: Reading = {},
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

function readContract(files: Files, { isStrict = false, checks = true }: Reading): TenancyContract {
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
