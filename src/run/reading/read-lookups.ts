import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { oneCell } from '../../domain/cell.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { numberText } from '../../domain/json.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Functions, Lookups } from '../../mapping/plan.ts';
import type { CodeValue } from '../../mapping/code-value.ts';
import type { LookupSpec, ModuleSpec } from '../../mapping/spec.ts';
import type { Export, Table } from '../../source/export.ts';
import { openExport } from '../../source/open-export.ts';
import { requireTrusted, whyUnread } from '../../domain/trusted-file.ts';
import { CannotStart } from '../../host/cannot-start.ts';

interface ReadLookups {
  readonly lookups: Lookups;
  /** The files from which they were read. */
  readonly files: readonly Table[];
}

/** Reads the code tables of a mapping, whose files are in `directory`; or returns their problems. */
export async function readLookups(
  directory: string,
  specs: readonly LookupSpec[],
): Promise<ReadLookups | { readonly problems: readonly Problem[] }> {
  const lookups = new Map<string, ReadonlyMap<string, CodeValue>>();
  const files: Table[] = [];
  const problems: Problem[] = [];
  for (const spec of specs) {
    // A code table is read as an export with one table, in which each code is an account.
    const { value: _value, ...table } = spec;
    const opened = await openExport(directory, [{ role: 'accounts', ...table }], { files: [spec.file] });
    if ('problems' in opened) {
      problems.push(...opened.problems);
    } else {
      files.push(...opened.files);
      lookups.set(spec.name, await codesOf(opened, spec, problems));
    }
  }
  return problems.length > 0 ? { problems } : { lookups, files };
}

async function codesOf(
  opened: Export,
  { name, file, value, origin }: LookupSpec,
  problems: Problem[],
): Promise<ReadonlyMap<string, CodeValue>> {
  const codes = new Map<string, CodeValue>();
  try {
    problems.push(...opened.faults);
    if (opened.tables.some(({ columns }) => columns?.includes(value) === false))
      problems.push({
        account: null,
        code: 'unknown_column',
        path: origin.column,
        detail: `${file} has no column ${value}. Correct the mapping's value.`,
        severity: 'error',
        cell: origin,
      });
    for await (const bundle of opened.bundles()) {
      problems.push(...bundle.problems.map(ofCode));
      const [record] = bundle.records(name);
      const text = numberText(record?.fields[value]);
      if (record !== undefined && text !== undefined && text !== '')
        codes.set(bundle.account, { text, cell: oneCell(record.cell(value)) });
      bundle.release();
    }
    return codes;
  } finally {
    opened.close();
  }
}

/** A code table has no accounts. */
function ofCode(problem: Problem): Problem {
  if (problem.code !== 'duplicate_account') return problem;
  const detail = problem.detail.replace('The account is already', 'The code is already');
  return { ...problem, account: null, code: 'duplicate_code', detail };
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
