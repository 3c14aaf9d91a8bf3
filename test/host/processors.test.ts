import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { processors } from '../../src/host/processors.ts';

const found = (files: Readonly<Record<string, string>>) => processors((path) => files[path]);
const all = availableParallelism();

test.each([
  ['nothing', {}, all],
  ['no limit', { '/sys/fs/cgroup/cpu.max': 'max 100000\n' }, all],
  ['half a processor', { '/sys/fs/cgroup/cpu.max': '50000 100000\n' }, 1],
  ['one and a half', { '/sys/fs/cgroup/cpu.max': '150000 100000\n' }, 1],
  ['more than the machine has', { '/sys/fs/cgroup/cpu.max': '99900000 100000\n' }, all],
  [
    'one, as an older kernel has it',
    { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '100000\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' },
    1,
  ],
  [
    'no limit, as an older kernel has it',
    { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' },
    all,
  ],
  ['what nobody knows', { '/sys/fs/cgroup/cpu.max': '\n' }, all],
])('a container that is given %s', (_, files, expected) => {
  expect(found(files)).toBe(expected);
});
