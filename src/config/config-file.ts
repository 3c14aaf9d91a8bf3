import { dirname, join, resolve } from 'node:path';
import { statSync } from 'node:fs';
import { FileNotTrusted, readTrustedText } from '../domain/trusted-file.ts';
import type { ConfigFile } from './parse-config-file.ts';
import type { ConfigProblem, ConfigProblems } from './problem.ts';

/**
 * Reads the file that --config names, or the first `.migraterc` from the working directory up to the root; YAML or
 * JSON, which YAML includes. undefined if there is none. A file that was found belongs to the user or to root; none can
 * be written by others.
 */
export async function readConfigFile(
  cwd: string,
  named: string | undefined,
): Promise<ConfigFile | ConfigProblems | undefined> {
  const file = named === undefined ? foundFrom(resolve(cwd)) : resolve(cwd, named);
  if (file === undefined) return undefined;
  try {
    const text = await readTrustedText(file, { isChosen: named !== undefined });
    // The YAML reader is loaded only if there is a file.
    const { parseConfigFile } = await import('./parse-config-file.ts');
    return parseConfigFile(file, text);
  } catch (error) {
    return { problems: [unreadable(error, file, named)] };
  }
}

/** A name that cannot be looked up may be a file: it is found, and reading it says why it cannot be used. */
function foundFrom(directory: string): string | undefined {
  const file = join(directory, '.migraterc');
  if (isThere(file)) return file;
  const parent = dirname(directory);
  return parent === directory ? undefined : foundFrom(parent);
}

function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function unreadable(error: unknown, file: string, named: string | undefined): ConfigProblem {
  if (error instanceof FileNotTrusted) {
    const choice = named !== undefined ? '' : ` To use it all the same, name it with --config.`;
    return { where: file, detail: `${error.reason}${error.isOthers ? choice : ''}` };
  }
  if (!(error instanceof Error && 'code' in error)) throw error;
  if (error.code === 'ENOENT' && named !== undefined)
    return { where: '--config', detail: `there is no file ${file}.` };
  if (error.code === 'EISDIR')
    return { where: named ?? file, detail: 'is a directory, not a configuration file.' };
  return { where: file, detail: `cannot be read (${String(error.code)}); check its permissions.` };
}
