import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeMetrics } from '../../src/telemetry/metrics-outlet.ts';
import { RunMetrics } from '../../src/telemetry/run-metrics.ts';

const directory = mkdtempSync(join(tmpdir(), 'metrics-'));
afterAll(() => rmSync(directory, { recursive: true }));
const place = (name: string): string => join(directory, name);

it('metrics are written to what a link leads to, and the link stays', async () => {
  writeFileSync(place('target.prom'), 'x'.repeat(100_000));
  symlinkSync('target.prom', place('link.prom'));
  expect(
    await writeMetrics(
      new RunMetrics({
        place: { platform: 'https://platform.example', profile: null, rehearsal: false },
        now: () => 0,
        standing: () => Promise.resolve(undefined),
      }),
      place('link.prom'),
    ),
  ).toBeUndefined();
  expect(readFileSync(place('target.prom'), 'utf8')).toMatch(/^# HELP (?!.*xxx)/s);
  expect(lstatSync(place('link.prom')).isSymbolicLink()).toBe(true);
  expect(readdirSync(directory).sort()).toEqual(['link.prom', 'target.prom']);
});
