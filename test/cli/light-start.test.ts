import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { project } from './tool.ts';

const remedy = 'Load the library with import() in the function that needs it.';

/** The libraries that a built file loads as soon as it is imported, and all files that it imports. */
function librariesOf(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const statements = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;'"]*["']([^"']+)["']/gm);
  return [...statements].flatMap(([, name = '']) =>
    name.startsWith('.') ? librariesOf(join(dirname(file), name), seen) : name,
  );
}

it('help and --version load no library beside the command line and what every command needs', () => {
  const loaded = librariesOf(project('dist/cli/main.js')).filter((name) => !name.startsWith('node:'));
  expect([...new Set(loaded)].sort(), remedy).toEqual([
    '@commander-js/extra-typings',
    'big.js',
    'commander',
    'fastest-levenshtein',
    'lossless-json',
  ]);
});

it('the thread that reads an export loads neither the command line nor what only some exports need', () => {
  const loaded = librariesOf(project('dist/run/worker/thread.js'));
  expect(loaded).toContain('better-sqlite3');
  for (const name of ['chalk', 'commander', 'csv-parse/sync', 'libphonenumber-js/min', 'sax', 'zod'])
    expect(loaded, remedy).not.toContain(name);
});

it('the thread that sends leaves the checks of accounts to the one that reads', () => {
  const [file = ''] = readdirSync(project('dist/shared'))
    .map((name) => project(join('dist/shared', name)))
    .filter((path) => path.endsWith('.js') && /function runExport\(/.test(readFileSync(path, 'utf8')));
  const loaded = librariesOf(file);
  expect(loaded).toContain('undici');
  expect(loaded, remedy).not.toContain('libphonenumber-js/min/metadata');
});
