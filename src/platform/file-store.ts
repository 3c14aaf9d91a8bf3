import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentState } from '../contract/rules/rule.ts';

/** Looks document paths up (section 2.1) in a supplier's root location, which is a directory here. */
export function fileStore(root: string): (path: string) => DocumentState {
  return (path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found === undefined) return 'missing';
    if (!found.isFile()) return 'no file';
    return found.size === 0 ? 'empty' : 'there';
  };
}
