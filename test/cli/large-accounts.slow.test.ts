import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { lines, summaryOf, tool, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

const created = '2023-12-03T13:12:37Z';
const body = 'The customer called about a reading. '.repeat(110);

/** Accounts with notes of so many bytes each. */
async function exported(accounts: number, noteBytes: (at: number) => number): Promise<void> {
  const made = join(directory, 'made');
  await generateExport({
    directory: made,
    accounts,
    seed: 7,
    supplier: 'TENTACLE_ENERGY',
    shape: 'interface',
  });
  const rows = readFileSync(join(made, 'accounts.ndjson'), 'utf8');
  mkdirSync(join(directory, 'export'));
  writeFileSync(join(directory, 'export/accounts.ndjson'), rows);
  const file = createWriteStream(join(directory, 'export/notes.ndjson'));
  for (const [at, row] of rows.trimEnd().split('\n').entries()) {
    const { import_supplier, external_account_number } = JSON.parse(row) as Record<string, string>;
    const notes = Array.from({ length: Math.ceil(noteBytes(at) / body.length) }, (_, index) => ({
      body: `${index}. ${body}`,
      created_at: created,
    }));
    const written = JSON.stringify({ import_supplier, external_account_number, notes });
    if (!file.write(`${written}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

describe('accounts with much data', () => {
  it('are all driven in the memory of a few of them', async () => {
    await exported(60, () => 1_300_000);
    const ran = await tool(['run', 'export', '--dry-run', '--json'], directory, {
      NODE_OPTIONS: '--max-old-space-size=96',
    });
    expect(ran.stderr).not.toContain('error');
    expect(ran.code).toBe(0);
    expect(summaryOf(ran.stdout)).toMatchObject({ wouldImport: 60 });
  });

  it('a reading thread without memory is reported as such, with the settings', async () => {
    await exported(4, (at) => (at === 2 ? 40_000_000 : 1_000));
    const ran = await tool(['run', 'export', '--dry-run'], directory, {
      NODE_OPTIONS: '--max-old-space-size=48',
    });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('memoryMb');
    expect(ran.stderr).toContain('--max-old-space-size');
    expect(ran.stderr).not.toContain('a bug');
  });
});

describe.each(['sorted', 'unsorted'] as const)('one account beyond the limit in a %s export', (order) => {
  beforeEach(async () => {
    await exported(4, (at) => (at === 2 ? 3_000_000 : 1_000));
    writeFileSync(join(directory, '.migraterc'), 'memoryMb: 2\n');
    if (order === 'sorted') return;
    const file = join(directory, 'export/accounts.ndjson');
    writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd().split('\n').reverse().join('\n')}\n`);
  });

  const named = {
    type: 'problem',
    code: 'account_too_large',
    account: 'EXT-000003',
    file: 'notes.ndjson',
    line: 3,
  };

  it('is named by the check, with its file and line, and is the only one', async () => {
    const checked = await tool(['validate', 'export', '--json'], directory);
    expect(checked.code).toBe(3);
    expect(lines(checked.stdout).filter(({ type }) => type === 'problem')).toEqual([
      expect.objectContaining(named),
    ]);
  });

  it('is refused by a run, which migrates the others', async () => {
    const ran = await tool(['run', 'export', '--json'], directory);
    expect(lines(ran.stdout)).toContainEqual(expect.objectContaining(named));
    expect(summaryOf(ran.stdout)).toMatchObject({ accounts: { completed: 3, rejected: 1 } });
  });
});
