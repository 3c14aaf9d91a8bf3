import { execSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What dist/ is built from. */
const sources = ['src', 'rolldown.config.js', 'package-lock.json'];

/**
 * Builds dist/ before the tests if a source is newer. Tests start the built binary and the built thread that reads an export;
 * without this they could pass or fail by an old build.
 */
export default function buildFirst(): void {
  const built = modified('dist/migrate.1');
  if (sources.every((path) => newestIn(path) < built)) return;
  process.stdout.write('Building dist/, because a source is newer.\n');
  // Through a shell: on Windows, npm is a script of cmd.
  execSync('npm run --silent build', { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Milliseconds since the epoch; 0 where there is no such file. */
function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newestIn(path: string): number {
  if (!statSync(path).isDirectory()) return modified(path);
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => modified(join(path, file))));
}
