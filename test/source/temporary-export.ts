import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Problem } from '../../src/domain/problem.ts';
import { asData } from '../../src/run/reading/elsewhere.ts';
import type { Bundle, ExportFault, Table, TableSpec } from '../../src/source/export.ts';
import { openExport, type OpenExportOptions } from '../../src/source/open-export.ts';
import type { OpenedExport } from '../../src/source/opened-export.ts';
import { unpackedRows } from '../../src/source/packed-rows.ts';
import { bundleOf } from '../../src/source/bundle.ts';
import { SortedReader } from '../../src/source/sorted/sorted-files.ts';

export const key = 'external_account_number';

export function table(file: string, more: Partial<TableSpec> = {}): TableSpec {
  const name = file.replace(/\..*$/, '');
  return { name, file, role: name === 'accounts' ? 'accounts' : 'child', key, ...more };
}

/** A directory with these files, gone after the test. */
export function directoryWith(files: Readonly<Record<string, string | Buffer>>): string {
  const root = mkdtempSync(join(tmpdir(), 'export-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

export interface WholeExport {
  readonly tables: readonly Table[];
  readonly files: readonly Table[];
  readonly accounts: number;
  readonly ignoredRows: number;
  readonly isSorted: boolean;
  readonly faults: readonly ExportFault[];
  readonly bundles: ReadonlyMap<string, Bundle>;
}

/** Reads everything there is; fails the test where the export cannot be opened. */
export async function readAll(
  root: string,
  specs: readonly TableSpec[],
  options: OpenExportOptions = {},
): Promise<WholeExport> {
  const opened = await openExport(root, specs, { startEach: 40, ...options });
  if ('problems' in opened) throw new Error(`unreadable: ${places(opened.problems).join(', ')}`);
  const bundles = new Map<string, Bundle>();
  for await (const bundle of opened.bundles()) bundles.set(bundle.account, bundle);
  await expectSamePacked(opened, bundles);
  if (options.only === undefined) await expectSameRanges(opened, bundles, specs);
  opened.close();
  const { tables, files, accounts, ignoredRows, isSorted, faults } = opened;
  return { tables, files, accounts, ignoredRows, isSorted, faults, bundles };
}

/** What another thread makes of the rows that it is given is the same, whatever they are. */
async function expectSamePacked(opened: OpenedExport, bundles: ReadonlyMap<string, Bundle>): Promise<void> {
  const files = structuredClone(opened.files.map(asData));
  const again: unknown[] = [];
  for await (const packed of opened.packed(() => true))
    for (const { account, rows } of unpackedRows(structuredClone(packed), files)) {
      const bundle = bundleOf(account, rows, files);
      if (bundle !== undefined) again.push(written(bundle, files));
    }
  expect(again).toEqual([...bundles.values()].map((bundle) => written(bundle, opened.files)));
}

/** What another thread reads of ranges, however small, is the same. */
export async function expectSameRanges(
  opened: OpenedExport,
  bundles: ReadonlyMap<string, Bundle>,
  specs: readonly TableSpec[],
): Promise<void> {
  if (opened.ranges === undefined) return;
  const { inRanges, order, files: paths, mostBytes } = opened.ranges;
  const sorted = { order, files: paths, mostBytes };
  const files = structuredClone(opened.files.map(asData)).map((file) => {
    const ignore = specs.find(({ name }) => name === file.name)?.ignore;
    return ignore === undefined ? file : { ...file, ignore };
  });
  const expected = [...bundles.values()].map((bundle) => written(bundle, files));
  for (const bytes of [1, 1_000]) {
    const again: unknown[] = [];
    const reader = new SortedReader(structuredClone(sorted), files);
    for (const range of structuredClone(inRanges(bytes)))
      for await (const rows of reader.rows(range)) {
        const bundle = bundleOf(rows[0]?.account ?? '', rows, files);
        if (bundle !== undefined) again.push(written(bundle, files));
      }
    expect(again).toEqual(expected);
  }
  for (const [account, bundle] of [...bundles].slice(0, 10)) {
    const rows = await opened.ranges.rowsOf(account);
    const found = rows && bundleOf(account, rows, opened.files);
    expect(found && written(found, files)).toEqual(written(bundle, files));
  }
}

function written(bundle: Bundle, files: readonly Table[]): unknown {
  const of = [...new Set(files.map(({ name }) => name))].map((name) =>
    bundle.records(name).map((one) => [one.line, { ...one.fields }, one.unreadable, one.cell('')]),
  );
  const { account, problems, incomplete } = bundle;
  return { account, problems, incomplete: [...incomplete], of };
}

/** Reads an export made of these files, each the table that its name says. */
export async function readFiles(
  files: Readonly<Record<string, string | Buffer>>,
  more: Partial<TableSpec> = {},
): Promise<WholeExport> {
  const specs = Object.keys(files).map((file) => table(file, more));
  return readAll(directoryWith(files), specs);
}

/** What makes an export unreadable, as places. */
export async function refusal(root: string, specs: readonly TableSpec[]): Promise<readonly Problem[]> {
  const opened = await openExport(root, specs);
  if ('problems' in opened) return opened.problems;
  opened.close();
  throw new Error('the export was opened');
}

/** Problems as `code account file:line:column`, to be compared at a glance. */
export function places(problems: readonly Problem[]): string[] {
  return problems.map(({ code, account, cell }) =>
    `${code} ${account ?? '-'} ${cell === undefined ? '' : `${cell.file}:${cell.line}:${cell.column}`}`.trim(),
  );
}

export function problemsOf(found: WholeExport): string[] {
  return [...found.bundles.values()].flatMap(({ problems }) => places(problems));
}
