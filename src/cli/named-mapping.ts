import { resolve } from 'node:path';
import { CannotStart } from '../app/cannot-start.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Shell } from './shell.ts';

/** The mapping file that was named, or the configured one; absolute. Throws CannotStart if there is neither. */
export function namedMapping(
  { cwd }: Pick<Shell, 'cwd'>,
  named: string | undefined,
  configured: string | undefined,
): string {
  const file = named ?? configured;
  if (file === undefined)
    throw new CannotStart(
      exitCodes.usage,
      'No mapping is named. Name its file, or set mapping in .migraterc.',
    );
  return resolve(cwd, file);
}
