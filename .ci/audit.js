// Checks the lock file: each package is fixed by its digest, and has a licence under which this package may use it.
import { readFileSync } from 'node:fs';

const licences = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    // Of data about browsers, which a test's tool has.
    'CC-BY-4.0',
    'ISC',
    'MIT',
    'MPL-2.0',
  ],
]);

/** Of a test's tools, and under the MIT licence as their guides say; their own description has no word of it. */
const said = new Set(['humanize-number', 'only']);

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const faults = [];
let count = 0;
for (const [path, entry] of Object.entries(packages)) {
  if (path === '' || entry.link === true) continue;
  count += 1;
  const named = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const name = `${named} ${entry.version}`;
  if (!/^sha512-/.test(entry.integrity ?? '')) faults.push(`${name} has no SHA-512 digest.`);
  const licence = entry.license ?? installed(path);
  // What is not for this system is not installed, and its licence cannot be read.
  if (licence === undefined && entry.optional === true) continue;
  if (!isAllowed(licence) && !said.has(named))
    faults.push(`${name} has the licence ${licence ?? 'unknown'}.`);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else process.stdout.write(`${count} packages: each has a digest, and a licence that is allowed.\n`);

/** The licence in the package itself, where the lock file has none. */
function installed(path) {
  try {
    const { license, licenses } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    return license?.type ?? license ?? licenses?.[0]?.type;
  } catch {
    return undefined;
  }
}

/** Of alternatives, one that is allowed is enough. */
function isAllowed(licence) {
  return (licence ?? '')
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => licences.has(one));
}
