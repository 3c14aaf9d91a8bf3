import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lines, project, tool, workspace } from '../cli/tool.ts';

const guide = readFileSync(project('docs/guarantees.md'), 'utf8');
const chapter = guide.split(/^## /m).find((text) => text.startsWith('See for yourself\n')) ?? '';

it('the demonstration of the guarantees goes as its page says', async () => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const { directory } = space;
  // As a checkout has them.
  for (const name of ['bin', 'node_modules']) symlinkSync(project(name), join(directory, name));
  const sh = (command: string) => spawnSync('sh', ['-c', command], { cwd: directory, encoding: 'utf8' });

  for (const [, file = '', text = ''] of chapter.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms))
    writeFileSync(join(directory, file), text);
  const killed = sh('. ./kill.sh');
  expect({ status: killed.status, said: killed.stderr }).toMatchObject({ status: 0 });
  expect(killed.stdout).toContain('They match');
  const { stdout } = await tool(['history', '--json'], directory);
  expect(lines(stdout).filter(({ type }) => type === 'run')).toHaveLength(11);

  const [, shown = ''] = /^```console\n(.*?)^```$/ms.exec(chapter) ?? [];
  for (const [, command = '', printed = ''] of shown.matchAll(/^\$ (.*)\n((?:[^$].*\n)*)/gm))
    expect(sh(command)).toMatchObject({ status: 0, stdout: printed });
  expect(new Set(shown.match(/^\d.*$/gm)).size).toBe(1);
}, 600_000);
