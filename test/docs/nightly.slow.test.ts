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

it('has a script that tells a good night from a bad one by its summary', () => {
  const [, script = ''] = /^```sh night-was-good\n(.*?)^```/ms.exec(guide) ?? [];
  writeFileSync(join(space.directory, 'night-was-good'), script);
  const isGood = (exit: number, stopReason: string | null, workLeft: boolean): boolean => {
    const fixed = { type: 'summary', version: 1, command: 'run', exit };
    const summary = { ...fixed, suppliers: ['S'], stopReason, workLeft };
    writeFileSync(join(space.directory, 'night.ndjson'), `{"type":"account"}\n${JSON.stringify(summary)}\n`);
    return spawnSync('sh', ['night-was-good'], { cwd: space.directory }).status === 0;
  };
  expect(isGood(0, null, false)).toBe(true);
  expect(isGood(6, 'hours', true)).toBe(true);
  expect(isGood(8, 'hours', true)).toBe(true);
  expect(isGood(8, null, false)).toBe(false);
  expect(isGood(6, 'same-refusal', true)).toBe(false);
  expect(isGood(6, 'max-failures', true)).toBe(false);
  expect(isGood(8, 'same-refusal', true)).toBe(false);
  expect(isGood(5, 'unavailable', true)).toBe(false);
  expect(isGood(2, 'not-begun', true)).toBe(false);
});
