import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { wholeDirectory } from '../../domain/remove-file.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { readManifest, type SnapshotManifest } from '../../source/database/snapshot-manifest.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { readContract } from '../effective-rules.ts';
import { shapeOf } from './bind-mapping.ts';
import { formatProblem } from './format-problem.ts';
import { readDatabase, type DatabaseMapping } from './read-database.ts';
import { readNamedFile } from '../../host/read-named-file.ts';
import { otherTable, refuseOther } from './snapshot-columns.ts';
import { requireName } from '../session/output-files.ts';
import { SnapshotInUse } from './snapshot-in-use.ts';
import { spoolInput, standardInputName } from './standard-input.ts';
import { atExit } from '../../host/at-exit.ts';
import { renameOver } from '../../domain/rename-over.ts';

/** An export whose place is known: what was named, or a snapshot of the database that the mapping names. */
export interface PlacedExport {
  /** Directory, archive, or one file. */
  readonly path: string;
  /** What it is called in messages and in the journal, if not by its path. */
  readonly name?: string;
  /** Call before anything is sent. */
  begin(): void;
  /** After a run that left nothing to do: the next run reads the database again. */
  finish(): Promise<void>;
  /**
   * Removes a snapshot that was made only for this command, and releases one from which nothing was sent. `requests`: those of
   * this run.
   */
  close(requests?: number): Promise<void>;
  /** When the rows of a snapshot were read, and how to read them again; undefined for an export. */
  age(): string | undefined;
}

export interface ExportChoice {
  /** The export that the user names; absent: the mapping's database. */
  readonly path?: string | undefined;
  /** The directory of the snapshot (`--snapshot`). */
  readonly snapshot?: string | undefined;
  readonly config: Config;
  /**
   * `run`: the snapshot is kept beside the journal, and used until a run has left nothing to do in it.
   * `read`: uses that one as long as it is in use; otherwise reads the database only for this command.
   * `proof`: only a snapshot that is there.
   */
  readonly purpose: 'run' | 'read' | 'proof';
}

type Surroundings = Pick<Environment, 'cwd' | 'env' | 'clock' | 'onInterrupt' | 'standardInput'>;

const keep = {
  begin: () => undefined,
  finish: () => Promise.resolve(),
  close: () => Promise.resolve(),
  age: () => undefined,
};

const newDirectory =
  'After a correction in the database, name a new directory with --snapshot to read it again.';
const sameCommand =
  'After a correction in the database, run the same command again: it reads the database again.';

/**
 * Finds the export, or reads the database if there is no snapshot of it. Throws CannotStart, including if
 * neither an export nor a database is named; undefined is returned only for a proof without a snapshot.
 */
export async function placeExport(
  environment: Surroundings,
  reporter: Reporter,
  choice: ExportChoice & { readonly purpose: 'run' | 'read' },
): Promise<PlacedExport>;
export async function placeExport(
  environment: Surroundings,
  reporter: Reporter,
  choice: ExportChoice,
): Promise<PlacedExport | undefined>;
export async function placeExport(
  environment: Surroundings,
  reporter: Reporter,
  { path, snapshot, config, purpose }: ExportChoice,
): Promise<PlacedExport | undefined> {
  if (path !== undefined) {
    if (snapshot === undefined)
      return path === standardInputName
        ? { ...keep, ...(await spoolInput(environment, config)) }
        : { ...keep, path, age: await ageOfNamed(environment, path) };
    throw new CannotStart(
      exitCodes.usage,
      '--snapshot is for the data of a database, but an export is named too. Name only one of them.',
    );
  }
  const from = await databaseMapping(environment, config);
  if (from === undefined) {
    if (purpose === 'proof' && snapshot === undefined) return undefined;
    throw new CannotStart(
      exitCodes.usage,
      'No export is named, and no mapping with a database (source). Name the export, or such a mapping with --mapping.',
    );
  }
  const place = new SnapshotPlace(environment, reporter, config, from);
  if (snapshot !== undefined) return place.named(snapshot);
  if (purpose === 'proof') return place.lastOfRun();
  return purpose === 'run' ? place.ofRun() : place.forReading();
}

/** Whether the tables of the mapping are read from a database. Throws CannotStart. */
export async function namesDatabase(environment: Pick<Environment, 'cwd'>, config: Config): Promise<boolean> {
  return (await databaseMapping(environment, config)) !== undefined;
}

/** The mapping, if its tables are read from a database. */
async function databaseMapping(
  { cwd }: Pick<Environment, 'cwd'>,
  config: Config,
): Promise<DatabaseMapping | undefined> {
  const { mapping: file, supplier } = config;
  if (file === undefined) return undefined;
  const text = await readNamedFile('The mapping file', file);
  const { mappedFiles, readMapping } = await import('../../mapping/read-mapping.ts');
  const name = relative(cwd, file) || basename(file);
  // Faults in a mapping of files are reported together with faults in the files.
  if (!/^source:/m.test(text) && mappedFiles(name, text)?.source === undefined) return undefined;
  const shape = shapeOf(await readContract(config, undefined, { checks: false }));
  const mapping = readMapping(name, text, { supplier, shape });
  if ('problems' in mapping)
    throw new CannotStart(exitCodes.usage, mapping.problems.map(formatProblem), mapping.problems);
  const { source } = mapping;
  return source === undefined ? undefined : { mapping, source, directory: dirname(file) };
}

class SnapshotPlace {
  readonly #environment: Surroundings;
  readonly #reporter: Reporter;
  readonly #config: Config;
  readonly #from: DatabaseMapping;

  constructor(environment: Surroundings, reporter: Reporter, config: Config, from: DatabaseMapping) {
    this.#environment = environment;
    this.#reporter = reporter;
    this.#config = config;
    this.#from = from;
  }

  /** The snapshot in a directory that the user names; it is made if the directory is new or empty. */
  async named(name: string): Promise<PlacedExport> {
    const directory = resolve(this.#environment.cwd, name);
    let manifest = await readManifest(directory);
    if (manifest !== undefined) {
      refuseOther(name, manifest, this.#from.mapping);
      this.#tellUsed(name, manifest);
    } else {
      if (await isOccupied(directory))
        throw new CannotStart(
          exitCodes.usage,
          `--snapshot: ${name} is neither empty nor a snapshot. Name a new directory.`,
        );
      requireName('--snapshot', name);
      manifest = await this.#read(directory);
    }
    return { ...keep, path: name, age: ageOf(manifest, newDirectory) };
  }

  /** The snapshot that the last run has left unfinished, or a new one in its place. */
  async ofRun(): Promise<PlacedExport> {
    const directory = this.#besideJournal();
    let manifest = await this.#inUse(directory);
    if (manifest === undefined) {
      const old = `${directory}.old`;
      await rm(old, wholeDirectory);
      const draft = `${directory}.new`;
      await rm(draft, wholeDirectory);
      manifest = await this.#read(draft);
      await new SnapshotInUse(draft).markUnsent();
      // The one that was there stays until the new one is complete.
      if (await isOccupied(directory)) renameOver(directory, old);
      renameOver(draft, directory);
      await rm(old, wholeDirectory);
    } else this.#tellUsed(this.#shown(directory), manifest);
    const use = new SnapshotInUse(directory);
    return {
      path: this.#shown(directory),
      begin: () => use.begin(),
      finish: () => use.finish(),
      close: (requests = 0) => use.releaseUnsent(requests),
      age: ageOf(manifest, () => (use.isReleased ? sameCommand : this.#removal(directory))),
    };
  }

  /** The snapshot of an unfinished run, or one only for this command. */
  async forReading(): Promise<PlacedExport> {
    const kept = this.#besideJournal();
    const inUse = await this.#inUse(kept);
    // A run that was killed before it sent anything may have left another one.
    if (inUse !== undefined && !(await new SnapshotInUse(kept).isUnsent())) {
      this.#tellUsed(this.#shown(kept), inUse);
      return { ...keep, path: this.#shown(kept), age: ageOf(inUse, this.#removal(kept)) };
    }
    const parent = await mkdtemp(join(tmpdir(), 'migrate-snapshot-'));
    const forget = atExit(() => rmSync(parent, wholeDirectory));
    const close = async (): Promise<void> => {
      forget();
      await rm(parent, wholeDirectory);
    };
    try {
      const directory = join(parent, 'snapshot');
      const manifest = await this.#read(directory);
      return { ...keep, path: directory, close, age: ageOf(manifest, sameCommand) };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** The snapshot that the last run used, finished or not. */
  async lastOfRun(): Promise<PlacedExport | undefined> {
    const directory = this.#besideJournal();
    const manifest = await readManifest(directory);
    if (manifest === undefined) return undefined;
    refuseOther(this.#shown(directory), manifest, this.#from.mapping);
    this.#tellUsed(this.#shown(directory), manifest);
    return { ...keep, path: this.#shown(directory), age: ageOf(manifest, this.#removal(directory)) };
  }

  #besideJournal(): string {
    const { workDirectory, mapping = '' } = this.#config;
    return join(workDirectory, 'snapshots', basename(mapping, extname(mapping)));
  }

  /** The manifest of the snapshot beside the journal, if runs go on using it. */
  async #inUse(directory: string): Promise<SnapshotManifest | undefined> {
    const manifest = await readManifest(directory);
    if (!manifest || otherTable(manifest, this.#from.mapping) !== undefined) return undefined;
    return (await new SnapshotInUse(directory).isFinished()) ? undefined : manifest;
  }

  #removal(directory: string): string {
    return `Runs continue with these rows. To read a correction in the database, remove the directory ${this.#shown(directory)}: the next command reads it again.`;
  }

  #tellUsed(name: string, manifest: SnapshotManifest | null): void {
    if (manifest !== null)
      this.#reporter.info(`Using the snapshot ${name} of ${manifest.database}, read at ${manifest.takenAt}.`);
  }

  #shown(directory: string): string {
    return relative(this.#environment.cwd, directory) || '.';
  }

  #read(directory: string): Promise<SnapshotManifest> {
    return readDatabase(this.#environment, this.#reporter, this.#config, this.#from, directory);
  }
}

function ageOf(
  manifest: SnapshotManifest | null | undefined,
  remedy: string | (() => string),
): PlacedExport['age'] {
  if (!manifest) return keep.age;
  const { database, takenAt } = manifest;
  return () =>
    `The rows are those of ${database} at ${takenAt}. ${typeof remedy === 'string' ? remedy : remedy()}`;
}

/** A snapshot can be named like an export. */
async function ageOfNamed({ cwd }: Pick<Environment, 'cwd'>, path: string): Promise<PlacedExport['age']> {
  // Whether the export can be read is told where it is read.
  return ageOf(await readManifest(resolve(cwd, path)).catch(() => undefined), newDirectory);
}

/** Whether there is anything at a place but an empty directory. */
async function isOccupied(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length > 0;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}
