import { parse } from 'csv-parse/sync';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { problemRecord } from '../../src/report/json-records.ts';
import { ProblemFile } from '../../src/report/problem-file.ts';
import { spreadsheetValue } from '../../src/report/csv-lists.ts';
import { problem } from './fixture.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'problems-'))));
afterEach(() => rmSync(directory, { recursive: true }));

function opened(name: string): ProblemFile {
  const file = ProblemFile.open(join(directory, name));
  if ('refusal' in file) throw new Error(file.refusal);
  return file;
}

function refusal(name: string): string {
  const file = ProblemFile.open(join(directory, name));
  return 'refusal' in file ? file.refusal : 'it was opened';
}

const text = (name: string): string => readFileSync(join(directory, name), 'utf8');

test('a CSV begins with a byte order mark on request, and NDJSON never does', () => {
  for (const name of ['all.csv', 'all.ndjson']) {
    const file = ProblemFile.open(join(directory, name), { bom: true });
    if ('refusal' in file) throw new Error(file.refusal);
    file.add(problem());
    file.complete();
    expect([name, text(name).startsWith('\ufeff')]).toEqual([name, name === 'all.csv']);
  }
});

test('NDJSON has the problems as --json prints them', () => {
  const all = [problem(), problem({ account: null, detail: 'Two\nlines, "quoted".' })];
  const file = opened('all.ndjson');
  for (const one of all) file.add(one);
  expect(file.complete()).toBeUndefined();
  const lines = text('all.ndjson').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(all.map(problemRecord));
});

test('CSV has one row for each problem, and no cell that a spreadsheet would take for a formula', () => {
  const file = opened('all.csv');
  file.add(problem({ detail: 'Two\nlines, "quoted".' }));
  for (const start of ['=', '+', '-', '@', '\t', '\r'])
    file.add(problem({ account: `${start}1`, cell: { file: `${start}f`, line: 3, column: `${start}c` } }));
  expect(file.complete()).toBeUndefined();
  const [first, ...hostile] = parse<Record<string, string>>(text('all.csv'), { columns: true });
  expect(first).toEqual({
    account: '4711',
    step: 'validate',
    code: 'invalid_phone_number',
    path: 'customers.0.landline',
    detail: 'Two\nlines, "quoted".',
    severity: 'error',
    file: 'customers.csv',
    line: '12',
    column: 'landline',
    sheet: '',
    cell: '',
  });
  expect(hostile).toHaveLength(6);
  for (const { account, file: name, column } of hostile)
    for (const cell of [account, name, column]) expect(cell).toMatch(/^'[=+\-@\t\r]/);
});

test('the file is for its owner alone, and has its name only when it is whole', () => {
  writeFileSync(join(directory, 'all.csv'), 'of an earlier run');
  const file = opened('all.csv');
  // More than is gathered before it is written.
  for (let count = 0; count < 2000; count++) file.add(problem());
  expect(text('all.csv')).toBe('of an earlier run');
  expect(file.complete()).toBeUndefined();
  file.close();
  expect(readdirSync(directory)).toEqual(['all.csv']);
  expect(statSync(join(directory, 'all.csv')).mode & 0o777).toBe(0o600);
  expect(text('all.csv').split('\n')).toHaveLength(2002);
});

test('a file that is given up leaves nothing behind', () => {
  const file = opened('all.csv');
  file.add(problem());
  file.close();
  expect(readdirSync(directory)).toEqual([]);
});

test('a place that cannot be written is told before the work, and one that went away after it', () => {
  mkdirSync(join(directory, 'a.csv'));
  expect(refusal('all.txt')).toMatch(/does not end in/);
  expect(refusal('a.csv')).toMatch(/is a directory\. Name a file\./);
  expect(refusal('nowhere/all.csv')).toMatch(/its directory does not exist\. Create it/);

  const file = opened('all.csv');
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  file.add(problem());
  expect(file.complete()).toMatch(/all\.csv cannot be written/);
});

test('a link, as a device, is written to and not replaced', () => {
  writeFileSync(join(directory, 'target'), 'of last night, and longer than what comes now'.repeat(20));
  symlinkSync('target', join(directory, 'link.ndjson'));
  const file = opened('link.ndjson');
  file.add(problem());
  expect(file.complete()).toBeUndefined();
  expect(JSON.parse(text('target'))).toEqual(problemRecord(problem()));
  expect(lstatSync(join(directory, 'link.ndjson')).isSymbolicLink()).toBe(true);
  expect(readdirSync(directory).sort()).toEqual(['link.ndjson', 'target']);
});

test('a cell for a spreadsheet keeps negative numbers, and shows control characters', () => {
  expect(
    ['-5.00', '12', '-5+1', '-A', '＝1', 'a\u0007\u001b[31m', '\tx', 'two\nlines'].map(spreadsheetValue),
  ).toEqual([
    ...['-5.00', '12', "'-5+1", "'-A", "'＝1", String.raw`a\u0007\u001b[31m`, "'\tx", 'two\nlines'],
  ]);
});
