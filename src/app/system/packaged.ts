import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file of this package, by its path from the package's root: sources and built files are at different depths. */
export function packaged(path: string): URL {
  let root = import.meta.dirname;
  while (!existsSync(join(root, 'package.json'))) root = dirname(root);
  return pathToFileURL(join(root, path));
}
