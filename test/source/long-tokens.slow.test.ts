import { expect, test, vi } from 'vitest';
import { findEncoding } from '../../src/source/find-encoding.ts';
import { readText } from '../../src/source/text-blocks.ts';
import { RawLines } from '../../src/source/raw-text.ts';
import { readBytes } from '../../src/source/file-bytes.ts';
import { localFile } from '../../src/source/places/directory.ts';
import { join } from 'node:path';
import { recordWithReason } from '../../src/source/formats/json/copied-elements.ts';
import { directoryWith, key, places, problemsOf, readFiles } from './temporary-export.ts';

const size = 12 * 1024 * 1024;
/** `readFiles` reads an export as rows, again as packed rows, and twice in ranges. */
const readings = 4;

/** Bytes that were joined while the work was done: what grows with the square of a length shows here. */
async function copiedBy(work: () => Promise<unknown>): Promise<number> {
  const concat = vi.spyOn(Buffer, 'concat');
  try {
    await work();
    return concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0);
  } finally {
    concat.mockRestore();
  }
}

const long = 'z'.repeat(size);
const accounts = `${key}\nA-1\nA-2\n`;

interface Case {
  readonly of: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly problems: readonly string[];
  readonly encoding?: string;
}
const tooLong = ['record_too_long A-1 notes.csv:2:'];
const cases: readonly Case[] = [
  { of: 'a cell', files: { 'notes.csv': `${key},a\nA-1,${long}\nA-2,x\n` }, problems: tooLong },
  { of: 'a quoted cell', files: { 'notes.csv': `${key},a\nA-1,"${long}"\nA-2,x\n` }, problems: tooLong },
  {
    of: 'a text of NDJSON',
    files: { 'notes.ndjson': `{"${key}":"A-1","a":"${long}"}\n{"${key}":"A-2"}\n` },
    problems: [],
  },
  {
    of: 'a text of an array',
    files: { 'notes.json': `[{"${key}":"A-1","a":"${long}"},{"${key}":"A-2"}]` },
    problems: [],
  },
  {
    of: 'a cell in an encoding of several bytes',
    files: {
      'notes.csv': Buffer.concat([
        Buffer.from(`${key},a\nA-1,`),
        Buffer.alloc(size, 0x81),
        Buffer.from('\n'),
      ]),
    },
    problems: tooLong,
    encoding: 'shift_jis',
  },
];

test.each(cases)(
  '$of without a blank is read in a time that grows with its length',
  async ({ files, problems, encoding }) => {
    let found: string[] = [];
    const copied = await copiedBy(async () => {
      const stated = encoding === undefined ? {} : { encoding };
      found = problemsOf(await readFiles({ 'accounts.csv': accounts, ...files }, stated));
    });
    expect(found).toEqual(problems);
    expect(copied).toBeLessThan(readings * 6 * size);
  },
);

test.each(['utf-8', 'utf-16le', 'windows-1252'] as const)(
  'a text of %s is cut between two characters where it has no blank',
  async (encoding) => {
    const text = '\u{1f600}é€'.repeat(600_000);
    const bytes =
      encoding === 'windows-1252'
        ? Buffer.alloc(size, 0x80)
        : Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
    const path = join(directoryWith({ 'a.csv': bytes }), 'a.csv');
    const blocks: Buffer[] = [];
    const copied = await copiedBy(async () => {
      for await (const block of readText(localFile(path)!, encoding)) {
        expect(block.invalid).toEqual([]);
        blocks.push(block.bytes);
      }
    });
    const read = Buffer.concat(blocks).toString();
    expect(read === (encoding === 'windows-1252' ? '€'.repeat(size) : text)).toBe(true);
    expect(copied).toBeLessThan(3 * bytes.length);
  },
);

test('the encoding of a long text without a blank is found by looking at each byte once', async () => {
  const path = join(directoryWith({ 'a.csv': Buffer.from('é'.repeat(size / 2)) }), 'a.csv');
  let found: unknown;
  const copied = await copiedBy(async () => (found = await findEncoding(localFile(path)!, undefined)));
  expect(found).toMatchObject({ name: 'utf-8', isGuess: false });
  expect(copied).toBeLessThan(2 * size);
});

test('a long line is copied as it is, piece by piece', async () => {
  const path = join(directoryWith({ 'a.csv': `${long}\r\nx\n` }), 'a.csv');
  const raw = new RawLines(readBytes(localFile(path)!), 'utf-8');
  const pieces = vi.spyOn(String.prototype, 'slice');
  const text = await raw.upTo(2);
  const longest = Math.max(...pieces.mock.results.map(({ value }) => String(value).length));
  pieces.mockRestore();
  await raw.close();
  expect(text === `${long}\r\n`).toBe(true);
  expect(longest).toBeLessThan(1024 * 1024);
});

test.each([
  ['a quote within a cell', 'A-1,x"y\n'],
  ['text behind a quoted cell', 'A-1,"x" y\n'],
  ['an open quote', 'A-1,"x\n'],
  ['lines that end with CR alone', 'A-1,x"y\r'],
])('of many rows that cannot be parsed each is looked at a few times: %s', async (_what, row) => {
  const rows = 5_000;
  const read = vi.spyOn(Buffer.prototype, 'toString');
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.csv': `${key},a\n${row.repeat(rows)}` });
  const characters = read.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  read.mockRestore();
  expect(problemsOf(found).length).toBeGreaterThanOrEqual(rows / 2);
  expect(characters).toBeLessThan(rows * 400);
});

const blanks = ' '.repeat(2_000_000);
const zeros = '0'.repeat(2_000_000);
const values = '1,\n'.repeat(1_000_000);

test.each([
  {
    of: 'a million values nested 900 deep',
    record: `{"${key}":12345,"a":${'['.repeat(900)}\n${values}1${']'.repeat(900)}}`,
    problem: 'malformed_account_number - notes.json:1:external_account_number',
  },
  {
    of: 'keys of 64 KiB, one within the other',
    record: `{"${key}":12345,"a":\n${`{"${'k'.repeat(65_536)}":`.repeat(100)}[${values}1]${'}'.repeat(101)}`,
    problem: 'malformed_account_number - notes.json:1:external_account_number',
  },
  {
    of: '100,000 nested arrays',
    record: `{"${key}":"A-1","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    problem: `malformed_json A-1 notes.json:1:a${'.0'.repeat(62)}`,
  },
  {
    of: 'a number with zeros between two other digits',
    record: `{"${key}":"A-1","a":1.${zeros}1,"${key}":"A-1"}`,
    problem: 'duplicate_key - notes.json:1:external_account_number',
  },
])('a record that cannot be read is placed in a time that grows with its length: $of', async (wrong) => {
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.json': `[${wrong.record}]` });
  expect([...problemsOf(found), ...places(found.faults)]).toEqual([wrong.problem]);
});

test('nothing is looked for below the depth that is read', async () => {
  const nested = `{"${key}":"A-1","a":${'['.repeat(20_000_000)}`;
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.ndjson': nested });
  expect(problemsOf(found)).toEqual([`malformed_json A-1 notes.ndjson:1:a${'.0'.repeat(62)}`]);
  expect([...found.bundles.values()][0]?.problems[0]?.detail).toContain('nested deeper than 1000 levels');
});

test('the account number of a broken record is found behind a long text', async () => {
  const broken = `{"a":"${'\\"'.repeat(size / 2)}","${key}" ${blanks}: "A-1",}\n`;
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.ndjson': broken });
  expect(problemsOf(found)).toEqual(['malformed_json A-1 notes.ndjson:1:external_account_number']);
});

test('a quoted cell of many line ends does not show whose row it is', async () => {
  const row = `"A-1${'\n'.repeat(2_000_000)}x" y\n`;
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.csv': `${key}\n${row}A-2\n` });
  expect(places(found.faults)).toContain('wrong_quoting - notes.csv:2:external_account_number');
});

test('a reason is added to a record of many blanks', () => {
  const member = '"rejected_because":"new"';
  expect(
    recordWithReason(`{"a":"${blanks}x"${blanks}}`, 'new') === `{"a":"${blanks}x",${member}${blanks}}`,
  ).toBe(true);
  const old = `"rejected_because"${blanks}:"${'\\"'.repeat(1_000_000)}"`;
  expect(recordWithReason(`{${old}}`, 'new')).toBe(`{${member}}`);
  expect(recordWithReason(`${blanks}x`, 'new') === `${blanks}x`).toBe(true);
});
