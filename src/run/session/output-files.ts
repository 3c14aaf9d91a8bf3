import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { fileIdentity } from '../../domain/file-identity.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { hostShortage } from '../../domain/host-shortage.ts';
import { openElsewhere } from '../../domain/open-elsewhere.ts';
import { irregularAt } from '../../domain/trusted-file.ts';
import { windowsNameFault } from '../../domain/windows-name.ts';
import { filesOf } from '../../journal/journal-at.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { embeddedStateFile } from './embedded-platform.ts';
import type { OutputKind } from './output-kinds.ts';
import { readNamedFile } from '../../host/read-named-file.ts';
import type { Environment } from '../../host/environment.ts';

/** A file or directory that a command is to write. */
export interface Output {
  /** How the user named it: a flag or a setting. */
  readonly name: string;
  /** Absent if the flag is not given. */
  readonly path: string | undefined;
  /** Absent for a directory, which has rules of its own. */
  readonly kind?: OutputKind;
  /** It is the embedded platform's state, and may be the one that `run` keeps. */
  readonly isState?: boolean;
}

/** What a command reads beside what its configuration names. */
export interface Inputs {
  /** Export directory, .zip archive, or one file. */
  readonly export?: string | undefined;
  /** Directories of fixes. */
  readonly with?: readonly string[] | undefined;
  /** Directory of documents. */
  readonly documents?: string | undefined;
  /** List of accounts. */
  readonly accounts?: string | undefined;
  /** Operator file of the embedded platform. */
  readonly operator?: string | undefined;
}

interface Read {
  readonly what: string;
  readonly path: string;
}

const platformState = "the embedded platform's state";

/** How much of a file shows what kind it is, in bytes. */
const startLength = 4096;

/**
 * Throws CannotStart if an output is a file that is read, by whatever path or link, or another output, or is there
 * already and not of the kind to be written (unless forced). Devices and pipes may be written to, but not by a name that only Windows
 * takes for one. An earlier output of the same kind within the export does not belong to it.
 */
export async function guardOutputs(
  { cwd }: Pick<Environment, 'cwd'>,
  config: Config,
  outputs: readonly Output[],
  { inputs = {}, force = false }: { readonly inputs?: Inputs; readonly force?: boolean | undefined } = {},
): Promise<void> {
  const written = outputs.flatMap(({ path, ...output }) =>
    path === undefined ? [] : [{ ...output, path: resolve(cwd, path), shown: path }],
  );
  for (const { name, shown } of written) requireName(name, shown);
  const files = written.filter(({ path }) => !isStream(path));
  if (files.length === 0) return;
  const read = await filesRead(cwd, config, inputs);
  files.forEach((output, at) => {
    try {
      guardOne(output, at);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
      // To write over what cannot be looked at may destroy something.
      throw new CannotStart(exitCodes.usage, `${output.name}: ${output.shown} ${whyNotSeen(error)}`);
    }
  });

  function guardOne(output: (typeof files)[number], at: number): void {
    const refuse = (why: string): never => {
      throw new CannotStart(exitCodes.usage, `${output.name}: ${output.shown} ${why}`);
    };
    const same = read.find(
      ({ what, path }) => !(output.isState === true && what === platformState) && isSame(path, output.path),
    );
    if (same !== undefined) refuse(`is ${same.what}, which would be overwritten. Name another file.`);
    const other = files.slice(0, at).find(({ path }) => isSame(path, output.path));
    if (other !== undefined) refuse(`is also the output of ${other.name}. Name another file.`);
    const isOwn = output.kind === undefined || isOfKind(output.path, output.kind);
    if (isOwn) return;
    for (const directory of [inputs.export, ...(inputs.with ?? []), inputs.documents])
      if (directory !== undefined && isWithin(output.path, resolve(cwd, directory)))
        refuse(`is a file of ${directory}, which would be overwritten. Name another file.`);
    if (!force) refuse('exists already, and is a file of another kind. Name another file, or add --force.');
  }
}

/** Throws CannotStart if Windows would write something else than what is named; `name`: the flag or the argument. */
export function requireName(name: string, path: string): void {
  const fault = windowsNameFault(path);
  if (fault !== undefined)
    throw new CannotStart(
      exitCodes.usage,
      `${name}: ${path} cannot be written: ${fault}. Name another place.`,
    );
}

async function filesRead(cwd: string, config: Config, inputs: Inputs): Promise<readonly Read[]> {
  const { journal, mapping, contract, apiKeyFile, tokenFile, sourcePasswordFile, notify, file } = config;
  const state = embeddedStateFile(config);
  const databases = (what: string, path: string): Read[] =>
    ['', '-wal', '-shm', '-journal'].map((end) => ({ what, path: path + end }));
  const named = (what: string, path: string | undefined): Read[] =>
    path === undefined ? [] : [{ what, path: resolve(cwd, path) }];
  return [
    ...filesOf(journal),
    ...databases(platformState, state),
    ...named('the export', inputs.export),
    ...(inputs.with ?? []).flatMap((directory) => named('a --with directory', directory)),
    ...named('the list of accounts', inputs.accounts),
    ...named('the operator file', inputs.operator),
    ...named('the mapping', mapping),
    ...(mapping === undefined ? [] : await besideMapping(mapping)),
    ...(contract ?? []).flatMap((path) => named('the contract', path)),
    ...named('the configuration file', file),
    ...named('the file of the API key', apiKeyFile),
    ...named('the file of the token', tokenFile),
    ...named('the file of the password', sourcePasswordFile),
    ...named("the file of the webhook's address", notify.webhookFile),
  ];
}

/** The code tables and the module of a mapping; faults in it are reported when it is read. */
async function besideMapping(mapping: string): Promise<readonly Read[]> {
  const text = await readNamedFile('The mapping file', mapping).catch((error: unknown) => {
    if (error instanceof CannotStart) return undefined;
    throw error;
  });
  if (text === undefined) return [];
  const { mappedFiles } = await import('../../mapping/read-mapping.ts');
  const found = mappedFiles(basename(mapping), text);
  if (found === undefined) return [];
  const files = [
    ...found.lookups.map(({ file }) => file),
    ...(found.module === undefined ? [] : [found.module.file]),
  ];
  return files.map((file) => ({ what: 'a file of the mapping', path: resolve(dirname(mapping), file) }));
}

/** A device, a pipe or a socket, which keeps nothing that could be lost. */
function isStream(path: string): boolean {
  return irregularAt(path) !== undefined;
}

function isSame(one: string, other: string): boolean {
  if (realPath(one) === realPath(other)) return true;
  const [first, second] = [identity(one), identity(other)];
  return first !== undefined && first === second;
}

/** Two names of one file, such as hard links or names that differ only in case, have the same. */
function identity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? fileIdentity(found) : undefined;
}

const mostLinks = 40;

/** The path without links, even of a file that does not exist yet. */
function realPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true && links < mostLinks)
      return realPath(resolve(dirname(path), readlinkSync(path)), links + 1);
    const above = dirname(path);
    return above === path ? path : join(realPath(above, links), basename(path));
  }
}

/** Whether it is a file within a directory, or another name of one. */
function isWithin(path: string, directory: string): boolean {
  if (realPath(path).startsWith(realPath(directory) + sep)) return true;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.nlink < 2) return false;
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names.some((name) => isSame(path, join(directory, name)));
}

/** Nothing is there, or an empty file, or one of that kind. */
function isOfKind(path: string, kind: OutputKind): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory() || found.size === 0) return true;
  const handle = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(startLength);
    return kind(bytes.toString('utf8', 0, readSync(handle, bytes)));
  } finally {
    closeSync(handle);
  }
}

function whyNotSeen(error: Error & { readonly code: unknown }): string {
  return (
    openElsewhere(error) ??
    `cannot be looked at before it is written: ${hostShortage(error) ?? `the system reports ${String(error.code)}. Check the path and its permissions, or name another file.`}`
  );
}
