import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const mapping = `version: 1
tables:
  accounts: { file: A.csv, key: ID }
lookups:
  kinds: { file: export/KINDS.csv, key: CODE, value: KIND }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { column: KIND, lookup: kinds }
`;

function write(files: Readonly<Record<string, string | Buffer>>): void {
  mkdirSync(join(space.directory, 'export'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(space.directory, name), content);
}

const checked = () => ranHere(['validate', 'export', '--mapping', 'mapping.yaml'], space.directory);

it('says which files of an export its mapping leaves unread', async () => {
  write({
    'mapping.yaml': mapping,
    'export/A-1.csv': 'ID,KIND\n1,P\n',
    'export/A-2.csv': 'ID,KIND\n2,P\n',
    'export/KINDS.csv': 'CODE,KIND\nP,DOMESTIC\n',
    'export/PHONES.csv': 'ID,NUMBER\n1,030 23125 001\n',
    'export/notes.ndjson.gz': '',
  });
  const { code, stderr } = await checked();
  expect(code).toBe(0);
  expect(stderr).toContain(
    'Not read, as the mapping has no table for it: PHONES.csv, notes.ndjson.gz. Add one',
  );
});

it('names a file that no built-in shape has, and not the table that it would be a part of', async () => {
  write({
    'export/accounts.csv': 'external_account_number,import_supplier\n1,X\n',
    'export/ledger_2024-01.csv': 'external_account_number\n',
  });
  const { code, stderr } = await ranHere(['validate', 'export'], space.directory);
  expect(code).toBe(0);
  expect(stderr).toContain('ledger_2024-01.csv:1: Neither of the built-in shapes has a file of this name');
});

it('refuses a mapping file that is not UTF-8, and names the line', async () => {
  const text = mapping.replace('{ column: KIND, lookup: kinds }', '{ constant: GESCHÄFT }');
  write({ 'export/A.csv': 'ID,KIND\n1,P\n', 'mapping.yaml': Buffer.from(text, 'latin1') });
  const { code, stderr } = await checked();
  expect([code, stderr]).toEqual([2, expect.stringContaining('is not UTF-8: line 8 has other bytes')]);
});
