/**
 * Judges tests by mutants: the files that carry the guarantees are changed in one place after another, and a test must
 * notice. groups.json has the files by what they decide, each group with its tests: the nearest ones, which import the
 * source itself and need no build. Prints what no test noticed. `node test/mutants/run.js [GROUP...]`; all without one.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const groups = Object.keys(JSON.parse(readFileSync('test/mutants/groups.json', 'utf8')));
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !groups.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`There is no group ${unknown}. There are: ${groups.join(', ')}.\n`);
  process.exit(2);
}
for (const name of asked.length === 0 ? groups : asked) {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync('stryker', ['run', 'test/mutants/stryker.config.js'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, MUTANTS: name },
  });
  if (status !== 0) process.exitCode = 1;
}
