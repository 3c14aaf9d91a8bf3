import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RuleContext } from '../contract/rules/rule.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';
import type { Environment } from './environment.ts';

/** Looks up document paths in the directory of --documents; throws CannotStart if it is not a directory. */
export function documentDirectory(
  environment: Pick<Environment, 'cwd'>,
  name: string,
): NonNullable<RuleContext['documents']> {
  const root = resolve(environment.cwd, name);
  if (statOf(root)?.isDirectory() !== true)
    throw new CannotStart(
      exitCodes.usage,
      `--documents: ${name} is not a directory that can be read. Name the one that the document paths start from.`,
    );
  return (path) => {
    const found = statOf(join(root, path));
    if (found === undefined) return 'missing';
    if (!found.isFile()) return 'no file';
    return found.size === 0 ? 'empty' : 'there';
  };
}

/** undefined also if a part of the path is not a directory, is too long, or cannot be searched. */
function statOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
