import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { served, tool, workspace, type Served } from './tool.ts';

const space = workspace();
const path = (name: string): string => join(space.directory, name);
let platform: Served;

beforeAll(async () => {
  const supplier = 'TENTACLE_ENERGY';
  await generateExport({ directory: path('export'), accounts: 30, seed: 5, shape: 'interface', supplier });
  const kept = new Set(['accounts.ndjson', 'historical_agreements.ndjson']);
  for (const file of readdirSync(path('export'))) if (!kept.has(file)) rmSync(path(`export/${file}`));
  // A tenancy that does what it is asked, and says so in its own way.
  const rule = { kind: 'page', on: ['agreements'], status: 202, when: 'after' };
  writeFileSync(path('operator.yaml'), JSON.stringify({ faults: { rules: [rule] } }));
  platform = await served(space.directory, '--operator', 'operator.yaml');
});
afterAll(async () => {
  await platform.stop();
  space.dispose();
});

function run() {
  const env = {
    MIGRATE_BASE_URL: platform.url,
    MIGRATE_API_KEY: platform.apiKey,
    MIGRATE_TEAM: 'MIGRATIONS',
    MIGRATE_PATIENCE_QUIET_PERIOD_MS: '50',
    MIGRATE_RETRY_BASE_MS: '5',
  };
  return tool(['run', 'export', '--yes', '--json'], space.directory, env);
}

it("a tenancy's own answer holds its step, and the message names the setting that accepts it", async () => {
  const held = await run();
  const setting = /set (acceptedAnswers: \{.*?\})/.exec(held.stderr)?.[1];
  expect(setting).toBe('acceptedAnswers: { agreements: [202] }');
  const summary = concluded(held, 'run', 6);
  expect(summary).toMatchObject({ stopReason: 'unrecognised-answers', workLeft: true });
  expect(summary).toMatchObject({ accounts: { uncertain: 0, rejected: 0, failed: 0 } });

  writeFileSync(path('.migraterc'), `profile: tenancy\nprofiles:\n  tenancy:\n    ${setting}\n`);
  expect(concluded(await run(), 'run', 0)).toMatchObject({ accounts: { completed: 30 } });
});
