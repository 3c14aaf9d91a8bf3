import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from '../source/workbook.ts';
import { ranHere } from './own-shell.ts';
import { lines, project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
const file = (name: string): string => join(space.directory, name);
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

function filesOf(directory: string): Record<string, Buffer> {
  const names = readdirSync(project(directory));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(project(directory), name))]));
}

const here = (...args: string[]) => ranHere([...args, '--json'], space.directory);

it('the problems of an archive are those of its files, each at its line of export.zip/FILE', async () => {
  writeFileSync(file('export.zip'), await zipOf(filesOf('fixtures/faulty/export')));
  const packed = await here('validate', 'export.zip');
  const plain = await here('validate', project('fixtures/faulty/export'));
  const named = lines(plain.stdout).map((line) =>
    typeof line['file'] === 'string' ? { ...line, file: `export.zip/${line['file']}` } : line,
  );
  const without = (all: readonly Record<string, unknown>[]) => all.map(({ detail: _, ...line }) => line);
  expect(packed.code).toBe(3);
  expect(without(lines(packed.stdout))).toEqual(without(named));
  expect(lines(packed.stdout).length).toBeGreaterThan(50);
});

describe('a file that is missing', () => {
  const mapping = `version: 1
tables:
  accounts: { file: Kunden.csv, key: ID }
  notes: { file: Notizen.csv, key: ID }
account: { import_supplier: { constant: X }, account_type: TYPE }
notes: { from: notes, each: { body: TEXT } }
`;
  const [accounts, notes] = ['ID,TYPE\n1,DOMESTIC\n', 'ID,TEXT\n1,hello\n'];
  const validated = async (path: string): Promise<string> => {
    const { code, stderr } = await here('validate', path, '--mapping', 'm.yaml');
    expect(code).toBe(2);
    return stderr;
  };
  beforeEach(() => {
    mkdirSync(file('export/2024'), { recursive: true });
    writeFileSync(file('m.yaml'), mapping);
  });

  it('is found in an archive beside the others, also with other letters and in a directory', async () => {
    writeFileSync(file('export/Kunden.csv'), accounts);
    writeFileSync(file('export/rest.zip'), await zipOf({ '2024/notizen.csv': notes }));
    expect(await validated('export')).toContain(
      'The archive rest.zip, which is not read, has 2024/notizen.csv. Unpack it here, or name the archive as the export.',
    );
    writeFileSync(file('export/rest.zip'), await zipOf({ 'zahlungen.csv': notes }));
    expect(await validated('export')).toContain(
      'Add it. The archive rest.zip, which is not read, has zahlungen.csv.',
    );
    writeFileSync(file('export/rest.zip'), 'no archive');
    expect(await validated('export')).toContain('There is no file Notizen.csv. Add it.');
  });

  it('is found in a directory beside the others', async () => {
    writeFileSync(file('export/Kunden.csv'), accounts);
    writeFileSync(file('export/2024/notizen.csv'), notes);
    expect(await validated('export')).toContain('Did you mean 2024/notizen.csv?');
  });

  it('is not the only one: the message names what has data files', async () => {
    writeFileSync(file('export/2024/Kunden.csv'), accounts);
    writeFileSync(file('export/all.zip'), await zipOf({ 'Kunden.csv': accounts }));
    expect(await validated('export')).toMatch(
      /Name the directory or archive that has them: \S+export\/2024, \S+export\/all.zip\./,
    );
    writeFileSync(file('two.zip'), await zipOf({ 'a/Kunden.csv': accounts, 'b/Notizen.csv': notes }));
    expect(await validated('two.zip')).toContain(
      'Its data files are in several directories: a, b. Put them into one.',
    );
  });
});

it('rejects of an archive are a directory; corrected and packed, they are a fix', async () => {
  const files = filesOf('fixtures/interface');
  const sound = files['accounts.ndjson']!.toString();
  const damaged = sound.replace(/"postal_code":"[^"]*"/, '"postal_code":"?"');
  writeFileSync(file('export.zip'), await zipOf({ ...files, 'accounts.ndjson': damaged }));
  const first = await here('validate', 'export.zip', '--rejects', 'fixes');
  expect(summaryOf(first.stdout)).toMatchObject({ accounts: 50, invalid: 1 });
  expect(readdirSync(file('fixes'))).toEqual(Object.keys(files));

  const own = readFileSync(file('fixes/accounts.ndjson'), 'utf8');
  const postcode = /"postal_code":"[^"]*"/.exec(sound)?.[0] ?? '';
  writeFileSync(file('fixes.zip'), await zipOf({ 'x/accounts.ndjson': own.replace('"postal_code":"?"', postcode) })); // prettier-ignore
  const again = await here('validate', 'export.zip', '--with', 'fixes.zip');
  expect(again.code).toBe(0);
  expect(summaryOf(again.stdout)).toMatchObject({ accounts: 50, invalid: 0 });

  const worse = own.replace('"postal_code":"?"', '"postal_code":"??"');
  writeFileSync(file('fixes.zip'), await zipOf({ 'x/accounts.ndjson': worse }));
  const told = await here('validate', 'export.zip', '--with', 'fixes.zip', '--rejects', 'more');
  expect(lines(told.stdout)[0]).toMatchObject({ file: 'fixes.zip/x/accounts.ndjson', line: 1 });
  expect(readFileSync(file('more/accounts.ndjson'), 'utf8')).toContain('"??"');
});

it('a run of an archive is resumed, and not repeated where an archive of the same files lies elsewhere', async () => {
  const files = filesOf('fixtures/flat');
  writeFileSync(file('export.zip'), await zipOf(files));
  const begun = await here('run', 'export.zip', '--limit', '10');
  expect(begun.code).toBe(6);
  const ended = await here('run', 'export.zip');
  expect(ended.code).toBe(0);
  expect(summaryOf(ended.stdout)).toMatchObject({ accounts: { total: 50, completed: 50 } });
  expect(summaryOf((await here('run', 'export.zip')).stdout)).toMatchObject({ unchangedSince: 2 });
  utimesSync(file('export.zip'), 1, 1);
  expect(summaryOf((await here('run', 'export.zip')).stdout)).toMatchObject({ unchangedSince: 2 });

  const nested = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`night/${name}`, bytes]));
  writeFileSync(file('tonight.zip'), await zipOf(nested));
  expect(summaryOf((await here('run', 'tonight.zip')).stdout)).toMatchObject({
    unchangedSince: 2,
    requests: 0,
  });

  const shown = await here('show', 'EXT-000003', '--supplier', 'TENTACLE_ENERGY', '--export', 'export.zip');
  expect(shown.stdout).toContain('export.zip/accounts.csv');
  const proof = await here('reconcile', 'export.zip', '--supplier', 'TENTACLE_ENERGY');
  expect(summaryOf(proof.stdout)).toMatchObject({ differences: 0 });
  const plan = await here('plan', 'export.zip');
  expect(summaryOf(plan.stdout)).toMatchObject({ accounts: { done: 50 } });
});

it.each([
  [
    'cut short',
    (bytes: Buffer) => bytes.subarray(0, bytes.length - 30),
    /export\.zip is cut short: .* Copy it again/,
  ],
  ['no archive', () => Buffer.from('ID,NAME\n'), /export\.zip is not a ZIP file\./],
])('an archive that is %s ends the command with 2', async (_what, act, message) => {
  writeFileSync(file('export.zip'), act(await zipOf(filesOf('fixtures/flat'))));
  const { code, stdout } = await here('validate', 'export.zip');
  expect(code).toBe(2);
  expect(summaryOf(stdout)['errors']).toEqual([expect.stringMatching(message)]);
});
