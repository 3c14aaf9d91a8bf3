import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeIndex, namesOfIndexes } from '../source/kept-index.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const faulty = (name: string) => project(`fixtures/faulty/${name}`);

describe('an export that is checked in several threads', () => {
  let space: ReturnType<typeof workspace>;
  beforeAll(() => {
    space = workspace();
  });
  afterAll(() => space.dispose());

  const validate = async (threads: number, args: readonly string[]) => {
    const directory = join(space.directory, String(threads));
    mkdirSync(directory, { recursive: true });
    return ranHere(['validate', ...args, '--threads', String(threads), '--json'], directory);
  };
  const same = async (...args: readonly string[]) => {
    const [one, two] = [await validate(1, args), await validate(2, args)];
    // Beside it is how long it took.
    expect({ code: two.code, stdout: two.stdout }).toEqual({ code: one.code, stdout: one.stdout });
    return one;
  };

  it.each([
    ['flat CSV', [project('fixtures/flat')]],
    ['records', [project('fixtures/interface')]],
    ['a mapping', [project('fixtures/legacy/export'), '--mapping', project('fixtures/legacy/mapping.yaml')]],
    [
      'rows found through others',
      [project('fixtures/dump/export'), '--mapping', project('fixtures/dump/mapping.yaml')],
    ],
    ['every fault', [faulty('export')]],
    [
      "a tenancy's contract",
      [faulty('records'), '--contract', faulty('contract.yaml'), '--documents', faulty('documents')],
    ],
    ['another supplier', [project('fixtures/flat'), '--supplier', 'NOBODY']],
  ])('gives every line as one thread does: %s', async (_, args) => {
    const { stdout } = await same(...args);
    expect(stdout).toContain('"type":"summary"');
  });

  it('gives every line of a book of several ranges, with faults in each', async () => {
    const book = join(space.directory, 'book');
    await ranHere(['generate', book, '--accounts', '400', '--seed', '3', '--shape', 'flat'], space.directory);
    const spoiled = (name: string, every: number, change: (line: string) => string): void => {
      const lines = readFileSync(join(book, name), 'utf8').split('\n');
      const changed = lines.map((line, at) =>
        at > 0 && at % every === 0 && line !== '' ? change(line) : line,
      );
      writeFileSync(join(book, name), changed.join('\n'));
    };
    spoiled('accounts.csv', 40, (line) => line.slice(0, line.lastIndexOf(',')));
    spoiled('agreements.csv', 35, (line) => line.slice(0, line.lastIndexOf(',')));
    spoiled('current_statement_transactions.csv', 200, (line) => line.replace(/-?\d+\.\d\d/, '12.5O'));
    const { stdout } = await same(book);
    expect(stdout.match(/"severity":"error"/g)?.length).toBeGreaterThan(10);
    // What is remembered of the files is not true of them.
    const work = join(space.directory, '2', '.migrate');
    mkdirSync(work);
    expect((await validate(2, [book])).stdout).toBe(stdout);
    changeIndex(work, (index) => ({
      ...index,
      starts: index.starts.map((ofFile) => ofFile.map(([byte, ...rest]) => [byte + 1, ...rest])),
    }));
    expect((await validate(2, [book])).stdout).toBe(stdout);
    expect(namesOfIndexes(work)).toEqual([]);
  });

  it('has the same rejects, corrected by the same directories', async () => {
    const rejects = async (threads: number) => {
      const to = `rejects-${threads}`;
      await validate(threads, [faulty('export'), '--rejects', join(space.directory, to)]);
      const path = join(space.directory, to);
      const files = readdirSync(path).sort();
      return files.map((name) => [name, readFileSync(join(path, name), 'utf8')]);
    };
    const copied = await rejects(1);
    expect(copied.length).toBeGreaterThan(1);
    expect(await rejects(2)).toEqual(copied);
    const { stdout } = await same(faulty('export'), '--with', join(space.directory, 'rejects-1'));
    expect(stdout).toContain('rejects-1');
  });

  it('counts with a module that remembers, which no two threads could share', async () => {
    const checked = async (threads: number) => {
      const directory = join(space.directory, `counted-${threads}`);
      mkdirSync(join(directory, 'export'), { recursive: true });
      const numbers = Array.from({ length: 300 }, (_, at) => `A${1000 + at}`);
      writeFileSync(join(directory, 'export/accounts.csv'), `nr\n${numbers.join('\n')}\n`);
      writeFileSync(
        join(directory, 'count.mjs'),
        'let seen = 0;\nexport function counted() { if ((seen += 1) > 250) throw new Error("Enough."); return "DOMESTIC"; }\n',
      );
      writeFileSync(
        join(directory, 'mapping.yaml'),
        `version: 1
module: count.mjs
tables:
  accounts: { file: accounts.csv, key: nr }
account:
  import_supplier: { constant: S }
  account_type: { column: nr, call: counted }
`,
      );
      const mapping = join(directory, 'mapping.yaml');
      return (await validate(threads, [join(directory, 'export'), '--mapping', mapping])).stdout;
    };
    const one = await checked(1);
    expect(one.match(/"code":"call_failed"/g)).toHaveLength(50);
    expect(await checked(2)).toBe(one);
  });
});
