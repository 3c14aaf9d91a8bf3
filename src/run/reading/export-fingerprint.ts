import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { FileUnreadable } from '../../source/file-bytes.ts';
import { listExport, type ExportListing } from '../../source/list-export.ts';
import { localFile } from '../../source/places/directory.ts';
import type { Place, StoredFile } from '../../source/places/place.ts';
import { addressOf } from '../../source/places/address.ts';
import { placeAt } from '../../source/places/places.ts';
import { tableFiles } from '../../source/table-files.ts';
import { mappingPrint, type MappingPrint } from '../../pipeline/mapping-print.ts';
import { isPure } from './pure-module.ts';
import { readNamedFile } from '../../host/read-named-file.ts';
import type { RunRequest } from '../run-request.ts';
import type { Environment } from '../../host/environment.ts';
import { meaningOfBuild } from '../../host/packaged.ts';

/** Settings that decide what is sent, on any machine: they are the same for runs that share a book. Their order is that of the digest. */
const ofBook = [
  ...(['supplier', 'team', 'encoding', 'delimiter', 'strictContract', 'rules', 'acceptedAnswers'] as const),
  ...(['notesPerRequest', 'transactionsPerRequest', 'statementsPerRequest'] as const),
  ...(['checkPreviouslyAdded', 'forceAddToCurrentStatement', 'statementsRefuseKnownIds'] as const),
  ...(['agreementsMayRepeat', 'billingRefusalCountsAsOurs', 'paymentRefusalAfter500'] as const),
] satisfies readonly (keyof Config)[];

/**
 * All others. `watch`: how a run is watched, when it runs and how fast, which does not affect the result. `file`: what they name is
 * known by its contents. `run`: where from and where to, as whom, and with how much patience.
 */
const others = {
  ...record('watch', ['log', 'metrics', 'notify', 'until', 'window', 'timeZone', 'concurrency', 'rate']),
  ...record('watch', ['unattended', 'maxShrinkage', 'maxChanged']),
  ...record('file', ['mapping', 'contract']),
  ...record('run', [
    'workDirectory',
    'file',
    'profile',
    'platformId',
    'meantPlatformId',
    'baseUrl',
    'operator',
  ]),
  ...record('run', ['journal', 'journalPatienceMs', 'journalPasswordFile', 'journalPasswordCommand']),
  ...record('run', ['sourceUrl', 'sourcePasswordFile', 'sourcePasswordCommand', 'followLinks', 'currencies']),
  ...record('run', ['apiKeyFile', 'apiKeyCommand', 'tokenFile', 'tokenHeader', 'tokenMutation', 'tls']),
  ...record('run', ['isAddressFound', 'isJournalFound', 'isSourceFound', 'isReadBackGiven', 'readBack']),
  ...record('run', ['retry', 'patience', 'timeouts', 'drainMs', 'notDelivered', 'keepPlatformWords']),
  ...record('run', [
    'synchronous',
    'memoryMb',
    'threads',
    'processConcurrency',
    'bytesPerRequest',
    'schedule',
  ]),
} satisfies Readonly<Record<Exclude<keyof Config, (typeof ofBook)[number] | 'import' | 'steps'>, string>>;

function record<Is extends string, Name extends keyof Config>(
  is: Is,
  names: readonly Name[],
): Readonly<Record<Name, Is>> {
  return Object.fromEntries(names.map((name) => [name, is])) as Record<Name, Is>;
}

export const indifferent: ReadonlySet<string> = new Set(
  Object.entries(others).flatMap(([name, is]) => (is === 'watch' ? [name] : [])),
);

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
 * undefined if the files and the settings are not sufficient: what a mapping's module does unless it is pure, and the contents of the documents
 * are not known, and a run of selected accounts says nothing about the others.
 */
export async function fingerprintExport(
  { cwd }: Pick<Environment, 'cwd'>,
  request: RunRequest,
): Promise<ExportFingerprint | undefined> {
  const { config, steps, adopt, skipUnreadable } = request;
  const marks = await withFiles(cwd, request, marksOf);
  if (marks === undefined) return undefined;
  const areSame = (now: readonly MarkedFile[]): boolean =>
    now.length === marks.length && now.every(({ fullMark }, at) => fullMark === marks[at]?.fullMark);
  const decisive = Object.entries(config).filter(([name]) => !indifferent.has(name));
  const known = [
    meaningOfBuild(),
    decisive,
    [...(steps ?? [])].sort(),
    adopt === true,
    skipUnreadable === true,
  ];
  const bytes = marks.reduce((sum, { size }) => sum + size, 0);
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([...known, marks.map(({ path, fullMark }) => [path, fullMark])]))
      .digest('base64url'),
    bytes,
    async content(signal) {
      const held = await withFiles(cwd, request, (files) => contentOf(files, signal));
      const now = held && (await withFiles(cwd, request, marksOf));
      if (now === undefined || !areSame(now)) return undefined;
      const digest = createHash('sha256')
        .update(JSON.stringify([...known, held]))
        .digest('base64url');
      return `${bytes} ${digest}`;
    },
  };
}

interface NamedFile {
  /** The identity of a file; that of an export's file does not include the export's location. */
  readonly name: string;
  readonly stored: StoredFile;
}

interface MarkedFile {
  readonly path: string;
  readonly size: number;
  readonly fullMark: string;
}

function marksOf(files: readonly NamedFile[]): Promise<readonly MarkedFile[]> {
  const marks = files.map(({ stored: { path, state } }) => ({ path, ...state }));
  return Promise.resolve(marks);
}

/**
 * Calls back with the files of an export, of its fixes and of what is beside them; undefined if these do not say all of it,
 * or if one of them cannot be read: reading will report why.
 */
async function withFiles<Result>(
  cwd: string,
  request: RunRequest,
  act: (files: readonly NamedFile[]) => Promise<Result>,
): Promise<Result | undefined> {
  const places: Place[] = [];
  try {
    const files = await filesOf(cwd, request, places);
    return files === undefined ? undefined : await act(files);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    return undefined;
  } finally {
    for (const place of places) place.close();
  }
}

/** Adds the places that it opens. */
async function filesOf(
  cwd: string,
  { path, config, with: fixes, documents, accounts, dryRun }: RunRequest,
  places: Place[],
): Promise<readonly NamedFile[] | undefined> {
  if (documents !== undefined || accounts !== undefined || dryRun === true) return undefined;
  const { mapping, contract } = config;
  const beside = new Set(contract ?? []);
  const found: { readonly name: string; readonly stored: StoredFile | undefined }[] = [];
  for (const [at, directory] of [path, ...(fixes ?? [])].entries()) {
    const listing = await listExport(addressOf(cwd, directory), { texts: mapping !== undefined });
    if ('problems' in listing) return undefined;
    const ofMapping =
      mapping === undefined
        ? { files: [], codeTables: [], tables: [] }
        : await mappingFiles(mapping, listing);
    if (ofMapping === undefined) return undefined;
    const place = await placeAt(listing.root);
    places.push(place);
    for (const name of new Set([...listing.files, ...ofMapping.tables]))
      found.push({ name: at === 0 ? name : `with ${at} ${name}`, stored: await place.find(name) });
    for (const file of ofMapping.files) beside.add(file);
    for (const { path } of ofMapping.codeTables) beside.add(path);
  }
  for (const file of beside) found.push({ name: file, stored: localFile(file) });
  const files = found.flatMap(({ name, stored }) => (stored === undefined ? [] : [{ name, stored }]));
  return files.length === found.length ? files : undefined;
}

interface MappingFiles {
  /** The mapping, and its module. */
  readonly files: readonly string[];
  /** The code tables that it reads, as it names them. */
  readonly codeTables: readonly { readonly file: string; readonly path: string }[];
  /** The files of its tables, whatever their extensions. */
  readonly tables: readonly string[];
}

/** undefined if the mapping calls a module that is not pure, or cannot be read. */
async function mappingFiles(
  mapping: string,
  listing: Pick<ExportListing, 'files'>,
): Promise<MappingFiles | undefined> {
  const { mappedFiles } = await import('../../mapping/read-mapping.ts');
  const read = mappedFiles(basename(mapping), await readNamedFile('The mapping file', mapping));
  if (read === undefined) return undefined;
  const module = read.module && resolve(dirname(mapping), read.module.file);
  if (module !== undefined && !(await isPure(module))) return undefined;
  const tables = read.tables.map((spec) => tableFiles(spec, listing.files));
  return {
    files: [mapping, ...(module === undefined ? [] : [module])],
    codeTables: read.lookups.map(({ file }) => ({ file, path: join(dirname(mapping), file) })),
    tables: tables.flatMap((found) => ('problem' in found ? [] : found)),
  };
}

/** Each file's name with the digest of its bytes; undefined if one cannot be read, or the signal was aborted. */
async function contentOf(
  files: readonly NamedFile[],
  signal: AbortSignal,
): Promise<readonly (readonly [name: string, digest: string])[] | undefined> {
  const held = [];
  // One buffer for all reads: new ones would take tens of megabytes before they are collected.
  const reused = Buffer.allocUnsafe(256 * 1024);
  try {
    for (const { name, stored } of files) {
      const hash = createHash('sha256');
      for await (const block of stored.read({ signal, reused }, reused.length)) hash.update(block);
      held.push([name, hash.digest('base64url')] as const);
    }
    return held;
  } catch {
    return undefined;
  }
}

/**
 * The digest of an export's files, whatever is mapped from them; undefined as for `fingerprintExport`, or if the signal was
 * aborted. Reads all of them.
 */
export function contentOfExport(
  { cwd }: Pick<Environment, 'cwd'>,
  request: RunRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { path, config, hours } = request;
  return withFiles(cwd, { path, config, hours }, async (files) => {
    const own = files.filter(({ name, stored }) => name !== stored.path);
    const held = await contentOf(own, signal);
    return held && createHash('sha256').update(JSON.stringify(held)).digest('base64url').slice(0, 16);
  });
}

function settingsOf(config: Config): readonly unknown[] {
  const { import: kind, steps } = config;
  // Only if they are set, so that books of before them are recognised.
  const later = [kind, steps].filter((value) => value !== undefined);
  return [...ofBook.map((name) => config[name] ?? null), ...later];
}

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
  const held = await withFiles(cwd, request, (files) =>
    contentOf(
      files.map(({ name, stored }) => ({ name: nameOf(name, stored.path), stored })),
      signal,
    ),
  );
  if (held === undefined) return undefined;
  const settings = settingsOf(config);
  const known = [
    meaningOfBuild(),
    settings,
    [...(steps ?? [])].sort(),
    adopt === true,
    skipUnreadable === true,
  ];
  return createHash('sha256')
    .update(JSON.stringify([known, held]))
    .digest('base64url');
}

/** undefined if it is not known, as for `fingerprintExport`, or if fixes replace accounts. */
export async function fingerprintMapping({
  config,
  with: fixes = [],
}: Mapped): Promise<MappingPrint | undefined> {
  if (fixes.length > 0) return undefined;
  const { mapping, contract = [] } = config;
  const beside =
    mapping === undefined ? { files: [], codeTables: [] } : await mappingFiles(mapping, { files: [] });
  if (beside === undefined) return undefined;
  const held = await contentAt([...new Set([...contract, ...beside.files])]);
  const codes = await contentAt(beside.codeTables.map(({ path }) => path));
  if (held === undefined || codes === undefined) return undefined;
  const settings = settingsOf(config);
  const print = createHash('sha256')
    .update(JSON.stringify([meaningOfBuild(), settings, held]))
    .digest('base64url')
    .slice(0, 10);
  const codeTables = codes.map(([, digest], at) => ({
    file: beside.codeTables[at]?.file ?? '',
    print: digest.slice(0, 6),
  }));
  return mappingPrint(print, codeTables);
}

/** As `contentOf`, of these paths. */
async function contentAt(paths: readonly string[]): ReturnType<typeof contentOf> {
  const files = paths.map((path) => ({ name: basename(path), stored: readableFile(path) }));
  const found = files.flatMap(({ name, stored }) => (stored === undefined ? [] : [{ name, stored }]));
  return found.length < files.length ? undefined : contentOf(found, new AbortController().signal);
}

/** Why a file cannot be read is told where it is used. */
function readableFile(path: string): StoredFile | undefined {
  try {
    return localFile(path);
  } catch {
    return undefined;
  }
}

/** What is mapped, besides the export. */
export interface Mapped {
  readonly config: Config;
  /** The `--with` directories. */
  readonly with?: readonly string[] | undefined;
}

/** The name of a file without the place of the machine. */
function nameOf(name: string, path: string): string {
  return name === path ? basename(path) : name;
}
