// Runs the conformance suite: against an embedded platform of its own, or against any address.
//   npm run conformance -- --base-url https://sandbox.example --supplier CODE --team NAME
// Secrets come from the environment: MIGRATE_API_KEY or MIGRATE_TOKEN. docs/platform.md names the rest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const variables = {
  'base-url': 'MIGRATE_BASE_URL',
  supplier: 'MIGRATE_SUPPLIER',
  team: 'MIGRATE_TEAM',
  account: 'CONFORMANCE_ACCOUNT',
};
const { values } = parseArgs({
  options: Object.fromEntries(Object.keys(variables).map((name) => [name, { type: 'string' }])),
});
const env = { ...process.env };
for (const [name, value] of Object.entries(values)) env[variables[name]] = value;
if (env.MIGRATE_BASE_URL !== undefined && !env.MIGRATE_API_KEY && !env.MIGRATE_TOKEN) {
  console.error('Put an API key into MIGRATE_API_KEY, or a token into MIGRATE_TOKEN.');
  process.exit(2);
}
const root = join(import.meta.dirname, '../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/conformance', '--reporter=verbose'], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exit(status ?? 1);
