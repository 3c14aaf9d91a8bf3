// Reads the workbooks of a folder cell by cell, and compares them with what openpyxl reads:
// `node test/corpora/run.js FOLDER [--python PROGRAM] [--show 20]`. The folder is yours: nothing is fetched, and nothing of it is kept.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    show: { type: 'string', default: '20' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder of a corpus.');
const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'migrate-corpus-'));
const cells = join(directory, 'cells.ndjson');
try {
  const env = { ...process.env, CORPUS: resolve(folder), CORPUS_CELLS: cells };
  const read = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--project', 'quick', 'test/corpora/cells.test.ts', '--reporter', 'dot'],
    ],
    { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (read.status !== 0) throw new Error('The workbooks were not read to their end.');
  const compare = join(import.meta.dirname, 'compare.py');
  const { status } = spawnSync(values.python, [compare, resolve(folder), cells, values.show], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
