import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
const path = (name: string): string => join(directory, name);
const lines = (name: string): string[] => readFileSync(path(name), 'utf8').trimEnd().split('\n');
const write = (file: string, rows: readonly string[]): void =>
  writeFileSync(path(`export/${file}`), `${rows.join('\n')}\n`);
const words = (text: string): string => text.replaceAll(/\s+/g, ' ');
/** The accounts that are sent first. */
const isSent = (row: string): boolean => /"EXT-0000(0\d|1\d|20)"/.test(row);

beforeAll(async () => {
  const shape = { accounts: 40, shape: 'interface', supplier: 'TENTACLE_ENERGY' } as const;
  await generateExport({ directory: path('whole'), seed: 3, ...shape });
  await generateExport({ directory: path('other'), seed: 9, ...shape });
});
beforeEach(async () => {
  rmSync(path('.migrate'), { recursive: true, force: true });
  rmSync(path('export'), { recursive: true, force: true });
  cpSync(path('whole'), path('export'), { recursive: true });
  concluded(await night('--limit', '20'), 'run', 6);
});
afterAll(() => space.dispose());

const night = (...flags: string[]) => ranHere(['run', 'export', '--yes', '--json', ...flags], directory);

/** A row with these notes for each account. */
const notesOfAll = (...bodies: readonly string[]): string[] =>
  lines('whole/accounts.ndjson').map((row) => {
    const [, account] = /"external_account_number":"(EXT-\d+)"/.exec(row) ?? [];
    const notes = bodies.map((body) => ({ created_at: '2026-01-02T03:04:05Z', body }));
    return JSON.stringify({ external_account_number: account, import_supplier: 'TENTACLE_ENERGY', notes });
  });

describe('accounts that were sent and have other data', () => {
  it('stop an unattended run before its first request, where a file is that of another supplier', async () => {
    // The numbers of the accounts are the same.
    cpSync(path('other/notes.ndjson'), path('export/notes.ndjson'));
    const ended = await night('--accept-shrinkage');
    expect(concluded(ended, 'run', 2)).toMatchObject({ stopReason: 'export-changed', requests: 0 });
    expect(words(ended.stdout)).toMatch(/\d+ of 20 that were compared, in .*notes/);
    const { code, stdout } = await ranHere(['morning'], directory);
    expect(code).toBe(2);
    expect(words(stdout)).toContain('run once with --accept-changes');

    cpSync(path('whole/notes.ndjson'), path('export/notes.ndjson'));
    concluded(await night('--limit', '1'), 'run', 6);
  });

  it('name the column, whatever the order of the rows and whether all accounts are mapped', async () => {
    const shifted = lines('whole/accounts.ndjson').map((row) =>
      row.replace(/"postal_code":"[^"]*"/g, '"postal_code":"AB1 2CD"'),
    );
    for (const flags of [[], ['--problems', 'problems.csv', '--force']]) {
      write('accounts.ndjson', shifted);
      expect(words((await night(...flags)).stdout)).toMatch(/accounts\.ndjson \S*postal_code \(\d+\)/);
      write('accounts.ndjson', shifted.toReversed());
      expect(words((await night(...flags)).stdout)).toMatch(/accounts\.ndjson \S*postal_code \(\d+\)/);
    }
    concluded(await night('--accept-changes', '--limit', '1'), 'run', 6);
  });

  it('are none where only accounts changed that are still to be sent', async () => {
    const rows = lines('whole/accounts.ndjson').map((row) =>
      isSent(row) ? row : row.replace(/"postal_code":"[^"]*"/g, '"postal_code":"AB1 2CD"'),
    );
    write('accounts.ndjson', rows);
    concluded(await night('--limit', '1'), 'run', 6);
  });

  it('are none where records were added to all of them', async () => {
    const added = notesOfAll('Called about the meter.');
    write('notes.ndjson', [...lines('whole/notes.ndjson'), ...added]);
    const ended = await night('--limit', '1');
    expect(ended.stdout).not.toContain('export-changed');
    concluded(ended, 'run', 6);
  });

  it('are none where a record left all of them, or the text of one changed', async () => {
    write('notes.ndjson', notesOfAll('Called.', 'Moved in.', 'Wrote.'));
    concluded(await night('--accept-changes', '--accept-shrinkage'), 'run', 0);
    write('notes.ndjson', notesOfAll('Moved in.', 'Wrote twice.', 'Paid.'));
    const ended = await night();
    expect(ended.stdout).not.toContain('export-changed');
    expect(concluded(ended, 'run', 0)).toMatchObject({ accounts: { completed: 40 } });
  });

  it('are told once where all that was sent of a step has left', async () => {
    write('notes.ndjson', notesOfAll('January.'));
    concluded(await night('--accept-changes', '--accept-shrinkage'), 'run', 0);
    write('notes.ndjson', notesOfAll('February.'));
    expect(concluded(await night(), 'run', 2)).toMatchObject({ stopReason: 'export-changed' });
    concluded(await night('--accept-changes'), 'run', 0);
    write('notes.ndjson', notesOfAll('March.'));
    concluded(await night(), 'run', 0);
  });

  it('stop it after a dry run, and after an attended run, of the same files', async () => {
    cpSync(path('other/notes.ndjson'), path('export/notes.ndjson'));
    await night('--dry-run');
    expect(concluded(await night('--accept-shrinkage'), 'run', 2)).toMatchObject({
      stopReason: 'export-changed',
    });
    await ranHere(['run', 'export', '--json', '--limit', '1'], directory);
    expect(concluded(await night('--accept-shrinkage'), 'run', 2)).toMatchObject({
      stopReason: 'export-changed',
    });
  });

  it('are not compared with --with, which is told', async () => {
    cpSync(path('whole'), path('fix'), { recursive: true });
    const { stderr } = await night('--with', 'fix', '--limit', '1');
    expect(words(stderr)).toContain('not compared with the export: --with is given.');
  });
});
