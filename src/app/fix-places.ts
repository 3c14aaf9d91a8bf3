import { resolve } from 'node:path';
import type { Environment } from './environment.ts';

/** Where the `--with` directories lie, as absolute paths. */
export function placesOf({ cwd }: Pick<Environment, 'cwd'>, names: readonly string[] = []): string[] {
  return names.map((name) => resolve(cwd, name));
}
