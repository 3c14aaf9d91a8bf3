// Plays random schedules of crashes and faults, and says how many: `npm run crash -- --schedules 100000`.
// A failure prints its seed and path; --seed S --path P play it again.
// With `--engine postgres --runners 3`, up to so many runs at once share a book, on a real server.
// `--processes` makes them real processes, on networks that fail: half a minute each, and only the seed plays one again.
// `--restarts 200` kills the server so often under such processes.
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
    processes: { type: 'boolean', default: false },
    restarts: { type: 'string' },
  },
});
const env = { ...process.env, CRASH_SCHEDULES: values.schedules, CRASH_SEED: values.seed };
if (values.path !== undefined) env.CRASH_PATH = values.path;
const root = join(import.meta.dirname, '../../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const processes = 'test/cli/runners-crash.slow.test.ts';
const ofEngine = {
  sqlite: ['test/pipeline/crash.slow.test.ts', '--testNamePattern', 'random schedules'],
  postgres: values.processes
    ? [processes, '--testNamePattern', 'seed']
    : values.restarts === undefined
      ? ['test/pipeline/shared-crash.slow.test.ts']
      : [processes, '--testNamePattern', 'restarts'],
};
if (!Object.hasOwn(ofEngine, values.engine)) throw new Error('--engine is sqlite or postgres.');
if (values.engine === 'postgres') env.CRASH_RUNNERS = values.runners;
if (values.restarts !== undefined)
  Object.assign(env, { CRASH_RESTARTS: values.restarts, CRASH_SCHEDULES: '1' });
const args = [vitest, 'run', ...ofEngine[values.engine]];
const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
