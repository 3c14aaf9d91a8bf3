import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig, type Config, type ConfigInput } from '../../src/config/load-config.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** A fresh directory, with a `.migraterc` where one is given. */
export function directory(migraterc?: string): string {
  const dir = temporaryDirectory('migrate-config-');
  if (migraterc !== undefined) write(join(dir, '.migraterc'), migraterc);
  return dir;
}

export function write(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const ruleCodes = ['invalid_phone_number', 'duplicate_transaction_ids'];

export function load(cwd: string, input: Partial<ConfigInput> = {}) {
  return loadConfig({ cwd, env: {}, flags: {}, ruleCodes, ...input });
}

export async function loaded(cwd: string, input: Partial<ConfigInput> = {}): Promise<Config> {
  const config = await load(cwd, input);
  if ('problems' in config) throw new Error(JSON.stringify(config.problems));
  return config;
}

/** The problems of a `.migraterc`, as one text each; the file's directory is left out. */
export async function problemsIn(migraterc: string, input: Partial<ConfigInput> = {}): Promise<string[]> {
  const dir = directory(migraterc);
  return problems(dir, input);
}

export async function problems(cwd: string, input: Partial<ConfigInput> = {}): Promise<string[]> {
  const config = await load(cwd, input);
  if (!('problems' in config)) return [];
  return config.problems.map(({ where, detail }) => `${where}: ${detail}`.replaceAll(`${cwd}/`, ''));
}
