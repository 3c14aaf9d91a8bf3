import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import type {
  CodeTableFound,
  CodeTablePrint,
  ExportFacts,
  NamedPrint,
  RunFacts,
} from '../../domain/run-facts.ts';
import { addressOf, isBucketAddress } from '../../source/places/address.ts';
import type { Environment } from '../../host/environment.ts';
import { contentOfExport, indifferent } from '../reading/export-fingerprint.ts';
import type { ReadyExport } from '../worker/open-ready.ts';
import { readNamedFile } from '../../host/read-named-file.ts';
import type { RunRequest } from '../run-request.ts';

/** The facts of a run that does not read its export. */
export function factsOfStart({
  config,
  unattended = false,
  typed,
}: Pick<RunRequest, 'config' | 'unattended' | 'typed'>): RunFacts {
  return {
    profile: config.profile,
    rehearsal: config.baseUrl === undefined,
    unattended: isUnattended({ config, unattended }),
    typed,
  };
}

/** Whether nobody answers questions: by the setting, or because there is no terminal. */
export function isUnattended({
  config,
  unattended = false,
}: Pick<RunRequest, 'config' | 'unattended'>): boolean {
  return config.unattended || unattended;
}

/** What a run is given. `content`: the digest of the export's files, as `contentOf` gives it. */
export async function factsOfExport(
  { cwd }: Pick<Environment, 'cwd'>,
  { path, name = path, config }: RunRequest,
  { total, counts, codeTables }: Pick<ReadyExport, 'total' | 'counts' | 'codeTables'>,
  content: string | undefined,
): Promise<ExportFacts> {
  const files = await filesInForce(config);
  return {
    ...{ place: addressOf(cwd, name), accounts: total, content, ...counts },
    mapping: await printsOf(files.mapping),
    codeTables: await tablePrintsOf(files.codeTables, codeTables),
    contract: await printsOf(config.contract ?? []),
    settings: printsOfSettings(config),
  };
}

/** The digest of an export's files; undefined if they are not on this machine, or cannot be read. Reads all of them. */
export async function contentOf(
  environment: Pick<Environment, 'cwd'>,
  request: RunRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isBucketAddress(request.path)) return undefined;
  return contentOfExport(environment, request, signal);
}

async function filesInForce({
  mapping,
}: Config): Promise<{ readonly mapping: readonly string[]; readonly codeTables: readonly string[] }> {
  if (mapping === undefined) return { mapping: [], codeTables: [] };
  const { mappedFiles } = await import('../../mapping/read-mapping.ts');
  const read = mappedFiles(basename(mapping), await readNamedFile('The mapping file', mapping));
  const beside = dirname(mapping);
  const module = read?.module === undefined ? [] : [resolve(beside, read.module.file)];
  return {
    mapping: [mapping, ...module],
    codeTables: [...new Set((read?.lookups ?? []).map(({ file }) => join(beside, file)))],
  };
}

async function printsOf(files: readonly string[]): Promise<readonly NamedPrint[]> {
  const prints = await Promise.all(files.map(printOf));
  return prints.flatMap((print) => print ?? []);
}

async function tablePrintsOf(
  files: readonly string[],
  found: ReadonlyMap<string, CodeTableFound>,
): Promise<readonly CodeTablePrint[]> {
  const prints = await Promise.all(
    files.map(async (file) => ({ print: await printOf(file), ofFile: found.get(file) })),
  );
  return prints.flatMap(({ print, ofFile }) => (print === undefined ? [] : { ...print, ...ofFile }));
}

async function printOf(file: string): Promise<NamedPrint | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const block of createReadStream(file) as AsyncIterable<Buffer>) hash.update(block);
  } catch {
    // Whoever needs the file reports that it cannot be read.
    return undefined;
  }
  return { file: basename(file), print: hash.digest('base64url').slice(0, 8) };
}

/** Settings that are told by other facts, or are about this machine. */
const toldElsewhere: ReadonlySet<string> = new Set<keyof Config>([
  ...(['baseUrl', 'mapping', 'contract', 'file', 'profile', 'workDirectory', 'journal'] as const),
  ...([
    'isAddressFound',
    'isJournalFound',
    'isSourceFound',
    'isReadBackGiven',
    'meantPlatformId',
    'unattended',
    'maxShrinkage',
    'maxChanged',
  ] as const),
  ...(['apiKeyFile', 'apiKeyCommand', 'tokenFile', 'memoryMb', 'threads'] as const),
]);

function printsOfSettings(config: Config): Record<string, string> {
  const decisive = Object.entries(config).filter(
    ([name, value]) => value !== undefined && !indifferent.has(name) && !toldElsewhere.has(name),
  );
  return Object.fromEntries(
    decisive.map(([name, value]) => [
      name,
      createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 6),
    ]),
  );
}
