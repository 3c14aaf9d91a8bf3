import { randomBytes } from 'node:crypto';
import * as zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { directoryWith, key, places, readFiles, refusal, table } from './temporary-export.ts';

const { gzipSync } = zlib;
const twoAccounts = `${key},name\nA-1,Ann\nA-2,Bob\n`;

/** Rows that do not compress well, so that the file has many blocks. */
function notes(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, at) => `A-${1 + (at % 2)},${randomBytes(24).toString('hex')}\n`,
  );
  return `${key},body\n${lines.join('')}`;
}

test('files of each format are read from gzip, in members as well, in any encoding', async () => {
  const found = await readFiles({
    'accounts.csv.gz': gzipSync(Buffer.from(`\ufeff${twoAccounts}`, 'utf16le')),
    'notes.ndjson.gz': Buffer.concat(
      ['A-1', 'A-2', 'A-1'].map((account) => gzipSync(`{"${key}":"${account}"}\n`)),
    ),
    'documents.json.GZ': gzipSync(`[{"${key}":"A-2"}]`, { level: 0 }),
  });
  expect(found.faults).toEqual([]);
  expect(found.tables.map(({ file, format, encoding }) => [file, format, encoding])).toEqual([
    ['accounts.csv.gz', 'csv', 'utf-16le'],
    ['notes.ndjson.gz', 'ndjson', 'utf-8'],
    ['documents.json.GZ', 'json', 'utf-8'],
  ]);
  expect(
    found.bundles
      .get('A-1')!
      .records('notes')
      .map(({ line }) => line),
  ).toEqual([1, 3]);
  expect(found.bundles.get('A-2')!.records('accounts')[0]!.cell('name')).toEqual({
    file: 'accounts.csv.gz',
    line: 3,
    column: 'name',
  });
  expect(found.bundles.get('A-2')!.records('documents')).toHaveLength(1);
});

test('what is decompressed is all there, however many blocks it has', async () => {
  const found = await readFiles({
    'accounts.csv': twoAccounts,
    'notes.csv.gz': gzipSync(notes(10_000)),
    // A thousand times as long as it looks.
    'documents.csv.gz': gzipSync(`${key},body\n${'A-1,x\n'.repeat(60_000)}`),
  });
  expect(found.faults).toEqual([]);
  expect(found.bundles.get('A-2')!.records('notes')).toHaveLength(5000);
  expect(found.bundles.get('A-1')!.records('documents')).toHaveLength(60_000);
});

test('a compressed file that was cut short gives the whole rows before the cut, and holds all back', async () => {
  const text = notes(10_000);
  const whole = gzipSync(text);
  for (const left of [0.5, 0.999]) {
    const found = await readFiles({
      'accounts.csv': twoAccounts,
      'notes.csv.gz': whole.subarray(0, Math.floor(whole.length * left)),
    });
    const bodies = [...found.bundles.values()].flatMap((bundle) =>
      bundle.records('notes').map(({ line, fields }) => `${line} ${fields['body'] as string}`),
    );
    const lines = text.split('\n').slice(1, bodies.length + 1);
    expect(bodies.length).toBeGreaterThan(10_000 * left - 1500);
    expect(new Set(bodies)).toEqual(new Set(lines.map((line, at) => `${at + 2} ${line.slice(4)}`)));
    expect(places(found.faults)).toEqual([`truncated_file - notes.csv.gz:${bodies.length + 2}:`]);
    expect(found.faults[0]!.holdsBack).toBe(true);
    expect(found.faults[0]!.detail).toContain('Copy it again');
  }
});

test('accounts that were cut short hold all back, and a cut in the checksum alone is a cut too', async () => {
  const found = await readFiles({
    'accounts.ndjson.gz': gzipSync(`{"${key}":"A-1"}\n{"${key}":"A-2"}\n{"${key}":"A-3"}`).subarray(0, -4),
  });
  expect([...found.bundles.keys()]).toEqual(['A-1', 'A-2']);
  expect(found.faults.map(({ code, holdsBack }) => [code, holdsBack])).toEqual([['truncated_file', true]]);
});

test('a damaged file, or one that is not compressed at all, is refused', async () => {
  const damaged = gzipSync(notes(12_000));
  damaged.fill(0xff, 200_000, 200_064);
  const checksum = gzipSync(notes(1));
  checksum.fill(0, checksum.length - 8, checksum.length - 4);
  const root = directoryWith({
    'accounts.csv.gz': twoAccounts,
    'notes.csv.gz': gzipSync(notes(1)).subarray(0, 12),
    'empty.csv.gz': '',
  });
  const whole = { 'accounts.csv': twoAccounts };
  for (const bytes of [damaged, checksum])
    expect(
      places(
        await refusal(directoryWith({ ...whole, 'notes.csv.gz': bytes }), [
          table('accounts.csv'),
          table('notes.csv.gz'),
        ]),
      ),
    ).toEqual(['damaged_file - notes.csv.gz:1:']);
  const problems = await refusal(root, [
    table('accounts.csv.gz'),
    table('notes.csv.gz'),
    table('empty.csv.gz'),
  ]);
  expect(places(problems)).toEqual([
    'damaged_file - accounts.csv.gz:1:',
    'truncated_file - notes.csv.gz:1:',
    'truncated_file - empty.csv.gz:1:',
  ]);
});

const zstd: unknown = Reflect.get(zlib, 'zstdCompressSync');

test.runIf(typeof zstd === 'function')('zstd is read where Node has it', async () => {
  const compress = (text: string): Buffer => (zstd as (bytes: Buffer) => Buffer)(Buffer.from(text));
  const whole = compress(notes(10_000));
  const found = await readFiles({
    'accounts.csv.zst': compress(twoAccounts),
    'notes.csv.zst': whole,
    'documents.csv.zst': whole.subarray(0, whole.length / 2),
  });
  expect(found.bundles.get('A-1')!.records('notes')).toHaveLength(5000);
  expect(found.faults.map(({ code }) => code)).toEqual(['truncated_file']);
});

test.skipIf(typeof zstd === 'function')('zstd is refused with a remedy where Node has it not', async () => {
  const root = directoryWith({ 'accounts.csv.zst': 'x' });
  const problems = await refusal(root, [table('accounts.csv.zst')]);
  expect(places(problems)).toEqual(['zstd_unsupported - accounts.csv.zst:1:']);
  expect(problems[0]!.detail).toContain('Node 22.15');
});

const padded: readonly (readonly [string, Buffer])[] = [
  ['one zero byte', Buffer.alloc(1)],
  ['a block of zero bytes', Buffer.alloc(100_000)],
  ['nothing', Buffer.alloc(0)],
];

test.each(padded)('zero bytes at the end of a gzip file are padding: %s', async (_what, padding) => {
  for (const text of [twoAccounts, notes(10_000)]) {
    const whole = Buffer.concat([gzipSync(text), padding]);
    const { bundles, faults } = await readFiles({ 'accounts.csv': twoAccounts, 'notes.csv.gz': whole });
    expect(faults).toEqual([]);
    const expected = text === twoAccounts ? 1 : 5000;
    expect(bundles.get('A-1')?.records('notes')).toHaveLength(expected);
  }
});

test.each(padded)(
  'members of a gzip file are all read, with padding between them: %s',
  async (_what, padding) => {
    const members = ['A-1', 'A-2', 'A-1'].map((account) => gzipSync(`{"${key}":"${account}"}\n`));
    const { bundles, faults } = await readFiles({
      'accounts.csv': twoAccounts,
      'notes.ndjson.gz': Buffer.concat(members.flatMap((member) => [member, padding])),
    });
    expect(faults).toEqual([]);
    expect(bundles.get('A-1')?.records('notes')).toHaveLength(2);
  },
);

test('a member that ends where a block of the file ends is followed by the next, or by padding', async () => {
  // Not compressed, so its length is chosen.
  const block = 32 * 1024;
  const header = `{"${key}":"A-1","x":"`;
  const gzip = (length: number) => gzipSync(`${header}${'x'.repeat(length)}"}\n`, { level: 0 });
  const member = gzip(block - gzip(0).length);
  expect(member.length % block).toBeLessThanOrEqual(16);
  for (let more = -16; more <= 16; more += 1) {
    const exact = gzip(block - gzip(0).length + more);
    for (const after of [gzipSync(`{"${key}":"A-1"}\n`), Buffer.alloc(3)]) {
      const { bundles, faults } = await readFiles({
        'accounts.csv': twoAccounts,
        'notes.ndjson.gz': Buffer.concat([exact, after]),
      });
      expect(faults).toEqual([]);
      expect(bundles.get('A-1')?.records('notes')).toHaveLength(after.length > 3 ? 2 : 1);
    }
  }
});

test.each([
  ['text', Buffer.from('more'), 'damaged_file'],
  ['text after padding', Buffer.from('\0\0more'), 'damaged_file'],
  ['the start of a member', gzipSync('x').subarray(0, 5), 'truncated_file'],
  ['one byte of a member', gzipSync('x').subarray(0, 1), 'truncated_file'],
])(
  'bytes after a gzip file that are neither a member nor padding are told: %s',
  async (_what, after, code) => {
    const { faults } = await readFiles({
      'accounts.csv': twoAccounts,
      'notes.csv.gz': Buffer.concat([gzipSync(notes(2)), after]),
    }).catch((error: unknown) => ({ faults: [{ code: String(error) }] }));
    expect(faults[0]?.code).toContain(code);
  },
);

test.each([
  ['text', 'accounts.csv.gz', Buffer.from(twoAccounts), 'is not compressed with gzip, as its name says'],
  ['a ZIP archive', 'accounts.csv.gz', Buffer.from('PK\u0003\u0004'), 'is not compressed with gzip'],
  [
    'a text behind it',
    'accounts.csv.gz',
    Buffer.concat([gzipSync(twoAccounts), Buffer.from('hello')]),
    'has other bytes behind',
  ],
  [
    'gzip in gzip',
    'accounts.csv.gz',
    gzipSync(gzipSync(twoAccounts)),
    'is compressed with gzip, and no text',
  ],
  [
    'gzip under the name of a text',
    'accounts.csv',
    gzipSync(twoAccounts),
    'is compressed with gzip, and no text',
  ],
  [
    'a workbook under the name of a text',
    'accounts.csv',
    Buffer.from('PK\u0003\u0004rest\nx'),
    'is a ZIP archive or a workbook',
  ],
])('a file that is something else than its name says is told so: %s', async (_what, file, bytes, detail) => {
  const problems = await refusal(directoryWith({ [file]: bytes }), [table(file)]);
  expect(problems.map((problem) => problem.detail).join()).toContain(detail);
});

test('a file that unpacks to a multiple of its size, as if made to fill memory, is refused', async () => {
  const blank = Buffer.alloc(1024 * 1024, ' ');
  const packed = gzipSync(blank, { level: 9 });
  const bomb = Buffer.concat(Array.from({ length: 80 }, () => packed));
  await expect(readFiles({ 'accounts.csv.gz': bomb })).rejects.toThrow('zip_bomb');
});
