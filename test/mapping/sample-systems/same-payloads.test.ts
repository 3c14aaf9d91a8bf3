import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { stringifyJson } from '../../../src/domain/json.ts';
import { extraStepNames } from '../../../src/domain/steps.ts';
import { dumpExport } from './dump-export.ts';
import { legacyExport } from './legacy-export.ts';
import { plansOf } from './plans-of.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

/** What is sent of each account, as it is sent. */
async function bytesOf(path: string, mapping?: string): Promise<string[]> {
  const { plans, told, faults } = await plansOf(
    join(fixtures, path),
    mapping === undefined ? undefined : join(fixtures, mapping),
  );
  expect([told, faults]).toEqual(['', 0]);
  return plans.map(({ key, payload, extras, problems }) => {
    expect(problems).toEqual([]);
    return stringifyJson([{ ...key }, payload, ...extraStepNames.map((step) => [...extras[step]])]);
  });
}

test.each([
  ['flat', undefined],
  ['legacy/export', 'legacy/mapping.yaml'],
  ['dump/export', 'dump/mapping.yaml'],
])(
  'fixtures/%s is mapped to the same payloads as fixtures/interface, byte for byte',
  async (path, mapping) => {
    const expected = await bytesOf('interface');
    expect(expected).toHaveLength(50);
    const mapped = await bytesOf(path, mapping);
    expect(mapped).toHaveLength(50);
    for (const [at, bytes] of mapped.entries()) expect(bytes).toBe(expected[at]);
  },
);

test.each([
  ['legacy/export', legacyExport],
  ['dump', dumpExport],
])(
  'fixtures/%s is what the accounts become in that system (UPDATE_FIXTURES=1 writes it)',
  (path, written) => {
    const directory = join(fixtures, path);
    const files = written();
    const there = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.yaml'))
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
    if (process.env['UPDATE_FIXTURES'] !== undefined) {
      for (const name of there) rmSync(join(directory, name));
      for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes);
      return;
    }
    expect(there.sort()).toEqual([...files.keys()].sort());
    for (const [name, bytes] of files)
      expect(unpacked(name, readFileSync(join(directory, name)))).toBe(unpacked(name, bytes));
  },
);

/** Releases of zlib compress the same bytes differently. */
function unpacked(name: string, bytes: Buffer): string {
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
}
