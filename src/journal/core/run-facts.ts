import type { CodeTablePrint, ExportFacts, FileCount, NamedPrint, RunFacts } from '../../domain/run-facts.ts';
import type { TypedOption } from '../../domain/typed-options.ts';
import { isJsonObject, parseJson, type JsonValue } from '../../domain/json.ts';

/** The facts of a run as they are stored: JSON. */
export function storedFacts(facts: RunFacts | undefined): string | null {
  return facts === undefined ? null : JSON.stringify(facts);
}

/** Reads what `storedFacts` wrote; undefined for runs of earlier versions. */
export function readStoredFacts(text: string | null): RunFacts | undefined {
  const stored = text === null ? undefined : parseJson(text);
  if (!isJsonObject(stored)) return undefined;
  const { profile, rehearsal, unattended, typed, given } = stored;
  return {
    profile: typeof profile === 'string' ? profile : undefined,
    rehearsal: rehearsal === true,
    unattended: unattended === true,
    typed: Array.isArray(typed) ? typed.map(optionOf) : undefined,
    given: givenIn(given),
  };
}

function optionOf(stored: JsonValue): TypedOption {
  const { name, value } = isJsonObject(stored) ? stored : {};
  return { name: textOf(name), ...(typeof value === 'string' ? { value } : {}) };
}

function givenIn(stored: JsonValue | undefined): ExportFacts | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { place, accounts, content, files, sample, mapping, codeTables, contract, settings } = stored;
  return {
    place: textOf(place),
    accounts: Number(accounts),
    content: typeof content === 'string' ? content : undefined,
    files: listOf(files).map(fileOf),
    sample: listOf(sample).map(Number),
    mapping: listOf(mapping).map(printOf),
    codeTables: listOf(codeTables).map(codeTableOf),
    contract: listOf(contract).map(printOf),
    settings: isJsonObject(settings)
      ? Object.fromEntries(Object.entries(settings).map(([name, print]) => [name, textOf(print)]))
      : {},
  };
}

function listOf(stored: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(stored) ? stored : [];
}

function textOf(stored: JsonValue | undefined): string {
  return typeof stored === 'string' ? stored : '';
}

function fileOf(stored: JsonValue): FileCount {
  const { table, file, rows, accounts, orphans } = isJsonObject(stored) ? stored : {};
  return {
    ...{ table: textOf(table), file: textOf(file), rows: Number(rows) },
    accounts: accounts === undefined ? undefined : Number(accounts),
    orphans: orphans === undefined ? undefined : Number(orphans),
  };
}

function printOf(stored: JsonValue): NamedPrint {
  const { file, print } = isJsonObject(stored) ? stored : {};
  return { file: textOf(file), print: textOf(print) };
}

function codeTableOf(stored: JsonValue): CodeTablePrint {
  const { rows, codes } = isJsonObject(stored) ? stored : {};
  return {
    ...printOf(stored),
    rows: rows === undefined ? undefined : Number(rows),
    codes: typeof codes === 'string' ? codes : undefined,
  };
}
