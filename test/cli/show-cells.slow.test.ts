import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { concluded, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
  cpSync(project('fixtures/legacy'), join(directory, 'legacy'), { recursive: true });
});
afterEach(() => space.dispose());

const parts = z.array(
  z.object({
    step: z.string(),
    state: z.string(),
    inExport: z.boolean(),
    cells: z.array(z.object({ file: z.string(), line: z.number(), column: z.string() })),
  }),
);
const mapping = ['--mapping', 'legacy/mapping.yaml'];
const withCells = ['--export', 'legacy/export', ...mapping];

it('ties every part that was sent to its cells, by rows and columns, never by values, while the export has them', async () => {
  const account = 'EXT-000001';
  await ranHere(['run', 'legacy/export', ...mapping, '--limit', '1', '--json'], directory);
  const shown = concluded(await ranHere(['show', account, ...withCells, '--json'], directory), 'show', 0);
  const found = parts.parse(shown['parts']);
  expect(found.length).toBeGreaterThan(4);
  for (const { inExport, cells, state } of found) {
    expect({ inExport, state }).toEqual({ inExport: true, state: 'done' });
    expect(cells.length).toBeGreaterThan(0);
    for (const { file, line } of cells) {
      const rows = readFileSync(join(directory, 'legacy/export', file), 'latin1').split('\n');
      expect(rows[line - 1]?.length).toBeGreaterThan(1);
    }
  }
  const { stdout } = await ranHere(['show', account, ...withCells], directory);
  expect(stdout).toContain(`Cells of its parts, in ${join(directory, 'legacy/export')}`);
  expect(stdout).toMatch(/^ {2}stage part 1, done\n {2}process part 1, done\n {4}\S+:\d+ {2}\w+/m);

  // A part whose data changed since is not tied to cells that did not send it.
  const [note] = found.filter(({ step }) => step === 'notes').flatMap(({ cells }) => cells);
  if (note === undefined) throw new Error('the account has no note');
  const file = join(directory, 'legacy/export', note.file);
  const lines = readFileSync(file, 'latin1').split('\n');
  lines[note.line - 1] = (lines[note.line - 1] ?? '').replace(/[A-Za-z](?=[^A-Za-z]*$)/, 'x');
  writeFileSync(file, lines.join('\n'), 'latin1');
  const later = concluded(await ranHere(['show', account, ...withCells, '--json'], directory), 'show', 0);
  const changed = parts.parse(later['parts']).filter(({ inExport }) => !inExport);
  expect(changed.map(({ step, cells }) => [step, cells])).toEqual([['notes', []]]);
  expect((await ranHere(['show', account, ...withCells], directory)).stdout).toMatch(
    /^ {2}notes part 1, done\n {4}not in this export as it was sent$/m,
  );
});

it('says that an export does not have the account', async () => {
  await ranHere(['run', 'legacy/export', ...mapping, '--limit', '1', '--json'], directory);
  const [line = ''] = readFileSync(project('fixtures/interface/accounts.ndjson'), 'utf8').split('\n');
  mkdirSync(join(directory, 'other'));
  writeFileSync(join(directory, 'other/accounts.ndjson'), line.replaceAll('EXT-000001', 'OTHER-1'));
  refused(
    await ranHere(['show', 'EXT-000001', '--export', 'other', '--json'], directory),
    'show',
    2,
    'other has no account EXT-000001 of ',
  );
  refused(
    await ranHere(['show', 'EXT-000001', '--with', 'x', '--json'], directory),
    'show',
    2,
    'Name one with --export',
  );
});
