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
