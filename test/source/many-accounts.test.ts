import { expect, test } from 'vitest';
import { openExport } from '../../src/source/open-export.ts';
import { directoryWith, key, table } from './temporary-export.ts';

const count = 50_000;

/** A number that runs through 0 to count - 1 in an order that looks random. */
const shuffled = (at: number, step: number): number => (at * step) % count;

const name = (number: number): string => `A-${number}`;

function lines(rows: number, line: (at: number) => string): string {
  return Array.from({ length: rows }, (_, at) => line(at)).join('');
}

test('fifty thousand accounts with children in random order come out complete and in order', async () => {
  const root = directoryWith({
    'accounts.csv': `${key},name\r\n${lines(count, (at) => `${name(shuffled(at, 7919))},"a\r\n""b"""\r\n`)}`,
    'notes.csv': `body,${key}\n${lines(2 * count, (at) => `n${at},${name(shuffled(at, 104_729))}\n`)}`,
    'documents.json': `[${lines(count, (at) => `${at > 0 ? ',' : ''}{"n":${at},"${key}":"${name(shuffled(at, 15_485_863))}"}`)}]`,
    'extra.ndjson': lines(count, (at) => `{"n":${at},"${key}":"${name(shuffled(at, 611_953))}"}\n`),
  });
  const files = ['accounts.csv', 'notes.csv', 'documents.json', 'extra.ndjson'];
  const opened = await openExport(
    root,
    files.map((file) => table(file)),
  );
  if ('problems' in opened) throw new Error('unreadable');
  expect(opened.accounts).toBe(count);
  expect(opened.faults).toEqual([]);

  const wrong: string[] = [];
  const accounts: string[] = [];
  const noteLines = new Set<number>();
  const numbers = { documents: new Set<unknown>(), extra: new Set<unknown>() };
  for await (const bundle of opened.bundles()) {
    accounts.push(bundle.account);
    const notes = bundle.records('notes');
    for (const note of notes) noteLines.add(note.line);
    numbers.documents.add(bundle.records('documents')[0]?.fields['n']);
    numbers.extra.add(bundle.records('extra')[0]?.fields['n']);
    const [first, second] = notes;
    const isWhole =
      bundle.problems.length === 0 &&
      bundle.records('accounts')[0]?.fields['name'] === 'a\r\n"b"' &&
      notes.length === 2 &&
      first !== undefined &&
      second !== undefined &&
      first.line < second.line &&
      notes.every((note) => note.fields['body'] === `n${note.line - 2}`) &&
      (['accounts', 'notes', 'documents', 'extra'] as const).every((of) =>
        bundle.records(of).every(({ fields }) => fields[key] === bundle.account),
      ) &&
      bundle.records('documents').length === 1 &&
      bundle.records('extra').length === 1;
    if (!isWhole) wrong.push(bundle.account);
  }
  opened.close();
  expect(wrong).toEqual([]);
  expect(accounts).toHaveLength(count);
  expect(accounts).toEqual([...accounts].sort());
  expect(noteLines.size).toBe(2 * count);
  expect(numbers.documents.size).toBe(count);
  expect(numbers.extra.size).toBe(count);
});
