import Database from 'better-sqlite3';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Names from '../../src/domain/windows-name.ts';
import { zipOf } from '../source/workbook.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project } from './tool.ts';

vi.mock('../../src/domain/windows-name.ts', async (original) => {
  const { windowsNameFault } = await original<typeof Names>();
  return { windowsNameFault: (path: string) => windowsNameFault(path, 'win32') };
});

const contract = project('fixtures/faulty/contract.yaml');
const isDevice = 'a part of it is the name of a device on Windows, such as NUL, CON or COM1';

describe('what Windows would write elsewhere', () => {
  const sample = project('fixtures/interface');
  let cwd: string;
  beforeEach(() => {
    cwd = temporaryDirectory('windows-names-');
  });

  it.each([
    ['--problems', 'NUL.csv', ['validate', sample]],
    ['--rejects', 'aux', ['validate', sample]],
    ['--problems', 'con.ndjson', ['run', sample]],
    ['--rejects', 'com1', ['run', sample]],
    ['--log', 'logs/nul', ['run', sample]],
    ['--metrics-file', 'prn.prom', ['run', sample]],
    ['--out', 'NUL', ['plan', sample]],
    ['--out', 'NUL', ['contract schema', '--contract', contract]],
    ['--state', 'aux.db', ['serve']],
    ['--log', 'lpt1.ndjson', ['serve']],
  ] as const)('%s %s of %s is refused, and nothing is made', async (flag, name, [command, ...args]) => {
    const ended = await ranHere([...command.split(' '), ...args, flag, name, '--json'], cwd);
    refused(ended, command, 2, `${flag}: ${name} cannot be written: ${isDevice}. Name another place.`);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('a journal and a generated export are refused too', async () => {
    const journal = await ranHere(['run', sample, '--journal', 'nul/journal.db'], cwd);
    expect(journal).toMatchObject({ code: 2, stderr: expect.stringContaining(isDevice) as string });
    const generated = await ranHere(['generate', 'out?', '--accounts', '1', '--json'], cwd);
    refused(generated, 'generate', 2, '<dir>: out? cannot be written: a part of it has a character');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('outputs from a journal are refused', async () => {
    expect((await ranHere(['run', sample], cwd)).code).toBe(0);
    const before = readdirSync(cwd);
    for (const [flag, ...args] of [
      ['--out', 'report'],
      ['--out', 'numbers'],
      ['--csv', 'list'],
    ] as const) {
      const ended = await ranHere([...args, flag, 'report.', '--json'], cwd);
      refused(ended, args[0], 2, `${flag}: report. cannot be written: a part of it ends with a dot`);
    }
    const backup = await ranHere(['journal', 'backup', 'night:1.db', '--json'], cwd);
    refused(backup, 'journal', 2, 'a part of it has a character');
    const moved = await ranHere(['journal', 'move', '.migrate/journal.db', 'con.db', '--json'], cwd);
    refused(moved, 'journal', 2, isDevice);
    expect(readdirSync(cwd)).toEqual(before);
  });

  it('rejected rows of a file in an archive go to a workbook where its name is no name', async () => {
    writeFileSync(
      join(cwd, 'mapping.yaml'),
      `version: 1
tables: { accounts: { file: aux.csv, key: NR } }
account: { import_supplier: { constant: TENTACLE_ENERGY } }
`,
    );
    writeFileSync(join(cwd, 'book.zip'), await zipOf({ 'aux.csv': Buffer.from('NR\n1\n') }));
    const args = ['validate', 'book.zip', '--mapping', 'mapping.yaml', '--json', '--rejects'];
    refused(
      await ranHere([...args, 'rejects'], cwd),
      'validate',
      2,
      `--rejects: a copy of aux.csv cannot be written: ${isDevice}. Name a workbook: --rejects rejects.xlsx`,
    );
    expect(readdirSync(cwd)).toEqual(['book.zip', 'mapping.yaml']);
  });

  it('a table of a database has no file of its name in a snapshot', async () => {
    writeFileSync(
      join(cwd, 'mapping.yaml'),
      `version: 1
source: { driver: sqlite, file: old.db }
tables:
  accounts: { query: SELECT * FROM customer ORDER BY id, key: id }
  nul: { query: SELECT * FROM customer ORDER BY id, key: id }
account: { import_supplier: { constant: TENTACLE_ENERGY } }
`,
    );
    new Database(join(cwd, 'old.db')).exec('CREATE TABLE customer (id TEXT PRIMARY KEY)').close();
    const args = ['validate', '--mapping', 'mapping.yaml', '--json'];
    refused(await ranHere(args, cwd), 'validate', 2, 'the file of the table nul, cannot be written');
    refused(
      await ranHere([...args, '--snapshot', 'night:1'], cwd),
      'validate',
      2,
      '--snapshot: night:1 cannot be written: a part of it has a character',
    );
    expect(readdirSync(cwd)).toEqual(['mapping.yaml', 'old.db']);
  });
});
