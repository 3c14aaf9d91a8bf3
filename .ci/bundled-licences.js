import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the licences of the libraries that are bundled into dist/LICENCES.txt, as they ask for. */
export const bundledLicences = {
  name: 'bundled-licences',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const libraries = modules.flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
    const licences = [...new Set(libraries)].sort().map(licenceOf);
    this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source: `${licences.join('\n\n\n')}\n` });
  },
};

function licenceOf(library) {
  const { name, version, license } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'));
  const files = readdirSync(library).filter((file) => /^licen[cs]e/i.test(file));
  if (files.length === 0) throw new Error(`${name} comes without its licence.`);
  const texts = files.map((file) => readFileSync(join(library, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
