import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { lines, project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

/** An export of two tables whose mapping has constants. */
function writeExport(): string[] {
  const { directory } = space;
  mkdirSync(join(directory, 'export'));
  writeFileSync(join(directory, 'export/ACCOUNTS.csv'), 'ID,NAME,ZIP\n1,Ann,0800\n2,Bob,0810\n');
  writeFileSync(join(directory, 'export/NOTES.csv'), 'ID,TEXT\n2,"two\nlines"\n1,other\n2,last\n');
  writeFileSync(
    join(directory, 'mapping.yaml'),
    `version: 1
tables:
  accounts: { file: ACCOUNTS.csv, key: ID }
  notes: { file: NOTES.csv, key: ID }
account:
  billing_address:
    postal_code: ZIP
    country: { constant: AU }
  customers: [{ given_name: NAME }]
notes: { from: notes, each: { body: TEXT } }
`,
  );
  return ['explain', 'export', '2', '--mapping', 'mapping.yaml', '--supplier', 'TENTACLE_ENERGY'];
}

describe('explain', () => {
  it('suggests the account whose number is written otherwise, each time', async () => {
    const args = writeExport();
    writeFileSync(join(space.directory, 'export/ACCOUNTS.csv'), 'ID,NAME,ZIP\n0001-A,Ann,0800\n2,Bob,0810\n');
    const asked = (account: string): string[] => [...args.slice(0, 2), account, ...args.slice(3)];
    for (const account of ['1A', '1A', ' 01 a'])
      expect(await ranHere(asked(account), space.directory)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          `The export has no account ${account}. Did you mean 0001-A?`,
        ) as string,
      });
    const { stderr } = await ranHere(asked('3'), space.directory);
    expect(stderr).toContain('The export has no account 3. Write its number as in the export');
  });

  it('suggests the number that the key of the mapping makes of one as it is in the file', async () => {
    const args = writeExport();
    const mapping = join(space.directory, 'mapping.yaml');
    const changed = readFileSync(mapping, 'utf8').replace(
      'key: ID',
      () => String.raw`key: { of: ID, match: '\d+$' }`,
    );
    writeFileSync(mapping, changed);
    writeFileSync(
      join(space.directory, 'export/ACCOUNTS.csv'),
      'ID,NAME,ZIP\nPL3-0001,Ann,0800\nPL3-2,Bob,0810\n',
    );
    for (const _ of ['read', 'known']) {
      const { code, stderr } = await ranHere(
        [...args.slice(0, 2), 'PL3-0001', ...args.slice(3)],
        space.directory,
      );
      expect(code).toBe(2);
      expect(stderr).toContain('The export has no account PL3-0001. Did you mean 0001?');
    }
  });

  it('keeps what it read for the owner alone', async () => {
    await ranHere(writeExport(), space.directory);
    const modeOf = (path: string): number => statSync(join(space.directory, path)).mode & 0o777;
    expect(modeOf('.migrate')).toBe(0o700);
    expect(modeOf('.migrate/explained.json')).toBe(0o600);
  });

  it('gives each value of each payload with the cell that it came from', async () => {
    const { code, stdout } = await ranHere([...writeExport(), '--json'], space.directory);
    expect(code).toBe(0);
    const value = (step: string, path: string, said: string, file: string | null, line = 0, column = '') => ({
      type: 'value',
      step,
      request: 0,
      path,
      value: said,
      file,
      line: file === null ? null : line,
      column: file === null ? null : column,
    });
    const values = lines(stdout).filter(({ type }) => type === 'value');
    expect(values).toEqual([
      value('stage', 'billing_address.postal_code', '0810', 'ACCOUNTS.csv', 3, 'ZIP'),
      value('stage', 'billing_address.country', 'AU', 'mapping.yaml', 8, 'account.billing_address.country'),
      value('stage', 'customers.0.given_name', 'Bob', 'ACCOUNTS.csv', 3, 'NAME'),
      value('stage', 'import_supplier', 'TENTACLE_ENERGY', null),
      value('stage', 'external_account_number', '2', 'ACCOUNTS.csv', 3, 'ID'),
      value('notes', 'import_supplier', 'TENTACLE_ENERGY', null),
      value('notes', 'external_account_number', '2', 'ACCOUNTS.csv', 3, 'ID'),
      value('notes', 'notes.0.body', 'two\nlines', 'NOTES.csv', 2, 'TEXT'),
      value('notes', 'notes.1.body', 'last', 'NOTES.csv', 5, 'TEXT'),
    ]);
    expect(summaryOf(stdout)).toMatchObject({ command: 'explain', account: '2', values: 9 });
  });

  it('shows people the payloads as they will be sent, and what is wrong with them', async () => {
    const { stdout } = await ranHere(writeExport(), space.directory);
    expect(stdout).toMatch(/^ {4}postal_code: "0810" +ACCOUNTS\.csv:3:ZIP$/m);
    expect(stdout).toMatch(/^ {6}body: "two\\nlines" +NOTES\.csv:2:TEXT$/m);
    expect(stdout).toContain('customer_family_name_required');
    expect(stdout).not.toContain('Ann');
  });

  it('shows a changed mapping and a changed export at once', async () => {
    const args = [...writeExport(), '--json'];
    const bodies = async (): Promise<unknown[]> => {
      const { stdout } = await ranHere(args, space.directory);
      return lines(stdout).flatMap(({ step, path, value }) =>
        step === 'notes' && String(path).startsWith('notes.') ? [value] : [],
      );
    };
    expect(await bodies()).toEqual(['two\nlines', 'last']);
    expect(await bodies()).toEqual(['two\nlines', 'last']);
    const mapping = join(space.directory, 'mapping.yaml');
    writeFileSync(
      mapping,
      readFileSync(mapping, 'utf8').replace('body: TEXT', 'body: { column: TEXT, case: upper }'),
    );
    expect(await bodies()).toEqual(['TWO\nLINES', 'LAST']);
    writeFileSync(join(space.directory, 'export/NOTES.csv'), 'ID,TEXT\n2,new\n');
    expect(await bodies()).toEqual(['NEW']);
    expect(statSync(join(space.directory, '.migrate/explained.json')).mode & 0o77).toBe(0);
  });

  it('takes a single file under any name', async () => {
    const book = join(space.directory, 'mybook.jsonl');
    writeFileSync(book, '{"import_supplier":"X","external_account_number":"7","transfer_balance":1.50}\n');
    const { stdout } = await ranHere(['explain', book, '7', '--json'], space.directory);
    expect(lines(stdout)).toContainEqual(
      expect.objectContaining({ path: 'transfer_balance', value: 1.5, file: 'mybook.jsonl', line: 1 }),
    );
  });

  it('keeps every digit of a number when it is asked again', async () => {
    const book = join(space.directory, 'mybook.jsonl');
    const digits = '1234567890.1234567891';
    writeFileSync(
      book,
      `{"import_supplier":"X","external_account_number":"7","transfer_balance":${digits}}\n`,
    );
    const explained = async () => (await ranHere(['explain', book, '7', '--json'], space.directory)).stdout;
    const first = await explained();
    expect(first).toContain(`"value":${digits}`);
    expect(await explained()).toBe(first);
  });

  it('says where an account is not in the export', async () => {
    const args = ['explain', project('fixtures/interface'), '42', '--json'];
    const { code, stdout } = await ranHere(args, space.directory);
    expect(code).toBe(2);
    expect(summaryOf(stdout)).toMatchObject({ errors: [expect.stringContaining('no account 42')] });
  });
});
