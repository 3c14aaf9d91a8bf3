import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bin, lines, project, tool, workspace } from '../cli/tool.ts';

const guide = readFileSync(project('docs/journal.md'), 'utf8');

it('the commands of the guide to the journal go, one after the other', async () => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const { directory } = space;
  await tool(['generate', 'book', '--accounts', '20', '--seed', '7'], directory);
  await tool(['run', 'book', '--limit', '10', '--quiet'], directory);
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(1);
  const script = ['set -e', `migrate() { "${process.execPath}" "${bin}" "$@"; }`, ...blocks].join('\n');
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: directory, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const records = lines(readFileSync(join(directory, 'journal.ndjson'), 'utf8'));
  expect(records.filter(({ type }) => type === 'account').length).toBeGreaterThanOrEqual(10);
  const resumed = await tool(['run', 'book', '--quiet'], directory);
  expect(resumed.code).toBe(0);
}, 300_000);
