import type { TableSpec } from '../../src/source/export.ts';
import { expect, test } from 'vitest';
import { key, readFiles, type WholeExport } from './temporary-export.ts';

const start = `{"${key}":"A-1","v":`;

/** What the value was read as, in NDJSON and within an array alike; `refused` where its record is not JSON. */
async function valueOf(json: string | Buffer, stated: Partial<TableSpec> = {}): Promise<unknown> {
  const element = Buffer.concat([Buffer.from(start), Buffer.from(json), Buffer.from('}')]);
  const files = {
    'accounts.csv': `${key}\nA-1\nA-2\n`,
    'lines.ndjson': Buffer.concat([element, Buffer.from(`\n{"${key}":"A-2"}\n`)]),
    'array.json': Buffer.concat([Buffer.from(`[{"${key}":"A-2"},`), element, Buffer.from(']')]),
  };
  const found = await readFiles(files, stated);
  const [line, inArray] = ['lines', 'array'].map((name) => outcome(found, name));
  // A bracket or quote too many breaks an array for good, and a line for itself alone.
  if (line !== 'refused') expect(inArray).toEqual(line);
  else expect(['refused', 'broken']).toContain(inArray);
  expect(found.bundles.get('A-2')!.records('lines')).toHaveLength(1);
  return line;
}

function outcome(found: WholeExport, name: string): unknown {
  const bundle = found.bundles.get('A-1')!;
  const [record] = bundle.records(name).filter(({ unreadable }) => unreadable === undefined);
  if (record !== undefined) return JSON.parse(JSON.stringify(record.fields['v']));
  const isMine = (file: string | undefined): boolean => file?.startsWith(name) === true;
  if (bundle.problems.some(({ cell }) => isMine(cell?.file))) return 'refused';
  expect(found.faults.some(({ cell, holdsBack }) => isMine(cell?.file) && holdsBack)).toBe(true);
  return 'broken';
}

test.each([
  ['[]', []],
  ['[[] ]', [[]]],
  ['[""]', ['']],
  ['[null, 1, "1", {}]', [null, 1, '1', {}]],
  [' [1]\t', [1]],
  ['true', true],
  ['""', ''],
  ['{"":0}', { '': 0 }],
  ['{"a":{},"b":[{}]}', { a: {}, b: [{}] }],
  ['{"a\\u0001b":1}', { 'a\u0001b': 1 }],
  ['-0.1', -0.1],
  ['123e65', 123e65],
  ['0e+1', 0],
  ['20e1', 200],
  ['1E-2', 0.01],
  ['"\\u0060\\u012a\\u12AB"', '\u0060\u012a\u12ab'],
  ['"\\uD801\\udc37"', '\u{10437}'],
  ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
  ['"\\\\a"', '\\a'],
  ['"a/*b*/c//d#e"', 'a/*b*/c//d#e'],
  ['"\u2028\u2029\ufeff\u007f"', '\u2028\u2029\ufeff\u007f'],
  ['"\u{1f602}\u20ac"', '\u{1f602}\u20ac'],
] as const)('what is JSON is read as it is: %j', async (json, value) => {
  expect(await valueOf(json)).toEqual(value);
});

test.each([
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1 true]',
  '["a" "b"]',
  '[1',
  '[1}',
  '["a',
  '["a"]]',
  '{"a":1,}',
  '{"a" 1}',
  '{a:1}',
  "{'a':1}",
  '{"a":1 "b":2}',
  '{"a":}',
  '{1:1}',
  '{"a":"b"}#',
  '01',
  '-01',
  '+1',
  '.5',
  '1.',
  '1.e1',
  '-',
  '- 1',
  '1e',
  '1e+',
  '0x42',
  '1_000',
  '1+2',
  'Infinity',
  '-Infinity',
  'NaN',
  'nul',
  'True',
  'undefined',
  '',
  "'a'",
  '"\\x00"',
  '"\\a"',
  '"\\u00A"',
  '"\\u00zz"',
  '"\\',
  '"\t"',
  '"\0"',
  '[1]/**/',
  '\u00a01',
  '\ufeff1',
  '[\u000c]',
])('what is not JSON is refused, and its neighbours are read: %j', async (json) => {
  expect(await valueOf(json)).toBe('refused');
});

test('where the standard leaves it open: every digit is kept, the last of equal names counts, depth has no end', async () => {
  const text = async (json: string): Promise<string> => {
    const found = await readFiles({ 'accounts.ndjson': `${start}${json}}` });
    return `${found.bundles.get('A-1')!.records('accounts')[0]!.fields['v'] as number}`;
  };
  expect(await text('123123123123123123123123123123')).toBe('123123123123123123123123123123');
  expect(await text('1e400')).toBe('1e400');
  expect(await valueOf(`${'['.repeat(500)}${']'.repeat(500)}`)).not.toBe('refused');
});

test('bytes that are no UTF-8 are refused in a file of which that is stated', async () => {
  // Too short, too long, a surrogate, an end without a beginning
  for (const bytes of [[0xe9], [0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0x80]])
    expect(await valueOf(Buffer.from([0x22, ...bytes, 0x22]), { encoding: 'utf-8' })).toBe('refused');
});

test.each([
  ['a comma in quotes', `${key},v\nA-1,"Dr. No, M.D."\n`, 'Dr. No, M.D.'],
  ['empty cells', `${key},v\nA-1,""\n`, ''],
  ['quotes and line ends', `${key},v\r\nA-1,"ha ""ha""\r\nha"\r\n`, 'ha "ha"\r\nha'],
  [
    'JSON in a cell',
    `${key},v\nA-1,"{""type"": ""Point"", ""at"": [1.5, 2]}"\n`,
    '{"type": "Point", "at": [1.5, 2]}',
  ],
  ['a quote as the whole cell', `${key},v\nA-1,""""\n`, '"'],
  ['a delimiter as the whole cell', `${key};v\nA-1;";"\n`, ';'],
  ['no line end at the end', `${key},v\nA-1,last`, 'last'],
  ['a quoted last cell without a line end', `${key},v\nA-1,"la\nst"`, 'la\nst'],
  ['letters of all kinds', `${key},v\nA-1,ʤ 日本 \u{1f600}\n`, 'ʤ 日本 \u{1f600}'],
  ['a quoted header', `"${key}","v"\n"A-1","x"\n`, 'x'],
  ['spaces', `${key},v\nA-1, x \n`, ' x '],
])('CSV of the usual kinds is read as it is meant: %s', async (_name, text, value) => {
  const found = await readFiles({ 'accounts.csv': text });
  expect(found.bundles.get('A-1')!.records('accounts')[0]!.fields).toEqual({ [key]: 'A-1', v: value });
});

test('hundreds of thousands of columns are read', async () => {
  const names = Array.from({ length: 300_000 }, (_, at) => `c${at}`);
  const found = await readFiles({ 'accounts.csv': `${key},${names.join(',')}\nA-1,${names.join(',')}\n` });
  const [record] = found.bundles.get('A-1')!.records('accounts');
  expect(record!.fields['c299999']).toBe('c299999');
});
