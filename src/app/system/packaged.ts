import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file of this package, by its path from the package's root: the sources and what is built of them lie at other depths. */
export function packaged(path: string): URL {
  let root = import.meta.dirname;
  while (!existsSync(join(root, 'package.json'))) root = dirname(root);
  return pathToFileURL(join(root, path));
}
