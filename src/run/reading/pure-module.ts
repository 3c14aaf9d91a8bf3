import { CannotStart } from '../../host/cannot-start.ts';
import { readNamedFile } from '../../host/read-named-file.ts';

/** Comments, in which types are imported. */
const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

const declaration = /^\s*export\s+const\s+pure\s*=\s*true\s*;?\s*$/m;

/**
 * Whether a mapping's module declares that what it returns depends on nothing but its arguments: `export const pure = true`. One that
 * loads other code is not taken for it, since that may change without it.
 */
export function isPureModule(text: string): boolean {
  const code = text.replaceAll(comment, '');
  return declaration.test(code) && !/\b(?:import|require)\b/.test(code);
}

/** Whether a mapping's module at this path is pure. One that cannot be read is reported, with its line, when the mapping is read. */
export async function isPure(module: string): Promise<boolean> {
  try {
    return isPureModule(await readNamedFile('The module', module));
  } catch (error) {
    if (error instanceof CannotStart) return false;
    throw error;
  }
}
