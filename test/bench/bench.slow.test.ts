import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { project, workspace } from '../cli/tool.ts';
import { hasPostgres } from '../postgres/start-postgres.ts';

const result = z.object({
  rows: z.array(
    z.object({ bench: z.string(), measure: z.string(), ours: z.number().positive(), isReached: z.boolean() }),
  ),
});

const path = `${process.env['PATH']}:/usr/sbin`;
const hasNginx = spawnSync('nginx', ['-v'], { env: { PATH: path } }).error === undefined;
const only = (name: string) => (name === 'gateways' ? ['--only', 'nginx, 50/s, burst 5, 429, 5'] : []);

let place: ReturnType<typeof workspace>;
beforeEach(() => (place = workspace()));
afterEach(() => place.dispose());

// A benchmark ends with an error where an account was not driven to its end, or with the wrong number of requests.
test.each([
  ...(hasNginx ? ['gateways'] : []),
  'throughput',
  'floor',
  'guarantee',
  'fetch',
  'start-up',
  'status',
  'finished',
  'changes',
  'reading',
  'sources',
  'growth',
  'growth-all',
  'latency',
  'read-back',
  ...(hasPostgres ? ['engines', 'status-postgres'] : []),
])('the benchmark %s does its work, however long it takes', (name) => {
  const file = join(place.directory, 'figures.json');
  const args = [
    project('test/bench/run.js'),
    name,
    '--accounts',
    '20',
    '--pairs',
    '1',
    '--json',
    file,
    ...only(name),
  ];
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  const { rows } = result.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(rows.length).toBeGreaterThan(0);
  for (const { bench, measure } of rows) {
    expect(bench).toBe(name);
    expect(run.stdout).toContain(measure);
  }
});
