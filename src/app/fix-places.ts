import { resolve } from 'node:path';
import type { Environment } from './environment.ts';

/** The locations of the `--with` directories, as absolute paths. */
export function placesOf({ cwd }: Pick<Environment, 'cwd'>, names: readonly string[] = []): string[] {
  return names.map((name) => resolve(cwd, name));
}
