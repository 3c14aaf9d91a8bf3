import { expect, test } from 'vitest';
import { key, places, problemsOf, readFiles } from './temporary-export.ts';

const text = `${key},name\r\nA-1,Zoë €\r\nA-2,\u{1f600}\r\n`;

function utf16be(content: string): Buffer {
  return Buffer.from(content, 'utf16le').swap16();
}

test.each([
  ['UTF-8', Buffer.from(text), 'utf-8'],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
  ['UTF-16LE with its mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
  ['UTF-16BE with its mark', utf16be(`\ufeff${text}`), 'utf-16be'],
  ['UTF-16LE without', Buffer.from(text, 'utf16le'), 'utf-16le'],
  ['UTF-16BE without', utf16be(text), 'utf-16be'],
])('%s is found by itself', async (_name, bytes, encoding) => {
  const found = await readFiles({ 'accounts.csv': bytes });
  expect(found.tables[0]!.encoding).toBe(encoding);
  expect(found.bundles.get('A-1')!.records('accounts')[0]!.fields).toEqual({ [key]: 'A-1', name: 'Zoë €' });
  expect(found.bundles.get('A-2')!.records('accounts')[0]!.fields['name']).toBe('\u{1f600}');
});

test('a stated encoding is used, the euro sign of windows-1252 included', async () => {
  const bytes = Buffer.concat([
    Buffer.from(`${key},name\nA-1,"`),
    Buffer.from([0x80, 0x92, 0xe9, 0xff, 0x22, 0x0a]),
  ]);
  const found = await readFiles({ 'accounts.csv': bytes }, { encoding: 'cp1252' });
  expect(found.bundles.get('A-1')!.records('accounts')[0]!.fields['name']).toBe('€’éÿ');
  const latin9 = await readFiles(
    { 'accounts.csv': Buffer.from([...Buffer.from(`${key}\n`), 0xa4]) },
    { encoding: 'iso-8859-15' },
  );
  expect([...latin9.bundles.keys()]).toEqual(['€']);
});

test.each([
  ['utf-8', Buffer.from('ö€\u{1f600}')],
  ['utf-16le', Buffer.from('ö€\u{1f600}\u0a0a\u0d0a', 'utf16le')],
  ['utf-16be', utf16be('ö€\u{1f600}\u0a0a\u0d0a')],
  // Its second byte is a backslash, or a bar, by itself.
  ['shift_jis', Buffer.from([0x83, 0x5c, 0x83, 0x7c])],
] as const)('a file of many blocks is cut between characters (%s)', async (encoding, cell) => {
  const narrow = (content: string): Buffer =>
    encoding === 'utf-16le'
      ? Buffer.from(content, 'utf16le')
      : encoding === 'utf-16be'
        ? utf16be(content)
        : Buffer.from(content);
  const count = 12_000;
  const rows = Array.from({ length: count }, (_, at) => [
    narrow(`A-${at},"`),
    cell,
    cell,
    narrow('\r\n'),
    cell,
    narrow('"\r\n'),
  ]).flat();
  const found = await readFiles(
    { 'accounts.csv': Buffer.concat([narrow(`${key},name\r\n`), ...rows]) },
    { encoding },
  );
  const expected = new TextDecoder(encoding).decode(cell);
  expect(problemsOf(found)).toEqual([]);
  expect(found.faults).toEqual([]);
  expect(found.accounts).toBe(count);
  for (const bundle of found.bundles.values())
    expect(bundle.records('accounts')[0]!.fields['name']).toBe(`${expected}${expected}\r\n${expected}`);
  expect(found.bundles.get(`A-${count - 1}`)!.records('accounts')[0]!.line).toBe(2 * count);
});

test('a byte that is not of the encoding is found at its cell, and only that cell is in doubt', async () => {
  const bad = Buffer.from([0xe9]);
  const around = (before: string, after: string): Buffer =>
    Buffer.concat([Buffer.from(before), bad, Buffer.from(after)]);
  const files = {
    'accounts.csv': `${key}\nA-1\nA-2\nA-3\nA-4\n`,
    'notes.csv': around(`${key},body,x\nA-1,genuine \ufffd,1\nA-2,"one\ntwo `, `",2\nA-3,fine,3\n`),
    'documents.json': around(
      `[{"${key}":"A-1"},\n{"${key}":"A-3","a":[1,\n{"b":"`,
      `"}]}, {"${key}":"A-4"}]`,
    ),
    'extra.ndjson': around(`{"${key}":"A-1"}\n{"${key}":"A-4","b":"`, `"}\n{"${key}":"A-2"}\n`),
    'ledgers.csv': around(`${key},body\nA-`, ',x\nA-3,fine\n'),
  };
  const found = await readFiles(files, { encoding: 'utf-8' });
  expect(problemsOf(found)).toEqual([
    'invalid_encoding A-2 notes.csv:4:body',
    'invalid_encoding A-3 documents.json:3:a.1.b',
    'invalid_encoding A-4 extra.ndjson:2:b',
  ]);
  expect(found.faults.map((fault) => [...places([fault]), fault.holdsBack])).toEqual([
    [`invalid_encoding - ledgers.csv:2:${key}`, true],
  ]);
  const [note] = found.bundles.get('A-2')!.records('notes');
  expect([note!.value('x'), note!.unreadable]).toEqual(['2', ['body']]);
  const tables = ['notes', 'documents', 'extra', 'ledgers'];
  expect(
    Object.fromEntries(
      [...found.bundles].map(([account, bundle]) => [
        account,
        tables.map((table) => bundle.records(table).length).join(''),
      ]),
    ),
  ).toEqual({ 'A-1': '1110', 'A-2': '1010', 'A-3': '1101', 'A-4': '0110' });
});

test('a file cut off within a character says so at its last row', async () => {
  const cut = (content: string, encoding: BufferEncoding): Buffer =>
    Buffer.from(content, encoding).subarray(0, -1);
  const found = await readFiles({
    'accounts.csv': cut(`${key},name\nA-1,Änn\nA-2,Zoë`, 'utf8'),
    'notes.csv': cut(`\ufeff${key},body\nA-1,x`, 'utf16le'),
  });
  expect(problemsOf(found)).toEqual([
    'invalid_encoding A-1 notes.csv:2:body',
    'invalid_encoding A-2 accounts.csv:3:name',
  ]);
});

test('the message about bytes of a JSON file proposes the encodings that fit them', async () => {
  const text = Buffer.from([0x93, 0x8c, 0x8b, 0x9e, 0x93, 0x73, 0x82, 0xcc, 0x8c, 0xda, 0x8b, 0x71]);
  const record = Buffer.concat([Buffer.from(`{"${key}":"A-1","note":"`), text, Buffer.from('"}')]);
  const ndjson = Buffer.concat([record, Buffer.from('\n')]);
  const array = Buffer.concat([Buffer.from('['), record, Buffer.from(']')]);
  for (const [file, bytes] of [
    ['accounts.ndjson', ndjson],
    ['accounts.json', array],
  ] as const) {
    const found = await readFiles({ [file]: bytes });
    const problems = [...found.bundles.values()].flatMap((bundle) => bundle.problems);
    expect(problems[0]).toMatchObject({ code: 'invalid_encoding', detail: expect.stringContaining('shift_jis') as string }); // prettier-ignore
  }
});
