import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { lines, project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const sample = project('fixtures/interface');

/** A directory with every document that the sample names. */
function allDocuments(): string[] {
  const text = ['notes', 'historical_statements']
    .map((file) => readFileSync(join(sample, `${file}.ndjson`), 'utf8'))
    .join('');
  const paths = [...text.matchAll(/"(?:document|statement)_path":"([^"]+)"/g)].map(([, path = '']) => path);
  for (const path of paths) {
    const file = join(space.directory, 'documents', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '%PDF');
  }
  return paths;
}

it('finds each document that is missing or empty, at its cell', async () => {
  const { directory } = space;
  const paths = allDocuments();
  const args = ['validate', sample, '--documents', 'documents', '--json'];
  expect((await ranHere(args, directory)).code).toBe(0);

  const [first = '', second = ''] = paths;
  rmSync(join(directory, 'documents', first));
  writeFileSync(join(directory, 'documents', second), '');
  const ended = await ranHere(args, directory);
  expect(ended.code).toBe(3);
  const code = 'path_does_not_exist_in_file_store';
  expect(summaryOf(ended.stdout)).toMatchObject({ problems: 2, byCode: { [code]: 2 } });
  for (const problem of lines(ended.stdout).filter(({ type }) => type === 'problem'))
    expect(problem).toMatchObject({
      file: 'notes.ndjson',
      column: expect.stringMatching(/^notes\.\d+\.document_paths\.\d+\.document_path$/) as string,
    });
});

it('a document that is missing can be made a warning, and a directory that is missing keeps it from starting', async () => {
  const { directory } = space;
  mkdirSync(join(directory, 'documents'));
  writeFileSync(join(directory, '.migraterc'), 'rules:\n  path_does_not_exist_in_file_store: warning\n');
  const ended = await ranHere(['validate', sample, '--documents', 'documents', '--json'], directory);
  expect(ended.code).toBe(0);
  expect(Number(summaryOf(ended.stdout)['warnings'])).toBeGreaterThan(10);
  const refused = await ranHere(['validate', sample, '--documents', 'nowhere'], directory);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--documents: nowhere is not a'),
  ]);
});
