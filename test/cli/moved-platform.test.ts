import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemShell } from '../../src/cli/shell.ts';
import { generateExport } from '../../src/generate/generate-export.ts';
import { operatorSchema } from '../../src/platform/operator.ts';
import { startPlatform, type RunningPlatform } from '../../src/platform/platform.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
let platform: RunningPlatform;

async function start(): Promise<void> {
  const { clock, random } = systemShell();
  platform = await startPlatform({
    ...{ stateFile: join(directory, 'platform.db'), operator: operatorSchema.parse({}), clock, random },
    ...{ port: 0, host: '127.0.0.1', control: false, log: () => undefined },
  });
  const profile = { baseUrl: platform.url, apiKeyFile: 'live.key' };
  rmSync(join(directory, 'live.key'), { force: true });
  writeFileSync(join(directory, 'live.key'), platform.apiKey, { mode: 0o600 });
  writeFileSync(
    join(directory, '.migraterc'),
    JSON.stringify({ team: 'MIGRATIONS', profile: 'live', profiles: { live: profile } }),
  );
}

beforeAll(async () => {
  await start();
  await generateExport({
    directory: join(directory, 'export'),
    accounts: 2,
    seed: 3,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
});
afterAll(async () => {
  await platform.close();
  space.dispose();
});

it('the book of an embedded platform is found after it was started again at another port', async () => {
  concluded(await ranHere(['run', 'export', '--yes', '--json'], directory), 'run', 0);
  const before = platform.url;
  await platform.close();
  await start();
  expect(platform.url).not.toBe(before);
  const status = await ranHere(['status', '--json'], directory);
  expect(summaryOf(status.stdout)).toMatchObject({ suppliers: [{ accounts: { completed: 2 } }] });
  const shown = await ranHere(['show', 'EXT-000001'], directory);
  expect(shown.stdout).toContain('completed');
  // Another address is another platform.
  const elsewhere = { baseUrl: 'https://platform.example.com', apiKeyFile: 'live.key' };
  writeFileSync(
    join(directory, '.migraterc'),
    JSON.stringify({ team: 'MIGRATIONS', profile: 'live', profiles: { live: elsewhere } }),
  );
  const other = await ranHere(['status', '--json'], directory);
  expect(summaryOf(other.stdout)).toMatchObject({ suppliers: [] });
});
