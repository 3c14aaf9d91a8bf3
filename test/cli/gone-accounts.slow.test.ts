import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
const path = (name: string): string => join(directory, name);
const migrate = (...args: readonly string[]) => ranHere([...args, '--json'], directory);
const morning = async () => summaryOf((await migrate('morning')).stdout);
let files: readonly string[] = [];
let whole: readonly (readonly string[])[] = [];

beforeAll(async () => {
  await generateExport({
    ...{ directory: path('export'), accounts: 8, seed: 3, shape: 'interface', supplier: 'TENTACLE_ENERGY' },
  });
  files = readdirSync(path('export'));
  whole = files.map((file) =>
    readFileSync(path(`export/${file}`), 'utf8')
      .trimEnd()
      .split('\n'),
  );
});
afterAll(() => space.dispose());

function keep(isKept: (row: string) => boolean): void {
  for (const [at, file] of files.entries())
    writeFileSync(path(`export/${file}`), `${(whole[at] ?? []).filter(isKept).join('\n')}\n`);
}

it('accounts that left the export before they were created are told until a person says why', async () => {
  concluded(await migrate('run', 'export', '--yes', '--limit', '2'), 'run', 6);
  keep((row) => !/EXT-00000[78]/.test(row));
  await migrate('run', 'export', '--yes', '--accept-shrinkage');
  expect(await morning()).toMatchObject({ good: false, reason: 'lost', lost: 2 });
  const { stdout } = await ranHere(['morning'], directory);
  expect(stdout).toContain('migrate resolve');
  const listed = (await migrate('list', '--gone')).stdout;
  expect(listed).toContain('EXT-000007');
  expect(listed).not.toContain('EXT-000006');

  // Only what is gone can be ruled so.
  concluded(await migrate('resolve', 'EXT-000001', '--as', 'gone'), 'resolve', 2);
  expect(concluded(await migrate('resolve', 'EXT-000007', '--as', 'gone'), 'resolve', 0)).toMatchObject({
    accounts: 1,
  });
  expect(await morning()).toMatchObject({ reason: 'lost', lost: 1 });
  expect(concluded(await migrate('resolve', '--as', 'gone'), 'resolve', 0)).toMatchObject({ accounts: 1 });
  expect(await morning()).toMatchObject({ good: true, lost: 0 });
  expect((await migrate('list', '--gone', '--state', 'pending')).stdout).not.toContain('EXT-000007');
  expect(concluded(await migrate('resolve', '--as', 'gone'), 'resolve', 0)).toMatchObject({ accounts: 0 });

  // In the export again, they are sent as any others.
  keep(() => true);
  const back = concluded(await migrate('run', 'export', '--yes'), 'run', 0);
  expect(back).toMatchObject({ accounts: { completed: 8, skipped: 0 } });
});
