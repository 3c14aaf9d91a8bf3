import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { commandLines, objectionTo } from '../cli/command-lines.ts';
import { project, workspace } from '../cli/tool.ts';

const guide = readFileSync(project('docs/nightly.md'), 'utf8');
const space = workspace();
afterAll(() => space.dispose());
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it('calls the tool with flags that it has, in crontab, unit and container', async () => {
  const [image = ''] = /account-migrate run .*/.exec(guide) ?? [];
  const lines = [...commandLines(guide), image.replace('account-migrate ', '')].filter((line) =>
    line.startsWith('run '),
  );
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(await objectionTo(line)).toBeUndefined();
});

it.skipIf(!hasSystemd)('has units that systemd takes', () => {
  const units = [...guide.matchAll(/^```ini (\S+)\n(.*?)^```/gms)].map(([, name = '', unit = '']) => {
    const file = join(space.directory, name);
    writeFileSync(file, unit.replace('/usr/local/bin/migrate', '/bin/true'));
    return file;
  });
  expect(units).toHaveLength(2);
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
});
