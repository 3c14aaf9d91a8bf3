import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { exitCodes } from '../domain/exit-codes.ts';
import { makeDirectory } from '../domain/make-directory.ts';
import type { Problem } from '../domain/problem.ts';
import { whyUnwritten } from '../domain/unwritten.ts';
import { windowsNameFault } from '../domain/windows-name.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import type { Journal } from '../journal/journal.ts';
import { definedFields } from '../domain/defined-fields.ts';
import { rejectReason } from '../report/reject-reason.ts';
import { isRefusedNow } from '../report/state-table.ts';
import type { TableSpec } from '../source/export.ts';
import { formatOfFile } from '../source/formats/formats.ts';
import { RejectedAccounts } from '../source/rejected-accounts.ts';
import { isWorkbookName } from '../source/rejected-workbook.ts';
import { tableFiles } from '../source/table-files.ts';
import { CannotStart } from '../host/cannot-start.ts';
import type { CopySource } from './reading/copy-rows.ts';
import type { Plans } from './reading/plans.ts';
import type { Environment, Reporter } from '../host/environment.ts';
import { renameOver } from '../domain/rename-over.ts';

interface Placed {
  readonly source: CopySource;
  /** '' for the directory of the rejects itself. */
  readonly within: string;
}

/** The accounts that a command rejects, and the directory or the workbook for their rows. */
export class Rejects {
  readonly #accounts = new RejectedAccounts();
  readonly #name: string;
  readonly #path: string;
  /** Problems of accounts that have not ended yet. */
  readonly #told = new Map<string, Problem[]>();

  readonly #values: boolean;
  readonly #isWorkbook: boolean;

  private constructor(environment: Environment, name: string, values: boolean) {
    this.#values = values;
    this.#name = name;
    this.#path = resolve(environment.cwd, name);
    this.#isWorkbook = isWorkbookName(name);
  }

  /** Throws CannotStart if the directory is not empty, the workbook is there, or it cannot be created. */
  static async open(
    environment: Environment,
    { rejects: name, values = false }: { readonly rejects?: string; readonly values?: boolean },
  ): Promise<Rejects | undefined> {
    if (name === undefined) return undefined;
    if (isWorkbookName(name) && existsSync(resolve(environment.cwd, name)))
      throw new CannotStart(
        exitCodes.usage,
        `--rejects: ${name} already exists and may contain corrections. Name a new workbook.`,
      );
    if (otherWorkbook.test(name))
      throw new CannotStart(
        exitCodes.usage,
        `--rejects: ${name} is not a kind of workbook that can be written. Name it with the ending .xlsx.`,
      );
    const there = await readdir(resolve(environment.cwd, name)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw new CannotStart(exitCodes.usage, unwritable(name, error));
    });
    if (there.length > 0)
      throw new CannotStart(
        exitCodes.usage,
        `--rejects: ${name} is not empty. Name a new directory, so that it can be used as an export.`,
      );
    const rejects = new Rejects(environment, name, values);
    await rejects.#tryPlace();
    return rejects;
  }

  /** Creates the draft directory, and removes it again with the parents that it created. */
  async #tryPlace(): Promise<void> {
    const draft = this.#draftPath();
    try {
      const made = makeDirectory(draft, 0o700) ?? draft;
      // Files that somebody else put there in the meantime stay.
      for (let path = draft; path.length >= made.length; path = dirname(path))
        await rmdir(path).catch(() => undefined);
    } catch (error) {
      throw new CannotStart(exitCodes.usage, unwritable(this.#name, error));
    }
  }

  #draftPath(): string {
    return `${this.#path}.${randomUUID()}.partial`;
  }

  /** Throws CannotStart if the rows of these exports do not fit into what was named. */
  expect({ sources }: Pick<Plans, 'sources'>): void {
    const all = sources.flatMap(({ tables, files }) => tables.flatMap((spec) => tableFilesOf(spec, files)));
    const uncopied = all.find((file) => formatOfFile(file).copy === undefined);
    if (!this.#isWorkbook && uncopied !== undefined)
      throw new CannotStart(
        exitCodes.usage,
        `--rejects: the rows of ${uncopied} cannot be corrected in a file of that kind. Name a workbook: --rejects rejects.xlsx`,
      );
    const unfit = all.find((file) => windowsNameFault(file) !== undefined);
    if (!this.#isWorkbook && unfit !== undefined)
      throw new CannotStart(
        exitCodes.usage,
        `--rejects: a copy of ${unfit} cannot be written: ${windowsNameFault(unfit) ?? ''}. Name a workbook: --rejects rejects.xlsx`,
      );
    const records = all.filter((file) => formatOfFile(file).cells === undefined);
    if (this.#isWorkbook && records[0] !== undefined)
      throw new CannotStart(
        exitCodes.usage,
        `--rejects: ${records[0]} has JSON records, which the rows of a workbook cannot hold. Name a directory.`,
      );
  }

  /** Takes an account with its problems; warnings are no reason. */
  add(account: string, problems: readonly Problem[], code = ''): void {
    this.#accounts.add(account, rejectReason(problems, this.#values) || code);
    for (const { cell, code: kind, detail, severity } of problems) {
      const isFault = severity === 'error';
      const text = `${isFault ? '' : 'warning: '}${kind}${detail === '' ? '' : `: ${detail}`}`;
      if (cell !== undefined) this.#accounts.mark(cell, { text, isFault });
    }
  }

  /** Takes a run's events: the problems of an account precede its end. */
  hear(event: RunEvent): void {
    if (event.type === 'problem') {
      const { account } = event.problem;
      if (account !== null) this.#told.set(account, [...(this.#told.get(account) ?? []), event.problem]);
    } else if (event.type === 'account') {
      const { account, state, code, isRefused } = event;
      if (state === 'rejected' || isRefused === true) this.add(account, this.#told.get(account) ?? [], code);
      this.#told.delete(account);
    }
  }

  /**
   * Takes the accounts of these suppliers that other runs of the same book rejected, and the completed ones whose data they
   * found refused, with what the journal has of them.
   */
  async addRecorded(
    { journal, platform }: { readonly journal: Journal; readonly platform: string },
    suppliers: readonly string[],
  ): Promise<void> {
    for (const { supplier, refusedData } of await journal.overview(platform)) {
      if (!suppliers.includes(supplier)) continue;
      const states = refusedData > 0 ? (['rejected', 'completed'] as const) : (['rejected'] as const);
      for await (const entry of journal.accounts(platform, supplier, states)) {
        const { account } = entry.key;
        const isDue = entry.state === 'rejected' || isRefusedNow(entry);
        if (!isDue || entry.isAbsent === true || this.#accounts.reasonOf(account) !== undefined) continue;
        const problems: Problem[] = [];
        for await (const { step, code, path, cell, isWarning } of journal.problems(entry.id))
          problems.push({
            ...definedFields({ step, cell }),
            ...{ account, code, path, detail: '', severity: isWarning === true ? 'warning' : 'error' },
          });
        this.add(account, problems, entry.code);
      }
    }
  }

  /** The number of accounts whose rows `write` copies. */
  get accounts(): number {
    return this.#accounts.size;
  }

  /**
   * Copies the rows beside the directory's place, and moves them there when they are complete; creates nothing if
   * nothing was rejected. Returns why it failed.
   */
  async write({ sources }: Pick<Plans, 'sources'>, reporter: Reporter): Promise<readonly string[]> {
    if (this.#accounts.isEmpty) return [];
    const draft = this.#draftPath();
    const placed = this.#placed(sources);
    try {
      const { copyRows } = await import('./reading/copy-rows.ts');
      for (const { source, within } of placed) {
        const path = this.#isWorkbook ? join(draft, workbookOf(within)) : join(draft, within);
        makeDirectory(this.#isWorkbook ? draft : path, 0o700);
        const problems = await copyRows(source, { path, isWorkbook: this.#isWorkbook }, this.#accounts);
        if (problems.length > 0) return problems.map((problem) => `--rejects: ${problem}`);
      }
      if (this.#isWorkbook)
        for (const { within } of placed) renameOver(join(draft, workbookOf(within)), this.#pathOf(within));
      else renameOver(draft, this.#path);
      this.#tellPlaces(placed, reporter);
      return [];
    } catch (error) {
      return [unwritable(this.#name, error)];
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }

  /**
   * The sources with a rejected account, each with the directory for its rows within that of the rejects: those of
   * the first go to that itself, the others to separate ones, because their files may have another format.
   */
  #placed(sources: readonly CopySource[]): readonly Placed[] {
    const fixes = sources.filter(({ fix }) => fix !== undefined);
    const taken = fixes.map((source) => ({ source, rejected: this.#rejectedOf(source) }));
    const ofFixes = taken.reduce((sum, { rejected }) => sum + rejected, 0);
    const [main] = sources;
    const own = main !== undefined && this.#accounts.size > ofFixes ? [main] : [];
    const withRejected = [...own, ...taken.flatMap(({ source, rejected }) => (rejected > 0 ? [source] : []))];
    return withRejected.map((source, at) => ({ source, within: at === 0 ? '' : `with-${at}` }));
  }

  #rejectedOf({ fix, replaced }: CopySource): number {
    let rejected = 0;
    for (const account of fix?.accounts ?? [])
      if (replaced?.has(account) !== true && this.#accounts.reasonOf(account) !== undefined) rejected += 1;
    return rejected;
  }

  #tellPlaces(placed: readonly Placed[], reporter: Reporter): void {
    for (const { source, within } of placed)
      if (within !== '' && source.fix !== undefined)
        reporter.warn(
          `--rejects: the rows of accounts of --with ${source.fix.name} are in ${this.#nameOf(within)}. Fix them there, and name that with another --with.`,
        );
  }

  /** Where the rows of a source are, as the user would name it. */
  #nameOf(within: string): string {
    if (!this.#isWorkbook) return join(this.#name, within);
    return within === '' ? this.#name : `${this.#name.slice(0, -extension.length)}.${within}${extension}`;
  }

  #pathOf(within: string): string {
    return resolve(dirname(this.#path), basename(this.#nameOf(within)));
  }

  close(): void {
    this.#accounts.close();
  }
}

const extension = '.xlsx';
/** Workbooks of other kinds, which would be taken for names of directories. */
const otherWorkbook = /\.(?:xls|xlsb|xlsm|xltx|ods|numbers)$/i;

/** The name of a workbook within the draft directory. */
function workbookOf(within: string): string {
  return `rows${within}${extension}`;
}

/** The files of a table; none if they are faulty, which is reported when they are opened. */
function tableFilesOf(spec: TableSpec, files: readonly string[]): readonly string[] {
  const found = tableFiles(spec, files);
  return 'problem' in found ? [] : found;
}

function unwritable(name: string, error: unknown): string {
  const code = codeOf(error);
  const why =
    code === 'ENOTDIR' || code === 'EEXIST'
      ? 'it is not a directory. Name another place.'
      : whyUnwritten(error);
  return `--rejects: ${name} cannot be written: ${why}`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined;
}
