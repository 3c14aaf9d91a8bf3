import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { lines, project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const faulty = project('fixtures/faulty/export');

describe('--quiet', () => {
  it('prints nothing of a success, and of a failure what is wrong', async () => {
    const { directory } = space;
    const silent = { code: 0, stdout: '', stderr: '' };
    const sample = project('fixtures/interface');
    expect(await ranHere(['validate', sample, '--quiet'], directory)).toEqual(silent);
    expect(await ranHere(['run', sample, '--limit', '50', '--quiet'], directory)).toEqual(silent);
    expect((await ranHere(['status', '--quiet'], directory)).stdout).toMatch(/^ +completed +50 /m);

    const failed = await ranHere(['validate', faulty, '--quiet'], directory);
    expect(failed.stdout).toMatch(/^Problems \(20 of[^]*valid, \d+ invalid/);
    expect(failed.code).toBe(3);
  });

  it('prints the warnings of a success', async () => {
    const { directory } = space;
    const accounts = readFileSync(project('fixtures/interface/accounts.ndjson'), 'utf8');
    mkdirSync(join(directory, 'export'));
    writeFileSync(join(directory, 'export/accounts.ndjson'), accounts.replaceAll('"ELECTRICITY"', '"STEAM"'));
    for (const command of ['validate', 'run']) {
      const warned = await ranHere([command, 'export', '--quiet'], directory);
      expect(warned.code).toBe(0);
      expect(warned.stdout).toMatch(/unknown_value \(warning\)/);
    }
  });
});

describe('--problems', () => {
  it('writes every problem that the text shows in part', async () => {
    const { directory } = space;
    const ended = await ranHere(['validate', faulty, '--problems', 'all.ndjson', '--json'], directory);
    expect(ended.code).toBe(3);
    const printed = lines(ended.stdout).filter(({ type }) => type === 'problem');
    expect(lines(readFileSync(join(directory, 'all.ndjson'), 'utf8'))).toEqual(printed);
    expect(printed).toHaveLength(Number(summaryOf(ended.stdout)['problems']));

    const told = await ranHere(['validate', faulty, '--problems', 'all.csv'], directory);
    expect(told.stdout).toMatch(/Problems \(20 of \d+; all in all\.csv\)/);
    expect((await ranHere(['validate', faulty], directory)).stdout).toContain('--problems FILE lists all');
  });

  it('has what the cells hold on request, and nowhere else', async () => {
    const { directory } = space;
    const ended = await ranHere(
      ['validate', faulty, '--problems', 'all.ndjson', '--rejects', 'rejected', '--values', '--json'],
      directory,
    );
    const bad = lines(readFileSync(join(directory, 'all.ndjson'), 'utf8')).filter(
      ({ code }) => code === 'invalid_boolean',
    );
    expect(bad.map(({ value }) => value)).toEqual(['yes']);
    expect(ended.stdout).not.toContain('"value":');
    const rows = readFileSync(join(directory, 'rejected', 'customers.csv'), 'utf8');
    expect(rows).toMatch(/invalid_boolean at customers\.csv:\d+:unable_to_read_meters \(yes\)/);
    await ranHere(['validate', faulty, '--problems', 'plain.csv'], directory);
    expect(readFileSync(join(directory, 'plain.csv'), 'utf8')).toMatch(
      /^account,.*,file,line,column,sheet,cell\n/,
    );
  });

  it('has the text of a cell that cannot be converted, and else the value in the payload', async () => {
    const { directory } = space;
    const mapping = `version: 1
tables: { accounts: { file: K.csv, key: NR } }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  transfer_balance: BALANCE
  account_type: { column: KIND, codes: { P: HOME } }
`;
    writeFileSync(join(directory, 'mapping.yaml'), mapping);
    writeFileSync(join(directory, 'K.csv'), 'NR,BALANCE,KIND\nA1,"1,10",P\n');
    const args = ['--mapping', 'mapping.yaml', '--problems', 'p.ndjson', '--values'];
    await ranHere(['validate', 'K.csv', ...args], directory);
    const problems = lines(readFileSync(join(directory, 'p.ndjson'), 'utf8'));
    expect(problems.map(({ column, value }) => [column, value])).toEqual([
      ['BALANCE', '1,10'],
      ['KIND', 'HOME'],
    ]);
  });

  it('refuses a place that cannot be written before anything is read, and leaves nothing when reading fails', async () => {
    const { directory } = space;
    const refused = await ranHere(['run', faulty, '--problems', 'all.txt'], directory);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--problems')]);
    expect((await ranHere(['validate', 'nowhere', '--problems', 'all.csv'], directory)).code).toBe(2);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('a row that cannot be read', () => {
  const problems = async (...args: string[]) => {
    const ended = await ranHere(['validate', ...args, '--json'], space.directory);
    return lines(ended.stdout)
      .filter(({ type, severity }) => type === 'problem' && severity === 'error')
      .map(({ code, file, line, detail }) => [code, `${String(file)}:${String(line)}`, detail]);
  };

  it.each(['ledgers.csv', 'supply_addresses.csv'])('of %s makes none of its children wrong', async (name) => {
    const { directory } = space;
    cpSync(project('fixtures/flat'), join(directory, 'flat'), { recursive: true });
    const file = join(directory, 'flat', name);
    const [header = '', first = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [header, `${first},more`, ...rest].join('\n'));
    expect(await problems('flat')).toEqual([['wrong_number_of_cells', `${name}:2`, expect.anything()]]);
  });

  it('is what the rows may belong to that find no row of its table', async () => {
    const { directory } = space;
    const files = {
      'export/A.csv': 'ID\n1\n2\n',
      'export/METERS.csv': 'METER,ID,NOTE\nM1,1,\nM2,2,,\n',
      'export/N.csv': 'METER,TEXT\nM1,one\nM2,two\n',
      'm.yaml': `version: 1
tables:
  accounts: { file: A.csv, key: ID }
  meters: { file: METERS.csv, key: ID }
  notes: { file: N.csv, key: METER, via: meters }
account:
  import_supplier: { constant: S }
notes: { from: notes, each: { body: TEXT } }
`,
    };
    mkdirSync(join(directory, 'export'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    expect(await problems('export', '--mapping', 'm.yaml')).toEqual([
      [
        'orphan_row',
        'N.csv:3',
        'The row of METERS.csv to which this row belongs may be one that cannot be read. Correct those first.',
      ],
      ['wrong_number_of_cells', 'METERS.csv:3', expect.anything()],
    ]);
  });
});
