import { lilconfig } from 'lilconfig';
import { readFile } from 'node:fs/promises';
import { parse, resolve } from 'node:path';
import type { ConfigFile } from './parse-config-file.ts';
import type { ConfigProblem, ConfigProblems } from './problem.ts';

/**
 * Reads the file that --config names, or the first `.migraterc` from the working directory up to the root; YAML or
 * JSON, which YAML includes. undefined if there is none.
 */
export async function readConfigFile(
  cwd: string,
  named: string | undefined,
): Promise<ConfigFile | ConfigProblems | undefined> {
  try {
    if (named !== undefined) {
      const file = resolve(cwd, named);
      return await parsed(file, await readFile(file, 'utf8'));
    }
    const found = await searcher(cwd).search(cwd);
    if (found === null) return undefined;
    const text: unknown = found.config ?? '';
    return typeof text === 'string' ? await parsed(found.filepath, text) : undefined;
  } catch (error) {
    return { problems: [unreadable(error, named)] };
  }
}

function searcher(cwd: string) {
  return lilconfig('migrate', {
    searchPlaces: ['.migraterc'],
    stopDir: parse(resolve(cwd)).root,
    ignoreEmptySearchPlaces: false,
    loaders: { noExt: (_file: string, text: string) => text },
  });
}

/** Loads the YAML reader only if there is a file. */
async function parsed(file: string, text: string): Promise<ConfigFile | ConfigProblems> {
  const { parseConfigFile } = await import('./parse-config-file.ts');
  return parseConfigFile(file, text);
}

function unreadable(error: unknown, named: string | undefined): ConfigProblem {
  if (!(error instanceof Error && 'code' in error)) throw error;
  const file = 'path' in error ? String(error.path) : (named ?? '.migraterc');
  if (error.code === 'ENOENT') return { where: '--config', detail: `there is no file ${file}.` };
  if (error.code === 'EISDIR') return { where: file, detail: 'is a directory, not a configuration file.' };
  return { where: file, detail: `cannot be read (${String(error.code)}); check its permissions.` };
}
