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

/** What the build of this tool wrote about itself; nothing where it runs from its sources without a build. */
function builtAs(): { readonly commit?: string; readonly sources?: string } {
  try {
    return JSON.parse(readFileSync(packaged('dist/build.json'), 'utf8')) as ReturnType<typeof builtAs>;
  } catch {
    return {};
  }
}

/** The version with the commit that it was built from, such as `1.2.3+0123456789ab`; the version alone where no build knows one. */
export function versionAndCommit(): string {
  const { commit } = builtAs();
  return commit === undefined ? version() : `${version()}+${commit}`;
}

/**
 * Identifies how this build reads, maps and checks an export: another build may find something else in the same one, whatever its
 * version.
 */
export function meaningOfBuild(): string {
  return `${version()} ${builtAs().sources ?? ''}`;
}
