import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { typedNumber } from '../../src/domain/typed-value.ts';
import { listExport } from '../../src/source/list-export.ts';
import { openExport } from '../../src/source/open-export.ts';
import { placeAt } from '../../src/source/places/places.ts';
import { project } from '../cli/tool.ts';
import { S3Store, type Fault } from '../s3/start-s3.ts';
import { directoryWith, key, places, problemsOf, readAll, refusal, table } from './temporary-export.ts';
import { workbook, zipOf } from './workbook.ts';

let store: S3Store;
const before = { ...process.env };
beforeAll(async () => {
  store = await S3Store.start();
  Object.assign(process.env, store.env);
});
beforeEach(() => store.reset());
afterAll(async () => {
  for (const name of Object.keys(store.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before);
  await store.close();
});

const accounts = `${key},name\nA-1,Öl\nA-2,x\n`;
const notes = `{"${key}":"A-1","body":"one"}\n{"${key}":"A-1",\n`;
/** Accounts of some 3 MB, so that each reading asks for several parts. */
const book = `${key},name\n${Array.from({ length: 40_000 }, (_, at) => `A-${10_000_000 + at},${'x'.repeat(60)}${at}\n`).join('')}`;

/** What keeps an address from being listed: its code, and the words about it. */
async function refused(address: string): Promise<string> {
  const listing = await listExport(address);
  if (!('problems' in listing)) throw new Error('it was listed');
  const { code, detail } = listing.problems[0]!;
  expect(detail).toContain(address);
  return `${code} ${detail}`;
}

/** The file as it is read from the bucket. */
async function bytesOf(name: string): Promise<string> {
  const place = await placeAt('s3://night/book');
  const file = await place.find(name);
  const blocks: Buffer[] = [];
  for await (const block of file!.read({}, 65_536)) blocks.push(Buffer.from(block));
  return Buffer.concat(blocks).toString();
}

const parts = () =>
  store.requests
    .filter(({ method, range }) => method === 'GET' && range !== undefined)
    .map(({ range }) => range);

test('the objects under a prefix are listed like the files of a directory', async () => {
  await store.put({
    'listed/2026 11/accounts.csv': accounts,
    'listed/2026 11/notes.ndjson': notes,
    'listed/2026 11/README.md': '',
    'listed/2026 11/old/accounts.csv': '',
    'listed/2026 11x/more.csv': '',
  });
  const listing = { root: 's3://night/listed/2026 11', label: 's3://night/listed/2026 11', files: ['accounts.csv', 'notes.ndjson'] }; // prettier-ignore
  expect(await listExport('s3://night/listed/2026 11')).toEqual(listing);
  expect(await listExport('s3://night/listed/2026 11/')).toEqual(listing);
});

test('an object with the name of a data file is the export', async () => {
  await store.put({ 'one/accounts.csv': accounts, 'one/notes.ndjson': notes });
  expect(await listExport('s3://night/one/accounts.csv')).toEqual({
    root: 's3://night/one',
    label: 's3://night/one',
    files: ['accounts.csv'],
  });
});

test('a list of more objects than one answer holds is listed to its end', async () => {
  const names = Array.from({ length: 1050 }, (_, at) => `accounts-${at + 1}.csv`);
  await store.put(Object.fromEntries(names.map((name) => [`many/${name}`, ''])));
  const listing = await listExport('s3://night/many');
  expect('files' in listing && listing.files.length).toBe(1050);
});

test('what is read from a bucket is what is read from a directory, and cells have the address', async () => {
  const files = {
    'accounts.csv': accounts,
    'notes.ndjson': notes,
    'more.csv.gz': gzipSync(`${key},b\nA-1,y\n`),
  };
  await store.put(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`same/${name}`, bytes])));
  const specs = [table('accounts.csv'), table('notes.ndjson'), table('more.csv', { name: 'more' })];
  const far = await readAll('s3://night/same', specs, { namedUnder: 's3://night/same' });
  const near = await readAll(directoryWith(files), specs);
  for (const { name } of specs)
    expect(far.bundles.get('A-1')?.records(name)[0]?.fields).toEqual(
      near.bundles.get('A-1')?.records(name)[0]?.fields,
    );
  expect(far.isSorted).toBe(true);
  expect(problemsOf(far)).toEqual([`malformed_json A-1 s3://night/same/notes.ndjson:3:${key}`]);
});

test('workbooks and archives are read in parts, without the rest', async () => {
  const rows = Array.from({ length: 30_000 }, (_, at) => [`A-${100_000 + at}`, Math.random()]);
  const sheets = workbook({ Kunden: [['NR', 'SALDO'], ['A-1', 12.3]], Rest: [['NR', 'X'], ...rows] }); // prettier-ignore
  await store.put({
    'packed/book.xlsx': sheets,
    'packed/export.zip': await zipOf({ 'accounts.csv': accounts, 'book.xlsx': sheets }),
  });
  const spec = table('book.xlsx', { name: 'accounts', role: 'accounts', sheet: 'Kunden', key: 'NR' });
  const book = await readAll('s3://night/packed', [spec]);
  expect(book.bundles.get('A-1')?.records('accounts')[0]?.fields).toEqual({ NR: 'A-1', SALDO: '12.3' });
  expect(store.requests.map(({ path }) => path)).not.toContain('night/packed/export.zip');

  store.reset();
  expect(await listExport('s3://night/packed/export.zip')).toMatchObject({
    label: 's3://night/packed/export.zip',
    files: ['accounts.csv', 'book.xlsx'],
  });
  expect(parts()).toHaveLength(1);
  const found = await readAll('s3://night/packed/export.zip', [table('accounts.csv'), { ...spec, name: 'book', role: 'child' }]); // prettier-ignore
  expect(found.bundles.get('A-1')?.records('accounts')[0]?.fields).toEqual({ [key]: 'A-1', name: 'Öl' });
  expect(found.bundles.get('A-1')?.records('book')[0]?.fields).toEqual({ NR: 'A-1', SALDO: '12.3' });
});

test('a Parquet file is read in parts', async () => {
  await store.put({
    'parquet/kunden.parquet': readFileSync(project('test/source/parquet/duckdb-zstd.parquet')),
  });
  const spec = table('kunden.parquet', { name: 'accounts', role: 'accounts', key: 'nr' });
  const found = await readAll('s3://night/parquet', [spec]);
  expect(found.bundles.get('A-1')?.records('accounts')[0]?.value('huge')).toEqual(
    typedNumber('12345678901234567890123456.78'),
  );
});

test('an answer that breaks off is gone on with at the byte where it stopped', async () => {
  await store.put({ 'book/accounts.csv': book });
  expect(await bytesOf('accounts.csv')).toBe(book);
  const whole = parts();
  expect(whole.length).toBeGreaterThan(3);

  store.reset();
  let asked = 0;
  store.fault = ({ range }): Fault | undefined => {
    if (range === undefined) return undefined;
    asked += 1;
    return asked % 3 === 0 ? undefined : { cutAfter: 100_000 + asked };
  };
  expect(await bytesOf('accounts.csv')).toBe(book);
  expect(parts().slice(0, 3)).toEqual(['bytes=0-262143', 'bytes=100001-624288', 'bytes=200003-1248578']);
});

test('an object that gives no further byte is an error that names it', async () => {
  await store.put({ 'book/accounts.csv': book });
  store.fault = ({ range }) => (range?.startsWith('bytes=0-') === false ? { cutAfter: 0 } : undefined);
  const problems = await refusal('s3://night/book', [table('accounts.csv')]);
  expect(problems[0]).toMatchObject({
    code: 'store_unreachable',
    detail: expect.stringMatching(
      /^accounts\.csv cannot be read: .* run the same command again\.$/,
    ) as string,
  });
});

test.each([
  ['knows conditions', true],
  ['does not know conditions', false],
])(
  'an object that changes while it is read is an error that names it, where the store %s',
  async (_what, knows) => {
    await store.put({ 'book/accounts.csv': book });
    store.knowsConditions = knows;
    const open = () =>
      openExport('s3://night/book', [table('accounts.csv')], { namedUnder: 's3://night/book' });
    let asked = 0;
    store.fault = async ({ range }) => {
      if (range !== undefined && (asked += 1) === 3)
        await store.put({ 'book/accounts.csv': `${book}A-9,new\n` });
      return undefined;
    };
    const opened = await open();
    expect('problems' in opened && opened.problems[0]).toMatchObject({
      code: 'file_changed',
      cell: { file: 's3://night/book/accounts.csv' },
    });

    store.fault = () => undefined;
    const whole = await open();
    if ('problems' in whole) throw new Error('it is unreadable');
    await store.put({ 'book/accounts.csv': book });
    const reading = (async () => {
      for await (const { account } of whole.bundles()) expect(account).toMatch(/^A-1/);
    })();
    await expect(reading).rejects.toMatchObject({ problem: { code: 'file_changed' } });
    whole.close();
  },
);

test('an archive that changes while it is read is an error too', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `A-${100_000 + at},${Math.random()}\n`);
  const packed = await zipOf({ 'accounts.csv': `${key},name\n${rows.join('')}` });
  await store.put({ 'changed.zip': packed });
  store.fault = async ({ range = '' }) => {
    // Where the part begins, after its header.
    if (/^bytes=[1-9]\d-/.test(range)) await store.put({ 'changed.zip': Buffer.concat([packed, packed]) });
    return undefined;
  };
  const [problem] = await refusal('s3://night/changed.zip', [table('accounts.csv')]);
  expect(problem).toMatchObject({ code: 'file_changed', cell: { file: 'accounts.csv' } });
});

test('an object has another state after it was replaced, also by the same bytes in a bucket with versions', async () => {
  const stateOf = async (version: string) => {
    store.fault = () => ({ headers: { 'x-amz-version-id': version } });
    const { state } = (await (await placeAt('s3://night/book')).find('accounts.csv'))!;
    return state;
  };
  await store.put({ 'book/accounts.csv': accounts });
  const first = await stateOf('v1');
  expect(await stateOf('v1')).toEqual(first);
  expect((await stateOf('v2')).mark).not.toBe(first.mark);
  await store.put({ 'book/accounts.csv': accounts.replace('x', 'y') });
  expect((await stateOf('v1')).mark).not.toBe(first.mark);
});

test('an address without an object, and a table without one, are told', async () => {
  await store.put({ 'there/accounts.csv': accounts });
  expect(await refused('s3://night/elsewhere')).toMatch(/^unreadable_export .* does not exist: /);
  expect(await refused('s3://night/there/account.csv')).toMatch(/^unreadable_export .* does not exist: /);
  expect(await refused('s3://other-night/there')).toMatch(/^no_bucket .*no such bucket/);
  const [problem] = await refusal('s3://night/there', [table('accounts.csv'), table('note.csv')]);
  expect(problem).toMatchObject({ code: 'missing_file', detail: 'There is no file note.csv. Add it.' });
});

test.each([
  ['denies access', { status: 403, code: 'AccessDenied' }, /^access_denied .*s3:ListBucket/],
  [
    'is in another region',
    { status: 400, code: 'AuthorizationHeaderMalformed' },
    /^wrong_region .*Set AWS_REGION/,
  ],
  ['leads elsewhere', { status: 301, code: 'PermanentRedirect' }, /^wrong_region .*Set AWS_REGION/],
  ['answers something else', { status: 405, code: 'MethodNotAllowed' }, /^store_refused .* 405 \(MethodNotAllowed: So said\)/], // prettier-ignore
])('a store that %s is told with a remedy', async (_what, fault, message) => {
  await store.put({ 'refused/accounts.csv': accounts });
  store.fault = () => fault;
  expect(await refused('s3://night/refused')).toMatch(message);
});

test('an object that may not be read is told beside the others', async () => {
  await store.put({ 'denied/accounts.csv': accounts, 'denied/notes.ndjson': notes });
  store.fault = ({ path }) =>
    path.endsWith('notes.ndjson') ? { status: 403, code: 'AccessDenied' } : undefined;
  const problems = await refusal('s3://night/denied', [
    table('accounts.csv'),
    table('notes.ndjson'),
    table('x.csv'),
  ]);
  expect(places(problems)).toEqual(['access_denied - notes.ndjson:1:', 'missing_file - x.csv:1:']);
});

test('an object that is compressed under a plain name is refused', async () => {
  await store.put({ 'coded/accounts.csv': gzipSync(accounts) }, { 'content-encoding': 'gzip' });
  const [problem] = await refusal('s3://night/coded', [table('accounts.csv')]);
  expect(problem).toMatchObject({ code: 'misnamed_object' });
});

test('reading ends where it is no longer wanted', async () => {
  await store.put({ 'book/accounts.csv': book });
  const stop = new AbortController();
  store.fault = ({ range }) => {
    if (range?.startsWith('bytes=262144-') === true) stop.abort(new Error('enough'));
    return undefined;
  };
  await expect(openExport('s3://night/book', [table('accounts.csv')], { signal: stop.signal })).rejects.toThrow('enough'); // prettier-ignore
});
