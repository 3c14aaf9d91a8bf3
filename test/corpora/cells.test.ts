import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileUnreadable } from '../../src/source/file-bytes.ts';
import { textOfCell } from '../../src/source/formats/xlsx/cell-text.ts';
import { lettersOf, storedRows } from '../../src/source/formats/xlsx/sheet-cells.ts';
import { stringsOf } from '../../src/source/formats/xlsx/shared-strings.ts';
import { openWorkbook } from '../../src/source/formats/xlsx/workbook.ts';
import { localFile } from '../../src/source/places/directory.ts';

/** The folder of the corpus, and the file that takes its cells: `run.js` names both. */
const { CORPUS: corpus = '', CORPUS_CELLS: target = '' } = process.env;

/** The cells of a workbook by their places, each as its text or as the code of a problem. */
async function cellsOf(path: string): Promise<Record<string, string | { readonly code: string }>> {
  const stored = localFile(path);
  if (stored === undefined) throw new Error(`There is no ${path}.`);
  const workbook = await openWorkbook(stored);
  const { strings, release } = await stringsOf(workbook, path);
  const reading = { ...workbook, strings };
  const found: Record<string, string | { readonly code: string }> = {};
  try {
    for (const { name, part } of workbook.sheets)
      for await (const rows of storedRows(workbook.parts, part, {}))
        for (const { line, cells } of rows)
          for (const cell of cells) {
            const text = textOfCell(cell, reading);
            found[`${name}!${lettersOf(cell.column)}${line}`] =
              typeof text === 'string' ? text : { code: text.code };
          }
    return found;
  } finally {
    release();
    workbook.parts.close();
  }
}

describe.skipIf(corpus === '')('a corpus of workbooks (needs CORPUS)', () => {
  test('every workbook is read, or refused with a reason', { timeout: 3_600_000 }, async () => {
    writeFileSync(target, '');
    const names = readdirSync(corpus, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.xls[xm]$/i.test(entry.name) && !entry.name.startsWith('~$'))
      .map((entry) => relative(corpus, join(entry.parentPath, entry.name)))
      .sort();
    for (const file of names) {
      let result: object;
      try {
        result = { cells: await cellsOf(join(corpus, file)) };
      } catch (error) {
        // A refusal has a reason for people; anything else is a bug.
        result =
          error instanceof FileUnreadable
            ? { refused: error.code, detail: error.message }
            : { bug: String(error) };
      }
      appendFileSync(target, `${JSON.stringify({ file, ...result })}\n`);
    }
    expect(names.length).toBeGreaterThan(0);
  });
});
