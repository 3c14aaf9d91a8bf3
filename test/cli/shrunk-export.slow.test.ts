import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
const path = (name: string): string => join(directory, name);

beforeAll(async () => {
  for (const [name, supplier, seed] of [
    ['whole', 'TENTACLE_ENERGY', 3],
    ['other', 'OTHER_ENERGY', 9],
  ] as const)
    await generateExport({ directory: path(name), accounts: 20, seed, shape: 'interface', supplier });
  // Another book has other account numbers.
  for (const file of ['accounts', 'notes', 'transactions'])
    writeFileSync(
      path(`other/${file}.ndjson`),
      readFileSync(path(`other/${file}.ndjson`), 'utf8')
        .replaceAll('EXT-', 'OTH-')
        .split('\n')
        .slice(0, 6)
        .join('\n'),
    );
});
beforeEach(() => {
  rmSync(path('.migrate'), { recursive: true, force: true });
  rmSync(path('export'), { recursive: true, force: true });
  cpSync(path('whole'), path('export'), { recursive: true });
});
afterAll(() => space.dispose());

const night = (...flags: string[]) =>
  ranHere(['run', 'export', '--limit', '1', '--json', ...flags], directory, {
    env: { PATH: process.env['PATH'], MIGRATE_NOTIFY_COMMAND: `cat >${path('told.json')}` },
  });
/** Keeps the first accounts. */
function cut(file: string, rows: number): void {
  const text = readFileSync(path(`whole/${file}.ndjson`), 'utf8');
  writeFileSync(path(`export/${file}.ndjson`), text.split('\n').slice(0, rows).join('\n') + '\n');
}

describe('an export that shrank since the last run', () => {
  it('is not that of another supplier, whose accounts have the same numbers', async () => {
    await night('--yes', '--supplier', 'TENTACLE_ENERGY');
    for (const file of readdirSync(path('whole')).filter((name) => name.endsWith('.ndjson'))) {
      const rows = readFileSync(path(`whole/${file}`), 'utf8')
        .replaceAll('TENTACLE_', 'OTHER_')
        .split('\n');
      const isOfFew = (row: string): boolean => /"EXT-00000\d"/.test(row);
      writeFileSync(path(`export/${file}`), rows.filter(isOfFew).join('\n'));
    }
    const ended = await night('--yes', '--supplier', 'OTHER_ENERGY');
    expect(concluded(ended, 'run', 6)).toMatchObject({ stopReason: 'limit' });
    expect(ended.stderr).not.toContain('Different from');
  });

  it('stops an unattended run before the first request, and says which files lost how much', async () => {
    await night('--yes');
    cut('accounts', 12);
    const ended = await night('--yes', '--metrics-file', 'night.prom');
    expect(concluded(ended, 'run', 2)).toMatchObject({
      stopReason: 'export-shrank',
      requests: 0,
      workLeft: true,
    });
    expect(ended.stderr).toContain('Different from run 1');
    expect(ended.stderr).toContain('accounts.ndjson: 12 rows (20 before)');
    expect(ended.stdout).toContain('--accept-shrinkage');
    expect(JSON.parse(readFileSync(path('told.json'), 'utf8'))).toMatchObject({
      event: 'failure',
      stopped: 'export-shrank',
    });
    expect(readFileSync(path('night.prom'), 'utf8')).toContain(
      'migrate_run_stopped{reason="export-shrank"} 1',
    );
    const history = await ranHere(['history'], directory);
    expect(history.stdout).toContain('fewer rows than before');
  });

  it('counts rows of other accounts as lost: a file may be that of another supplier', async () => {
    await night('--yes');
    const text = readFileSync(path('whole/notes.ndjson'), 'utf8');
    writeFileSync(path('export/notes.ndjson'), text.replaceAll('EXT-', 'OTH-'));
    const ended = await night('--yes');
    expect(concluded(ended, 'run', 2)).toMatchObject({ stopReason: 'export-shrank', requests: 0 });
    expect(ended.stdout).toMatch(
      /notes\.ndjson has 0 of \d+ rows that belong to its accounts \(-100 %\)\. It has rows of other accounts: it may be the file of another supplier/,
    );
    const { stdout } = await ranHere(['morning'], directory);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('it may be the file of another supplier');
    cpSync(path('whole'), path('export'), { recursive: true });
    concluded(await night('--yes'), 'run', 6);
  });

  it('is refused again the next night, until it is accepted once', async () => {
    await night('--yes');
    cut('accounts', 12);
    await night('--yes');
    concluded(await night('--yes'), 'run', 2);
    concluded(await night('--yes', '--accept-shrinkage'), 'run', 6);
    concluded(await night('--yes'), 'run', 6);
  });

  it('is taken where it lost no more than maxShrinkage', async () => {
    await night('--yes');
    cut('accounts', 12);
    writeFileSync(path('.migraterc'), 'maxShrinkage: 70%\n');
    concluded(await night('--yes'), 'run', 6);
    rmSync(path('.migraterc'));
  });

  it('is only warned of where somebody may be there', async () => {
    await night('--yes');
    cut('accounts', 12);
    const ended = await night();
    concluded(ended, 'run', 6);
    expect(ended.stderr).toContain('warning: the export has shrunk');
  });

  it('is told as the export of an earlier run where it is that one', async () => {
    await night('--yes');
    cut('accounts', 19);
    await night('--yes', '--accept-shrinkage');
    cpSync(path('whole'), path('export'), { recursive: true });
    expect((await night('--yes')).stderr).toContain('byte for byte the one of run 1');
  });

  it('is not confused with the export of another supplier in its place', async () => {
    await night('--yes');
    cpSync(path('other'), path('export'), { recursive: true });
    const ended = await night('--yes');
    expect(ended.stderr).not.toContain('Different from run 1');
    expect(concluded(ended, 'run', 6)).toMatchObject({ stopReason: 'limit' });
  });
});

describe('an export without an account of the supplier that the run names', () => {
  const own = ['--yes', '--supplier', 'TENTACLE_ENERGY'];

  it('is refused every night, and its accounts become no part of any book', async () => {
    await night(...own);
    rmSync(path('export'), { recursive: true });
    cpSync(path('other'), path('export'), { recursive: true });
    for (const _night of ['one', 'two'])
      expect(concluded(await night(...own), 'run', 2)).toMatchObject({
        workLeft: true,
        accounts: { total: 20, completed: 1, pending: 19 },
      });
    expect((await ranHere(['status'], directory)).stdout).not.toContain('OTHER_ENERGY on');
  });

  it('says nothing of the accounts that it has, where another supplier is named', async () => {
    await night(...own);
    concluded(await ranHere(['run', 'export', '--json', '--supplier', 'OTHER_ENERGY'], directory), 'run', 2);
    expect((await ranHere(['list', '--gone'], directory)).stdout).toContain('0 accounts');
    expect(concluded(await night(...own), 'run', 6)).toMatchObject({ accounts: { total: 20 } });
  });

  it('leaves the accounts of the other supplier in their own export', async () => {
    await ranHere(['run', 'other', '--limit', '1', '--supplier', 'OTHER_ENERGY'], directory);
    await night(...own);
    rmSync(path('export'), { recursive: true });
    cpSync(path('other'), path('export'), { recursive: true });
    concluded(await night(...own), 'run', 2);
    rmSync(path('export'), { recursive: true });
    cpSync(path('whole'), path('export'), { recursive: true });
    concluded(await night(...own), 'run', 6);
    expect((await ranHere(['list', '--gone'], directory)).stdout).toContain('0 accounts');
  });
});
