import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { listExport, type ExportListing } from '../source/list-export.ts';
import { tableFiles } from '../source/table-files.ts';
import { readNamedFile } from './read-named-file.ts';
import type { RunRequest } from './run-request.ts';
import type { Environment } from './environment.ts';
import { version } from './system/version.ts';

/** Settings of how a run is watched, when it runs and how fast: they do not affect the result. */
const indifferent: ReadonlySet<string> = new Set<keyof Config>([
  ...(['log', 'metrics', 'notify', 'until', 'window', 'timeZone', 'concurrency', 'rate'] as const),
]);

/** An export at one moment, with everything that decides how it is mapped. */
export interface ExportFingerprint {
  /** By the identity, size and times of its files and of the mapping's: found without reading them. */
  readonly fingerprint: string;
  /** The total size in bytes of its files and the mapping's. */
  readonly bytes: number;
  /**
   * By the contents of its files and the mapping's, wherever they are: reads all of them. It begins with `bytes`.
   * undefined if one of them has changed since, or the signal was aborted.
   */
  content(signal: AbortSignal): Promise<string | undefined>;
}

/**
 * undefined if the files and the settings are not sufficient: the contents of a mapping's module and of the documents
 * are not known, and a run of selected accounts says nothing about the others.
 */
export async function fingerprintExport(
  { cwd }: Pick<Environment, 'cwd'>,
  request: RunRequest,
): Promise<ExportFingerprint | undefined> {
  const { config, steps, adopt, skipUnreadable } = request;
  const files = await filesOf(cwd, request);
  if (files === undefined) return undefined;
  const marks = await marksOf(files);
  if (marks === undefined) return undefined;
  const decisive = Object.entries(config).filter(([name]) => !indifferent.has(name));
  const known = [version(), decisive, [...(steps ?? [])].sort(), adopt === true, skipUnreadable === true];
  const bytes = marks.reduce((sum, { size }) => sum + size, 0);
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([...known, marks.map(({ mark }) => mark)]))
      .digest('base64url'),
    bytes,
    async content(signal) {
      const held = await contentOf(files, signal);
      const now = await marksOf(files);
      if (held === undefined || now?.every(({ mark }, at) => mark === marks[at]?.mark) !== true)
        return undefined;
      const digest = createHash('sha256')
        .update(JSON.stringify([...known, held]))
        .digest('base64url');
      return `${bytes} ${digest}`;
    },
  };
}

/** The files of an export, of its fixes and of what is beside them; undefined if these do not say all of it. */
async function filesOf(
  cwd: string,
  { path, config, with: fixes, documents, accounts, dryRun }: RunRequest,
): Promise<readonly NamedFile[] | undefined> {
  if (documents !== undefined || accounts !== undefined || dryRun === true) return undefined;
  const { mapping, contract } = config;
  const beside = new Set(contract ?? []);
  const files: NamedFile[] = [];
  for (const [at, directory] of [path, ...(fixes ?? [])].entries()) {
    const listing = await listExport(resolve(cwd, directory), { texts: mapping !== undefined });
    if ('problems' in listing) return undefined;
    const ofMapping =
      mapping === undefined ? { files: [], tables: [] } : await mappingFiles(mapping, listing);
    if (ofMapping === undefined) return undefined;
    for (const name of new Set([...listing.files, ...ofMapping.tables]))
      files.push({ name: at === 0 ? name : `with ${at} ${name}`, path: join(listing.root, name) });
    for (const file of ofMapping.files) beside.add(file);
  }
  for (const file of beside) files.push({ name: file, path: file });
  return files;
}

interface NamedFile {
  /** The identity of a file; that of an export's file does not include the export's location. */
  readonly name: string;
  readonly path: string;
}

/**
 * The mapping with the code tables that it reads, and the files of its tables, whatever their extensions; undefined
 * if it calls a module, or cannot be read.
 */
async function mappingFiles(
  mapping: string,
  listing: ExportListing,
): Promise<{ readonly files: readonly string[]; readonly tables: readonly string[] } | undefined> {
  const { mappedFiles } = await import('../mapping/read-mapping.ts');
  const read = mappedFiles(basename(mapping), await readNamedFile('The mapping file', mapping));
  if (read === undefined || read.module !== undefined) return undefined;
  const tables = read.tables.map((spec) => tableFiles(spec, listing.files));
  return {
    files: [mapping, ...read.lookups.map(({ file }) => join(dirname(mapping), file))],
    tables: tables.flatMap((found) => ('problem' in found ? [] : found)),
  };
}

/** undefined if one of the files is missing: reading will report why. */
async function marksOf(
  files: readonly NamedFile[],
): Promise<readonly { readonly mark: string; readonly size: number }[] | undefined> {
  const marks = [];
  for (const { path } of files) {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found === undefined) return undefined;
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    marks.push({ mark: [path, dev, ino, size, mtimeNs, ctimeNs].join('\n'), size: Number(size) });
  }
  return marks;
}

/** Each file's name with the digest of its bytes; undefined if one cannot be read, or the signal was aborted. */
async function contentOf(
  files: readonly NamedFile[],
  signal: AbortSignal,
): Promise<readonly (readonly [name: string, digest: string])[] | undefined> {
  const held = [];
  // One buffer for all reads: a stream allocates one after another, tens of megabytes before they are collected.
  const buffer = Buffer.allocUnsafe(256 * 1024);
  try {
    for (const { name, path } of files) held.push([name, await digestOf(path, buffer, signal)] as const);
    return held;
  } catch {
    return undefined;
  }
}

async function digestOf(path: string, buffer: Buffer, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'r');
  try {
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hash.digest('base64url');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Settings that decide what is sent, whatever the machine: runs that share a book have the same. */
const ofBook = [
  ...(['supplier', 'team', 'encoding', 'delimiter', 'strictContract', 'rules', 'acceptedAnswers'] as const),
  ...(['notesPerRequest', 'transactionsPerRequest', 'statementsPerRequest'] as const),
  ...(['checkPreviouslyAdded', 'forceAddToCurrentStatement', 'statementsRefuseKnownIds'] as const),
  ...(['agreementsMayRepeat', 'billingRefusalCountsAsOurs', 'paymentRefusalAfter500'] as const),
] satisfies readonly (keyof Config)[];

/**
 * Identifies an export by the contents of its files and of everything that decides how it is mapped, wherever these are. Reads all
 * of them. undefined if that is not sufficient, as for `fingerprintExport`, or the signal was aborted.
 */
export async function fingerprintBook(
  { cwd }: Pick<Environment, 'cwd'>,
  request: RunRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { config, steps, adopt, skipUnreadable } = request;
  const files = await filesOf(cwd, request);
  if (files === undefined) return undefined;
  const named = files.map(({ name, path }) => ({ name: nameOf(name, path), path }));
  const held = await contentOf(named, signal);
  if (held === undefined) return undefined;
  const settings = ofBook.map((name) => config[name] ?? null);
  const known = [version(), settings, [...(steps ?? [])].sort(), adopt === true, skipUnreadable === true];
  return createHash('sha256')
    .update(JSON.stringify([known, held]))
    .digest('base64url');
}

/** The name of a file without the place of the machine. */
function nameOf(name: string, path: string): string {
  return name === path ? basename(path) : name;
}
