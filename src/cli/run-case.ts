import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { wholeDirectory } from '../domain/remove-file.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { valueAt } from '../domain/paths.ts';
import type { Problem } from '../domain/problem.ts';
import { different, madeSections, type ValueDifference } from '../mapping/compare-plans.ts';
import type { AccountPlan, BoundMapping, Functions, Lookups, Mapping } from '../mapping/plan.ts';
import type { ExpectedProblem, TestCase } from '../mapping/read-cases.ts';
import { identificationFields } from '../mapping/payload-shape.ts';
import type { Bundle, TableSpec } from '../source/export.ts';
import { parseFileName } from '../source/file-name.ts';
import { formatOfFile } from '../source/formats/formats.ts';
import { openExport } from '../source/open-export.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { formatProblem } from '../run/reading/format-problem.ts';

/** A mapping with the contents of its code tables and its module. */
export interface WholeMapping {
  readonly mapping: Mapping;
  readonly lookups: Lookups;
  readonly functions: Functions;
}

/** A table of a case as a file, and the line on which each of its rows begins. */
interface CaseFile {
  readonly spec: TableSpec;
  readonly text: string;
  readonly lines: readonly number[];
}

/** Maps the rows of a case, in files of a temporary directory, and compares the result. */
export async function runCase(whole: WholeMapping, one: TestCase): Promise<readonly ValueDifference[]> {
  const columns = whole.mapping.columns();
  const names = whole.mapping.tables.map(({ name }) => name);
  const unknown = [...one.rows.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw atCase(one, `The mapping has no table ${unknown}. It has: ${names.join(', ')}.`);
  const files = whole.mapping.tables.map((spec) =>
    caseFile(spec, one.rows.get(spec.name) ?? [], columns.get(spec.name) ?? new Set()),
  );
  const directory = await mkdtemp(join(tmpdir(), 'migrate-case-'));
  try {
    for (const { spec, text } of files) {
      await mkdir(dirname(join(directory, spec.file)), { recursive: true });
      await writeFile(join(directory, spec.file), text);
    }
    return await compared(whole, one, files, directory);
  } finally {
    await rm(directory, wholeDirectory);
  }
}

async function compared(
  { mapping, lookups, functions }: WholeMapping,
  one: TestCase,
  files: readonly CaseFile[],
  directory: string,
): Promise<readonly ValueDifference[]> {
  const opened = await openExport(
    directory,
    files.map(({ spec }) => spec),
  );
  if ('problems' in opened) throw atCase(one, opened.problems.map(formatProblem).join(' '));
  try {
    const bound = mapping.bind(opened.tables, lookups, functions);
    if ('problems' in bound) throw atCase(one, bound.problems.map(formatProblem).join(' '));
    const plan = await planOf(opened.bundles(), bound, one.account);
    if (plan === undefined && one.account !== undefined)
      throw atCase(one, `Its rows have no account ${one.account}. Correct account, or the rows.`);
    const found = [...opened.faults, ...(plan?.problems ?? [])];
    return [
      ...differentFields(plan, one),
      ...differentPayloads(plan, one),
      ...differentProblems(found, one.problems, files),
    ];
  } finally {
    opened.close();
  }
}

async function planOf(
  bundles: AsyncIterable<Bundle>,
  bound: BoundMapping,
  account: string | undefined,
): Promise<AccountPlan | undefined> {
  for await (const bundle of bundles)
    if (account === undefined || bundle.account === account) return bound(bundle);
  return undefined;
}

/** The file of a table with these rows, and with every column that the mapping reads. */
function caseFile(table: TableSpec, rows: readonly JsonObject[], read: ReadonlySet<string>): CaseFile {
  const {
    sheet: _h,
    encoding: _e,
    delimiter: _d,
    quote: _q,
    escape: _s,
    comment: _c,
    origin: _o,
    ...rest
  } = table;
  const { writing } = formatOfFile(table.file);
  const { ending } = writing;
  const plain = parseFileName(table.file.replaceAll('*', '1')).plain;
  const file = plain.toLowerCase().endsWith(ending) ? plain : `${table.name}${ending}`;
  return { spec: { ...rest, file }, ...writing.write(rows, read) };
}

function differentFields(plan: AccountPlan | undefined, { fields }: TestCase): ValueDifference[] {
  const made = madeSections(plan);
  return [...fields].flatMap(([path, expected]) =>
    different(path, expected === null ? undefined : expected, valueAt(made, path)),
  );
}

/** Identification fields are compared only if the case names them. */
function differentPayloads(plan: AccountPlan | undefined, { payloads }: TestCase): ValueDifference[] {
  const made = madeSections(plan);
  return [...payloads].flatMap(([name, expected]) => {
    const found = made[name];
    const own = Array.isArray(found)
      ? found.map((item, at) => unidentified(item, Array.isArray(expected) ? expected[at] : undefined))
      : unidentified(found, expected);
    return different(name, expected, own);
  });
}

function unidentified<Value extends JsonValue | undefined>(
  found: Value,
  expected: JsonValue | undefined,
): Value {
  if (found === undefined || !isJsonObject(found)) return found;
  const stated = expected !== undefined && isJsonObject(expected) ? Object.keys(expected) : [];
  const left = Object.entries(found).filter(
    ([name]) => stated.includes(name) || !identificationFields.some((field) => field === name),
  );
  return Object.fromEntries(left) as Value;
}

function differentProblems(
  found: readonly Problem[],
  expected: readonly ExpectedProblem[],
  files: readonly CaseFile[],
): ValueDifference[] {
  const open = found.map((problem) => placed(problem, files));
  const differences: ValueDifference[] = [];
  for (const one of expected) {
    const at = open.findIndex((other) =>
      Object.entries(one).every(([key, value]) => other[key as keyof ExpectedProblem] === value),
    );
    if (at === -1) differences.push({ path: 'problems', expected: wordsOf(one), found: undefined });
    else open.splice(at, 1);
  }
  return [
    ...differences,
    ...open.map((one) => ({ path: 'problems', expected: undefined, found: wordsOf(one) })),
  ];
}

/** A problem by the table and the row of the case, instead of file and line. */
function placed({ code, cell }: Problem, files: readonly CaseFile[]): ExpectedProblem {
  const file = files.find(({ spec }) => spec.file === cell?.file);
  if (cell === undefined || file === undefined) return { code };
  const row = file.lines.filter((line) => line <= cell.line).length;
  return {
    code,
    table: file.spec.name,
    row: String(row),
    ...(cell.column === '' ? {} : { column: cell.column }),
  };
}

function wordsOf({ code, table, row, column }: ExpectedProblem): string {
  const place = [table, row === undefined ? undefined : `row ${row}`, column].filter(
    (part) => part !== undefined,
  );
  return place.length === 0 ? code : `${code} (${place.join(', ')})`;
}

function atCase({ origin, name }: TestCase, detail: string): CannotStart {
  return new CannotStart(
    exitCodes.usage,
    `${origin.file}:${origin.line}: The case '${name}' cannot be run: ${detail}`,
  );
}
