import fc from 'fast-check';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Recognise } from '../../../src/source/export.ts';
import { KeptIndexes } from '../../../src/source/kept-indexes.ts';
import { openExport } from '../../../src/source/open-export.ts';
import { RowCache } from '../../../src/source/row-cache.ts';
import { directoryWith, key, readAll, table } from '../temporary-export.ts';
import { night } from './night.ts';

const specs = [
  table('accounts.csv'),
  table('notes.csv', { isOrdered: true }),
  table('meters.ndjson', { key: 'account' }),
];
type Files = Readonly<Record<string, string>>;

const cell = fc.constantFrom('x', 'y', 'z\u001a', '"a, b"', '"one\ntwo"', '"it ""is"""', 'ü', '', '=“1”');
const row = fc.record({ notes: fc.array(cell, { maxLength: 3 }), meters: fc.nat(2), own: cell });
const book = fc
  .tuple(fc.array(row, { maxLength: 24 }), fc.boolean(), fc.constantFrom('\n', '\r\n'))
  .map(([rows, isLonger, end]): Files => {
    const name = (at: number) => (isLonger ? String(at + 5) : `A${String(at).padStart(2, '0')}`);
    const lines = (header: string[], each: (one: (typeof rows)[number], at: number) => string[]) =>
      [...header, ...rows.flatMap(each)].map((line) => `${line}${end}`).join('');
    return {
      'accounts.csv': lines([`${key},name`], ({ own }, at) => [`${name(at)},${own}`]),
      'notes.csv': lines([`${key},body`], ({ notes }, at) => notes.map((note) => `${name(at)},${note}`)),
      'meters.ndjson': lines([], ({ meters }, at) =>
        Array.from({ length: meters }, (_, meter) => JSON.stringify({ account: name(at), meter })),
      ),
    };
  });

const edit = fc.record({
  file: fc.constantFrom(...specs.map(({ file }) => file)),
  kind: fc.constantFrom('insert', 'remove', 'repeat', 'swap', 'text', 'cut', 'ends', 'mark', 'close'),
  at: fc.nat(1_000),
  text: fc.constantFrom(
    'z',
    '"',
    ',',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    'A05',
    '{"account":"A07"}\n',
    '\u001f',
    '\u001a',
  ),
});
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;

function edited(text: string, { kind, at, text: more }: Edit): string {
  const lines = text.split('\n');
  const line = 1 + (at % Math.max(1, lines.length - 1));
  const place = at % (text.length + 1);
  switch (kind) {
    case 'insert':
      return lines.toSpliced(line, 0, `${lines[line]?.split(',')[0] ?? ''},${at}`).join('\n');
    case 'remove':
      return lines.toSpliced(line, 1).join('\n');
    case 'repeat':
      return lines.toSpliced(line, 0, lines[line] ?? '').join('\n');
    case 'swap':
      return lines.toSpliced(line, 2, lines[line + 1] ?? '', lines[line] ?? '').join('\n');
    case 'text':
      return text.slice(0, place) + more + text.slice(place);
    case 'cut':
      return text.slice(0, -1);
    case 'ends':
      return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n');
    case 'mark':
      return `\ufeff${text}`;
    default:
      return `${text}${more}`;
  }
}

test('after any edits of an export, a reading by blocks finds what a whole reading finds', async () => {
  const nights = fc.array(
    fc.record({ edits: fc.array(edit, { maxLength: 3 }), forgets: fc.nat(4), isPlanned: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  await fc.assert(
    fc.asyncProperty(book, nights, fc.integer({ min: 1, max: 4 }), async (first, edits, accountsEach) => {
      const root = mkdtempSync(join(tmpdir(), 'export-'));
      try {
        const directory = mkdtempSync(join(root, 'kept-'));
        const known = { kept: new KeptIndexes(directory, '1', { accountsEach }) };
        const files = { ...first };
        const write = () => {
          for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
        };
        write();
        let journal = new Map((await night(root, specs, new Map(), known)).prints);
        for (const { edits: changes, forgets, isPlanned } of edits) {
          for (const change of changes) files[change.file] = edited(files[change.file] ?? '', change);
          write();
          if (forgets > 0) journal = new Map([...journal].filter((_one, at) => at % 5 !== forgets));
          if (isPlanned) {
            const planned = await openExport(root, specs, known);
            if (!('problems' in planned)) planned.close();
          }
          const found = await night(root, specs, journal, known);
          expect(found).toEqual(await night(root, specs, journal));
          journal = new Map(found.prints);
        }
      } finally {
        rmSync(root, { recursive: true });
      }
    }),
    { numRuns: 30 },
  );
});

test('after a night of changes, one account is read without the rest of the export', async () => {
  const numbers = Array.from({ length: 2_000 }, (_, at) => `A${String(at).padStart(4, '0')}`);
  const rows = (more: string) => numbers.map((number) => `${number},"${more.repeat(100)}"\n`).join('');
  const notes = `${key},body\n${rows('x\ny ')}`;
  const files = { 'accounts.csv': `${key},name\n${rows('Ada')}`, 'notes.csv': notes };
  const root = directoryWith(files);
  const tables = Object.keys(files).map((file) => table(file));
  const work = directoryWith({});
  const kept = new KeptIndexes(work, '1');
  const given = async () => {
    const asked: string[] = [];
    const recognise: Recognise = (list) => {
      asked.push(...list.map(({ account }) => account));
      return Promise.resolve(list.map(() => 'unchanged'));
    };
    await readAll(root, tables, { kept, recognise });
    return asked;
  };
  expect(await given()).toEqual(numbers);
  writeFileSync(join(root, 'notes.csv'), notes.replace('A1000,', 'A0999,late\nA1000,'));
  expect(await given()).toEqual(numbers);
  let isAllRead = false;
  const only = await RowCache.open(join(work, 'explained.json'), 'A1500');
  const found = await readAll(root, tables, { only, kept, onProgress: () => (isAllRead = true) });
  expect(isAllRead).toBe(false);
  expect(found.bundles.get('A1500')?.records('notes')[0]?.line).toBe(2 + 1 + 1500 * 101);
});

test('an export that another command has read since is compared by its blocks', async () => {
  const numbers = Array.from({ length: 500 }, (_, at) => `A${String(at).padStart(4, '0')}`);
  const rows = (text: string) => numbers.map((number) => `${number},${text}\n`).join('');
  const notes = `${key},body\n${rows('x')}`;
  const root = directoryWith({ 'accounts.csv': `${key},name\n${rows('Ada')}`, 'notes.csv': notes });
  const tables = ['accounts.csv', 'notes.csv'].map((file) => table(file));
  const work = directoryWith({});
  const kept = new KeptIndexes(work, '1');
  const recognise: Recognise = (list) => Promise.resolve(list.map(() => 'unchanged'));
  /** What the next comparison is told of this one. */
  const compared = async () => {
    await readAll(root, tables, { kept, recognise });
    const [name = ''] = readdirSync(work).filter((one) => one.startsWith('blocks-'));
    return readFileSync(join(work, name), 'utf8');
  };
  const before = await compared();
  writeFileSync(join(root, 'notes.csv'), notes.replace('A0300,x', 'A0300,y'));
  await readAll(root, tables, { kept });
  const after = await compared();
  expect(after).not.toBe(before);
  expect(await compared()).toBe(after);
});

test('where rows with a fault begin a block, ranges are entered before them', async () => {
  const numbers = Array.from({ length: 200 }, (_, at) => `A${1_000 + at}`);
  const notes = numbers.map((number, at) =>
    at % 4 === 0 ? `${number},"foo\nbar",x"y\n` : `${number},plain,z\n`,
  );
  const files = {
    'accounts.csv': `${key},name\n${numbers.map((number) => `${number},Ada\n`).join('')}`,
    'notes.csv': `${key},body,more\n${notes.join('')}`,
  };
  const root = directoryWith(files);
  const tables = Object.keys(files).map((file) => table(file));
  const work = directoryWith({});
  const kept = new KeptIndexes(work, '1', { accountsEach: 4 });
  const recognise: Recognise = (list) => Promise.resolve(list.map(() => 'unchanged'));
  await readAll(root, tables, { kept, recognise });
  const found = await readAll(root, tables, { kept });
  expect([...found.bundles.values()].filter(({ problems }) => problems.length > 0)).toHaveLength(50);
});
