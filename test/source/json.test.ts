import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkJson } from '../../src/source/formats/json/walk.ts';
import { key, places, problemsOf, readFiles, type WholeExport } from './temporary-export.ts';

const accounts = `${key}\nA-1\nA-2\nA-3\n`;

function fieldsOf(found: WholeExport, table: string): unknown[] {
  return [...found.bundles.values()].flatMap((bundle) => bundle.records(table).map(({ fields }) => fields));
}

test('a value in a pretty-printed array has its own line', async () => {
  const records = [
    {
      [key]: 'A-1',
      customers: [
        { name: 'Ann', phones: [] },
        { name: 'Bob', phones: ['1', '2'] },
      ],
    },
    { meter: { 'key\n"': null }, [key]: 'A-2' },
  ];
  const text = JSON.stringify(records, null, 2).replaceAll('\n', '\r\n');
  const found = await readFiles({ 'accounts.json': `\r\n${text}` });
  const lines = text.split('\r\n');
  const lineWith = (part: string, from = 0): number =>
    lines.findIndex((line, at) => at >= from && line.includes(part)) + 2;
  const [first] = found.bundles.get('A-1')!.records('accounts');
  expect(first!.line).toBe(3);
  expect(first!.cell(key)).toEqual({ file: 'accounts.json', line: lineWith('A-1'), column: key });
  expect(first!.cell('customers.1.name').line).toBe(lineWith('Bob'));
  expect(first!.cell('customers.1.phones.1').line).toBe(lineWith('"2"'));
  expect(first!.cell('customers.0.landline')).toEqual({
    file: 'accounts.json',
    line: lineWith('"name": "Ann"') - 1,
    column: 'customers.0.landline',
  });
  expect(first!.cell('billing_address.postal_code').line).toBe(3);
  const [second] = found.bundles.get('A-2')!.records('accounts');
  expect(second!.cell('meter.key\n"').line).toBe(lineWith('null'));
});

test('several elements on one line, with brackets and quotes in their strings, are told apart', async () => {
  const records = ['}', ']', '"', '\\', '\\"', '[{,', '\u2028'].map((body) => ({
    [key]: 'A-1',
    body,
    deep: [[{}]],
  }));
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.json': JSON.stringify(records) });
  expect(fieldsOf(found, 'notes')).toEqual(records);
  expect(found.bundles.get('A-1')!.records('notes')[6]!.cell('body').line).toBe(1);
});

test('numbers keep every digit', async () => {
  const text = `{"${key}":"A-1","amount":12345678901234567890.123456789}`;
  const found = await readFiles({ 'accounts.ndjson': text });
  expect(
    String(fieldsOf(found, 'accounts').map((fields) => (fields as Record<string, unknown>)['amount'])[0]),
  ).toBe('12345678901234567890.123456789');
});

test('a line or element that is not JSON is laid at its account, and the others are read', async () => {
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.ndjson': `{"${key}":"A-1","b":1}\n\n{"${key}":"A-2","b":[1,}\n{"b":tru,"${key}":"A-3"}\n{"${key}":"A-1","b":2}\n`,
    'documents.json': `[{"${key}":"A-1","b":1},\n\n{"${key}":"A-2",\n "b":{"c":01}}, {"${key}":"A-3"}]`,
    'cut.ndjson': `{"${key}":"A-1"}\n{"${key}":"A-2","b":"cu`,
  });
  expect(problemsOf(found)).toEqual([
    'malformed_json A-2 notes.ndjson:3:b.1',
    'malformed_json A-2 documents.json:4:b.c',
    'malformed_json A-2 cut.ndjson:2:b',
    'malformed_json A-3 notes.ndjson:4:b',
  ]);
  expect(found.bundles.get('A-3')!.problems[0]!.detail).toContain('character 6');
  expect(fieldsOf(found, 'notes')).toEqual([
    { [key]: 'A-1', b: 1 },
    { [key]: 'A-1', b: 2 },
  ]);
  expect(fieldsOf(found, 'documents')).toEqual([{ [key]: 'A-1', b: 1 }, { [key]: 'A-3' }]);
  expect(places(found.faults)).toEqual(['truncated_file - cut.ndjson:2:b']);
});

test.each([
  ['a text', 'x', true],
  ['an escape', String.raw`x\u00`, true],
  ['a number that lacks its digits', '","c":-', true],
  ['a literal', '","c":tru', true],
  ['a value that is missing', '","c":', true],
  ['a key', '","c', true],
  ['no value, by a comma too many', '","c":[1,,2]}', false],
  ['no value, by a word that is none', '","c":yes}', false],
] as const)('a last line is cut off within %s: %s', async (_name, rest, isCut) => {
  const notes = `{"${key}":"A-1"}\n{"${key}":"A-2","b":"${rest}`;
  const found = await readFiles({ 'accounts.csv': accounts, 'notes.ndjson': notes });
  expect(problemsOf(found)).toEqual([expect.stringContaining('malformed_json A-2 notes.ndjson:2')]);
  expect(found.faults.map(({ code, holdsBack }) => [code, holdsBack])).toEqual(
    isCut ? [['truncated_file', true]] : [],
  );
});

test.each([
  ['a comma is missing', '[\n{"k":"A-1"}\n{"k":"A-2"}]', 'malformed_json', 3],
  ['a comma too many', '[\n{"k":"A-1"},\n]', 'malformed_json', 3],
  ['a bracket closes another', '[\n{"k":"A-1"},\n{"k":["A-2"}]', 'malformed_json', 3],
  ['a string is not closed', '[\n{"k":"A-1"},\n{"k":"A-2},\n{"k":"A-3"}]', 'malformed_json', 3],
  ['something follows the array', '[\n{"k":"A-1"}]\n[]', 'malformed_json', 3],
  ['the array is not closed', '[\n{"k":"A-1"},\n{"k":"A-2"}\n', 'truncated_file', 4],
  ['the file is cut off within a record', '[\n{"k":"A-1"},\n{"k":"A', 'truncated_file', 3],
])('where %s, what came before is read and the rest holds all back', async (_name, text, code, line) => {
  const found = await readFiles(
    { 'accounts.csv': accounts.replace(key, 'k'), 'notes.json': text },
    { key: 'k' },
  );
  expect(found.bundles.get('A-1')!.records('notes')).toHaveLength(1);
  expect(places(found.faults)).toEqual([`${code} - notes.json:${line}:`]);
  expect(found.faults[0]!.holdsBack).toBe(true);
});

test('a broken array of accounts holds all back, and the accounts before it are whole', async () => {
  const found = await readFiles({ 'accounts.json': `[{"${key}":"A-1"},\n{"${key}":"A` });
  expect(found.accounts).toBe(1);
  expect(found.faults.map(({ code, holdsBack }) => [code, holdsBack])).toEqual([['truncated_file', true]]);
});

test.each([
  ['an array', 'accounts.json', `[{"${key}":"A-1"},\n{"${key}":"A-2"`, 'truncated_file -'],
  ['an array that is broken', 'accounts.json', `[{"${key}":"A-1"}\n{"${key}":"A-2"}]`, 'malformed_json -'],
  ['lines', 'accounts.ndjson', `{"${key}":"A-1"}\n{"${key}":"A-2","n`, 'malformed_json A-2'],
  ['CSV', 'accounts.csv', `${key},name\nA-1,Ann\nA-2`, 'wrong_number_of_cells A-2'],
  ['CSV within quotes', 'accounts.csv', `${key},name\nA-1,Ann\nA-2,"B`, 'wrong_quoting A-2'],
])(
  'rows whose account may be in the part of the accounts that is missing are not called orphans: %s',
  async (_name, file, text, fault) => {
    const notes = { 'notes.csv': `${key},body\nA-1,x\nA-3,y\nA-4,z\n`, 'broken.csv': `${key},a,b\nA-5,x\n` };
    const found = await readFiles({ [file]: text, ...notes });
    const [cut] = [...problemsOf(found), ...places(found.faults)];
    expect(cut).toContain(`${fault} ${file}:`);
    expect(places(found.faults).filter((place) => !place.includes(file))).toEqual([
      'wrong_number_of_cells - broken.csv:2:b',
    ]);
    const mended = await readFiles({ 'accounts.csv': `${key}\nA-1\nA-2`, ...notes });
    expect(places(mended.faults)).toEqual([
      `orphan_row A-3 notes.csv:3:${key}`,
      `orphan_row A-4 notes.csv:4:${key}`,
      'wrong_number_of_cells - broken.csv:2:b',
    ]);
  },
);

test('what is not an object, or has no account number that is a string, is a fault', async () => {
  const found = await readFiles(
    {
      'accounts.ndjson': '{"id":{"old":"A-1"}}\n{"id":{"old":17}}\n',
      'notes.json':
        '[{"id":{"old":"A-1"}}, null, 3, "x", [1],\n{"id":{}}, {"id":{"old":""}},\n{"id":{"old":["A-1"]}}, {"id":{"old":17}},\n{"id":{"old":"\\ud800"}}]',
    },
    { key: 'id.old' },
  );
  expect(problemsOf(found)).toEqual([
    'malformed_account_number 17 accounts.ndjson:2:id.old',
    'malformed_account_number 17 notes.json:3:id.old',
  ]);
  expect(places(found.faults)).toEqual([
    'not_an_object - notes.json:1:',
    'not_an_object - notes.json:1:',
    'not_an_object - notes.json:1:',
    'not_an_object - notes.json:1:',
    'missing_account_number - notes.json:2:id.old',
    'missing_account_number - notes.json:2:id.old',
    'malformed_account_number - notes.json:3:id.old',
    'surrogate_characters_not_allowed - notes.json:4:id.old',
  ]);
  expect(found.accounts).toBe(2);
});

test('the walk over a JSON text agrees with the parser on what is JSON', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.string({
        unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '0', '-', '.', 'e', '\n'),
        maxLength: 2,
      }),
      fc.nat(2),
      (text, at, character, cut) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + character + text.slice(place + cut);
        expect(walkJson(text, () => undefined)).toBeUndefined();
        expect(walkJson(changed, () => undefined) === undefined).toBe(isJson(changed));
      },
    ),
    { numRuns: 2000 },
  );
});

test('a key that an object has twice is a problem at its second place, and its account is known', async () => {
  const found = await readFiles({
    'accounts.ndjson': [
      `{"${key}":"A-1","balance":"1.10","balance":"9999.99"}`,
      `{"${key}":"A-2","customers":[{"name":"\\"name\\":"},{"name":"Ann","phones":[{"x":1 , "\\u0078" : 2}]}]}`,
      `{"${key}":"A-3","one":{"name":":"},"two":{"name":"Bob"},"a.b":1,"a":{"b":"12:30:00"}}`,
      `{"${key}":"A-4","${key}":"A-5"}`,
    ].join('\n'),
    'notes.json': `[{"${key}":"A-3",\n "body": 1,\n "deep": {"body": 12345678901234567890.5,\n  "body": 2}}]`,
  });
  expect(problemsOf(found).sort()).toEqual([
    'duplicate_key A-1 accounts.ndjson:1:balance',
    'duplicate_key A-2 accounts.ndjson:2:customers.1.phones.0.x',
    'duplicate_key A-3 notes.json:4:deep.body',
  ]);
  expect(places(found.faults)).toEqual([`duplicate_key - accounts.ndjson:4:${key}`]);
});

test('a NUL and half a surrogate pair in a text or a key are problems, and whole pairs are text', async () => {
  const lines = [
    String.raw`{"${key}":"A-1","a":{"b":["x","x\u0000y"]}}`,
    String.raw`{"${key}":"A-2","a":"\ud83d\ude00 \\u0000 \\ud800 \ud83D"}`,
    String.raw`{"${key}":"A-3","a":"\ud83d\ude00 \\u0000 \\ud800"}`,
    String.raw`{"${key}":"A-4","a":{"k\uDC00":1}}`,
    String.raw`{"${key}":"A-\u0000"}`,
  ];
  const found = await readFiles({ 'accounts.ndjson': lines.join('\n') });
  expect(problemsOf(found).sort()).toEqual([
    'null_characters_not_allowed A-1 accounts.ndjson:1:a.b.1',
    'surrogate_characters_not_allowed A-2 accounts.ndjson:2:a',
    String.raw`surrogate_characters_not_allowed A-4 accounts.ndjson:4:a.k\udc00`,
  ]);
  expect(places(found.faults)).toEqual([`null_characters_not_allowed - accounts.ndjson:5:${key}`]);
});

test('a record that is nested without end is a problem, and the others are read', async () => {
  const deep = '['.repeat(300_000) + ']'.repeat(300_000);
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.ndjson': `{"${key}":"A-1","b":${deep}}\n{"${key}":"A-2","b":1}\n{"${key}":"A-3","b":${deep},"c":1,"c":2}\n`,
  });
  const place = `b${'.0'.repeat(62)}`;
  expect(problemsOf(found)).toEqual([
    `malformed_json A-1 notes.ndjson:1:${place}`,
    `malformed_json A-3 notes.ndjson:3:${place}`,
  ]);
});
