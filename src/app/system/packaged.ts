import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file of this package, by its path from the package's root: sources and built files are at different depths. */
export function packaged(path: string): URL {
  let root = import.meta.dirname;
  while (!existsSync(join(root, 'package.json'))) root = dirname(root);
  return pathToFileURL(join(root, path));
}

/** This tool's version, as its package says. */
export function version(): string {
  const text = readFileSync(packaged('package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
