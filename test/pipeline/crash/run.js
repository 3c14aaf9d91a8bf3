// Plays random schedules of crashes and faults, and says how many: `npm run crash -- --schedules 100000`.
// A failure prints its seed and path; --seed S --path P play it again.
// With `--engine postgres --runners 3`, each schedule is real processes that share a book on a real server: start with a few.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    runners: { type: 'string', default: '3' },
  },
});
const env = { ...process.env, CRASH_SCHEDULES: values.schedules, CRASH_SEED: values.seed };
if (values.path !== undefined) env.CRASH_PATH = values.path;
const root = join(import.meta.dirname, '../../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const ofEngine = {
  sqlite: ['test/pipeline/crash.test.ts', '--testNamePattern', 'random schedules'],
  postgres: ['test/cli/runners-crash.test.ts'],
};
if (!Object.hasOwn(ofEngine, values.engine)) throw new Error('--engine is sqlite or postgres.');
if (values.engine === 'postgres') env.CRASH_RUNNERS = values.runners;
const args = [vitest, 'run', ...ofEngine[values.engine]];
const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
