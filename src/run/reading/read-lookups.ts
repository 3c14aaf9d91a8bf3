import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { oneCell } from '../../domain/cell.ts';
import { sampleOfCodes } from '../../domain/code-sample.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { numberText } from '../../domain/json.ts';
import type { Problem } from '../../domain/problem.ts';
import type { CodeTableFound } from '../../domain/run-facts.ts';
import type { Functions, Lookups } from '../../mapping/plan.ts';
import { joinedCodes, type CodeValue } from '../../mapping/code-value.ts';
import type { LookupSpec, ModuleSpec } from '../../mapping/spec.ts';
import type { Export, SourceRecord, Table } from '../../source/export.ts';
import { exportProblem } from '../../source/fault.ts';
import { openExport } from '../../source/open-export.ts';
import { requireTrusted, whyUnread } from '../../domain/trusted-file.ts';
import { CannotStart } from '../../host/cannot-start.ts';

interface ReadLookups {
  readonly lookups: Lookups;
  /** The files from which they were read. */
  readonly files: readonly Table[];
  /** What was found of each code table, by its path. */
  readonly codeTables: ReadonlyMap<string, CodeTableFound>;
}

/** Reads the code tables of a mapping, whose files are in `directory`; or returns their problems. */
export async function readLookups(
  directory: string,
  specs: readonly LookupSpec[],
): Promise<ReadLookups | { readonly problems: readonly Problem[] }> {
  const lookups = new Map<string, ReadonlyMap<string, CodeValue>>();
  const files: Table[] = [];
  const found = new Map<string, { readonly rows: number; readonly values: (readonly [string, string])[] }>();
  const problems: Problem[] = [];
  for (const spec of specs) {
    // A code table is read as an export with one table, in which each code is an account.
    const { value: _value, keys, ...table } = spec;
    const [key = ''] = keys;
    const opened = await openExport(directory, [{ role: 'accounts', key, ...table }], { files: [spec.file] });
    if ('problems' in opened) {
      problems.push(...opened.problems);
    } else {
      files.push(...opened.files);
      const { files: counted } = opened.counts;
      const codes = await codesOf(opened, spec, problems);
      lookups.set(spec.name, codes);
      const path = join(directory, spec.file);
      // Several lookups may read one file, each another column.
      const values = found.get(path)?.values ?? [];
      for (const [code, { text }] of codes) values.push([JSON.stringify([spec.name, code]), text]);
      found.set(path, { rows: counted.reduce((sum, one) => sum + one.rows, 0), values });
    }
  }
  const codeTables = [...found].map(
    ([path, { rows, values }]) => [path, { rows, codes: sampleOfCodes(values) }] as const,
  );
  return problems.length > 0 ? { problems } : { lookups, files, codeTables: new Map(codeTables) };
}

async function codesOf(
  opened: Export,
  { name, file, keys, value, origin }: LookupSpec,
  problems: Problem[],
): Promise<ReadonlyMap<string, CodeValue>> {
  const codes = new Map<string, CodeValue>();
  const others = keys.slice(1);
  try {
    problems.push(...opened.faults);
    for (const column of [...others, value])
      if (opened.tables.some(({ columns }) => columns?.includes(column) === false))
        problems.push({
          account: null,
          code: 'unknown_column',
          path: origin.column,
          detail: `${file} has no column ${column}. Correct the mapping's ${column === value ? 'value' : 'key'}.`,
          severity: 'error',
          cell: origin,
        });
    for await (const bundle of opened.bundles()) {
      // Codes in several columns may have the first in common.
      problems.push(...bundle.problems.filter(({ code }) => code !== 'duplicate_account'));
      const lines = new Map<string, number>();
      for (const record of bundle.records(name)) {
        const code = joinedCodes([bundle.account, ...others.map((column) => textIn(record, column))]);
        const line = lines.get(code);
        if (line !== undefined) problems.push(duplicate(record, line));
        lines.set(code, line ?? record.line);
        const text = textIn(record, value);
        if (text !== '') codes.set(code, { text, cell: oneCell(record.cell(value)) });
      }
      bundle.release();
    }
    return codes;
  } finally {
    opened.close();
  }
}

function textIn({ fields }: SourceRecord, column: string): string {
  return numberText(fields[column]) ?? '';
}

/** A code table has no accounts. */
function duplicate(record: SourceRecord, line: number): Problem {
  const cell = record.cell(record.table.key);
  const detail = `The code is already on line ${line} of ${cell.file}. Remove one.`;
  return { ...exportProblem('duplicate_code', detail, cell), account: null };
}

/** The exports of a mapping's module in `directory`; throws CannotStart if it cannot be loaded. */
export async function loadModule(directory: string, module: ModuleSpec | undefined): Promise<Functions> {
  if (module === undefined) return {};
  const path = resolve(directory, module.file);
  const { file, line } = module.origin;
  try {
    requireTrusted(path);
  } catch (error) {
    throw new CannotStart(exitCodes.usage, `${file}:${line}:module: ${path} ${whyUnread(error)}`);
  }
  try {
    return (await import(pathToFileURL(path).href)) as Functions;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    // The importing file means nothing to a user.
    const [reason = ''] = said.split(` imported from ${fileURLToPath(import.meta.url)}`);
    throw new CannotStart(
      exitCodes.usage,
      `${file}:${line}:module: ${module.file} cannot be loaded: ${reason}. Correct its path or its code.`,
    );
  }
}
