import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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

/** The libraries that decide what a file, a value or a rule means: an installation may have other versions than the build had. */
const deciding = [
  ...['libphonenumber-js', 'csv-parse', 'lossless-json', 'big.js', 're2js', 'ajv', 'ajv-formats'],
  ...['hyparquet', 'hyparquet-compressors', 'sax', 'yaml', 'yauzl'],
];

/**
 * Identifies how this build reads, maps and checks an export: another build may find something else in the same one, whatever its
 * version, and so may the same build with other libraries, or with the characters and time zones of another Node.
 */
export function meaningOfBuild(): string {
  const { icu = '', unicode = '', tz = '' } = process.versions;
  const libraries = deciding.map((name) => `${name}@${installed(name)}`);
  return [version(), builtAs().sources ?? '', ...libraries, icu, unicode, tz].join(' ');
}

/** The installed version of a library; '' if it is not found. */
function installed(name: string): string {
  for (let at = dirname(fileURLToPath(packaged('package.json'))); ; at = dirname(at)) {
    const file = join(at, 'node_modules', name, 'package.json');
    if (existsSync(file))
      return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: string }).version ?? '';
    if (dirname(at) === at) return '';
  }
}
