import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { copyRejected } from '../../src/source/copy-rejected.ts';
import type { TableSpec } from '../../src/source/export.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { directoryWith } from './temporary-export.ts';

type Stated = Pick<TableSpec, 'encoding' | 'comment' | 'delimiter'>;

/** What is copied of a file whose accounts B and ö are rejected. */
async function copied(file: string, bytes: Buffer | string, stated: Stated = {}): Promise<Buffer> {
  const root = directoryWith({ [file]: bytes });
  const directory = temporaryDirectory('rejects-');
  const specs: TableSpec[] = [{ name: 'accounts', file, role: 'accounts', key: 'id', ...stated }];
  const refused = await copyRejected(root, specs, [file], directory, (account) =>
    ['B', 'ö'].includes(account) ? 'code at f.csv:2:x; "Ö" + more' : undefined,
  );
  expect(refused).toBeUndefined();
  expect(readdirSync(directory)).toEqual([file]);
  expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  return readFileSync(join(directory, file));
}

const reason = "code at f.csv:2:x; 'Ö' + more";

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

test('CSV rows come out as they are, with the reason in a last column', async () => {
  const text =
    '\ufeffid,note\r\n"A",1\r\n\r\nB,"two\r\nlines, ""quoted"""\r\nC,3\r\n,\r\nB  ,4\r\n"B",unterminated';
  expect((await copied('a.csv', text)).toString()).toBe(
    `\ufeffid,note,rejected_because\r\nB,"two\r\nlines, ""quoted""",${reason}\r\nB  ,4,${reason}\r\n"B",unterminated,${reason}\n`,
  );
});

test('rows of another encoding and delimiter keep both', async () => {
  const latin = Buffer.from('# export\nid;größe\nA;1\n# of B\nB;\xe4\xf6\x80\n\xf6;2\n', 'latin1');
  const stated = { encoding: 'windows-1252', comment: '#' };
  expect((await copied('a.csv', latin, stated)).toString('latin1')).toBe(
    `# export\nid;größe;rejected_because\nB;\xe4\xf6\x80;${reason.replace(';', ' ')}\n\xf6;2;${reason.replace(';', ' ')}\n`,
  );

  const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const rows = await copied('a.csv', wide('id\tx\nA\t1\nö\t😀\n'));
  expect(rows).toEqual(wide(`id\tx\trejected_because\nö\t😀\t${reason}\n`));
});

test('rows that could not be read come with the others of their account', async () => {
  const text = 'id,note,x\nB,too few\nA,1,2\nB,"wrong" quote,2\n,,\nB,\xff,"a\nb"\nA,1,2\n';
  const stated = { encoding: 'utf-8' };
  expect((await copied('a.csv', Buffer.from(text, 'latin1'), stated)).toString('latin1')).toBe(
    `id,note,x,rejected_because\nB,too few,${bytesOf(reason)}\nB,"wrong" quote,2,${bytesOf(reason)}\nB,\xff,"a\nb",${bytesOf(reason)}\n`,
  );
});

test('a file that none of the rejected has rows in keeps its header', async () => {
  expect((await copied('a.csv', 'id,x\nA,1\n')).toString()).toBe('id,x,rejected_because\n');
  expect((await copied('a.csv', 'id,x')).toString()).toBe('id,x,rejected_because\n');
  expect((await copied('a.ndjson', '{"id":"A"}\n')).toString()).toBe('');
  expect(JSON.parse((await copied('a.json', '[{"id":"A"}]')).toString())).toEqual([]);
});

test('a reason of an earlier time is replaced where it stands', async () => {
  const text = 'id,rejected_because,x\nA,old,1\nB,"old, and quoted",2\nB,,3\n';
  expect((await copied('a.csv', text)).toString()).toBe(
    `id,rejected_because,x\nB,${reason.replace(',', ' ')},2\nB,${reason},3\n`,
  );
  const json = '{"id":"B","rejected_because":"old \\"one\\""}\n';
  expect((await copied('a.ndjson', json)).toString()).toBe(
    `{"id":"B","rejected_because":${JSON.stringify('code at f.csv:2:x; "Ö" + more').replace('Ö', String.raw`\u00d6`)}}\n`,
  );
});

test('JSON records keep every digit and character, in a line or in an array', async () => {
  const record = '{ "id" : "B", "n": 1.00000000000000000001, "s": "ä\\u00e4" ';
  const member = `,"rejected_because":${JSON.stringify('code at f.csv:2:x; "Ö" + more').replace('Ö', String.raw`\u00d6`)}`;
  expect((await copied('a.ndjson', `{"id":"A"}\n\n${record}}\n`)).toString()).toBe(
    `${record.trimEnd()}${member} }\n`,
  );
  expect((await copied('a.json', `[ {"id":"A"},\n${record}\n}, {"id":"B"} ]`)).toString()).toBe(
    `[\n${record.trimEnd()}${member} \n},\n{"id":"B"${member}}\n]\n`,
  );
  const latin = await copied('a.json', Buffer.from('[{"id":"B","s":"ä"}]', 'latin1'), {
    encoding: 'windows-1252',
  });
  expect(JSON.parse(latin.toString('ascii'))).toMatchObject([{ id: 'B', s: 'ä' }]);
});

test('a record with a wrong byte does not become a good one', async () => {
  const broken = Buffer.from('[{"id":"B","s":"\xff"}]', 'latin1');
  expect((await copied('a.json', broken, { encoding: 'utf-8' })).toString('latin1')).toContain('"s":"\xff"');
});

test('a compressed file comes out compressed', async () => {
  const rows = await copied('a.csv.gz', gzipSync('id,x\nA,1\nB,2\n'));
  expect(gunzipSync(rows).toString()).toBe(`id,x,rejected_because\nB,2,${reason}\n`);
});

test('a file of an inner directory comes out in one of the same name', async () => {
  const root = directoryWith({ 'inner/a.csv': 'id\nA\nB\n' });
  const directory = temporaryDirectory('rejects-');
  const specs: TableSpec[] = [{ name: 'accounts', file: 'inner/a.csv', role: 'accounts', key: 'id' }];
  expect(await copyRejected(root, specs, [], directory, () => 'x')).toBeUndefined();
  expect(readFileSync(join(directory, 'inner/a.csv'), 'utf8')).toBe('id,rejected_because\nA,x\nB,x\n');
});

test('a file of many blocks is cut at the right lines', async () => {
  const lines = Array.from({ length: 60_000 }, (_, at) => `${at % 3 === 0 ? 'B' : 'A'},"${at}\r\n${at}"\r\n`);
  const rows = await copied('a.csv', `id,x\r\n${lines.join('')}`);
  const expected = lines.filter((_, at) => at % 3 === 0).map((row) => row.replace(/\r\n$/, `,${reason}\r\n`));
  expect(rows.toString()).toBe(`id,x,rejected_because\r\n${expected.join('')}`);
});

test('a file of two tables is copied once, with the rows that were rejected in either', async () => {
  const root = directoryWith({ 'a.csv': 'id,owner\nA,X\nB,X\nC,B\nD,Y\n' });
  const directory = temporaryDirectory('rejects-');
  const specs: TableSpec[] = [
    { name: 'accounts', file: 'a.csv', role: 'accounts', key: 'id' },
    { name: 'owned', file: 'a.csv', role: 'child', key: 'owner' },
  ];
  const refused = await copyRejected(root, specs, ['a.csv'], directory, (account) =>
    account === 'B' ? 'wrong' : undefined,
  );
  expect(refused).toBeUndefined();
  expect(readFileSync(join(directory, 'a.csv'), 'utf8')).toBe(
    'id,owner,rejected_because\nB,X,wrong\nC,B,wrong\n',
  );
});

/** 氏名, 見出し, ポ and 番号 in Shift JIS; the second byte of ポ is that of |. */
const japanese = { 氏名: '8e8196bc', 見出し: '8ca98f6f82b5', ポ: '837c', 番号: '94d48d86' };

function shiftJis(text: string): Buffer {
  const pieces = text.split(/(氏名|見出し|ポ|番号)/);
  return Buffer.concat(
    pieces.map((piece) =>
      piece in japanese ? Buffer.from(japanese[piece as keyof typeof japanese], 'hex') : Buffer.from(piece),
    ),
  );
}

test.each([
  ['utf-8', '見出し', (text: string) => Buffer.from(text)],
  ['shift_jis', '見出し', shiftJis],
  ['utf-16le', '見出し', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['windows-1252', 'Übersicht', (text: string) => Buffer.from(text, 'latin1')],
])(
  'rows of a file in %s keep their header after comments that begin with %s',
  async (encoding, comment, bytes) => {
    const stated = { encoding, comment, delimiter: '|' };
    const found = await copied('a.csv', bytes(`${comment} 1\nid|x\n${comment} 2\nA|1\nB|2\n`), stated);
    const because = reason.replaceAll('Ö', encoding === 'shift_jis' ? '?' : 'Ö');
    expect(found).toEqual(bytes(`${comment} 1\nid|x|rejected_because\nB|2|${because}\n`));
  },
);

test('a reason names columns in the encoding of the file', async () => {
  const root = directoryWith({ 'a.csv': shiftJis('番号|氏名|rejected_because|x\nB|ポポ|old|1\n') });
  const directory = temporaryDirectory('rejects-');
  const specs: TableSpec[] = [
    { name: 'a', file: 'a.csv', role: 'accounts', key: '番号', encoding: 'shift_jis', delimiter: '|' },
  ];
  await copyRejected(root, specs, ['a.csv'], directory, () => 'invalid at a.csv:2:氏名 (한)');
  expect(readFileSync(join(directory, 'a.csv'))).toEqual(
    shiftJis('番号|氏名|rejected_because|x\nB|ポポ|invalid at a.csv:2:氏名 (?)|1\n'),
  );
});
