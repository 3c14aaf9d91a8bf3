import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Functions } from '../mapping/plan.ts';
import type { ModuleSpec } from '../mapping/spec.ts';
import { CannotStart } from './cannot-start.ts';

/** The exports of a mapping's module in `directory`; throws CannotStart if it cannot be loaded. */
export async function loadModule(directory: string, module: ModuleSpec | undefined): Promise<Functions> {
  if (module === undefined) return {};
  try {
    return (await import(pathToFileURL(resolve(directory, module.file)).href)) as Functions;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    // The importing file means nothing to a user.
    const [reason = ''] = said.split(` imported from ${fileURLToPath(import.meta.url)}`);
    const { file, line } = module.origin;
    throw new CannotStart(
      exitCodes.usage,
      `${file}:${line}:module: ${module.file} cannot be loaded: ${reason}. Correct its path or its code.`,
    );
  }
}
