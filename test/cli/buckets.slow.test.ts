import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { S3Store } from '../s3/start-s3.ts';
import { zipOf } from '../source/workbook.ts';
import { ended, lines, project, start, summaryOf, tool, workspace } from './tool.ts';

let store: S3Store;
let space: ReturnType<typeof workspace>;
beforeAll(async () => void (store = await S3Store.start()));
beforeEach(() => {
  store.reset();
  space = workspace();
});
afterEach(() => space.dispose());
afterAll(() => store.close());

const file = (name: string): string => join(space.directory, name);

function filesOf(directory: string): Record<string, Buffer> {
  const names = readdirSync(project(directory));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(project(directory), name))]));
}

async function put(prefix: string, files: Record<string, string | Buffer>): Promise<void> {
  await store.put(
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${prefix}/${name}`, bytes])),
  );
}

const here = (...args: string[]) => tool([...args, '--json'], space.directory, store.env);

it('the problems of an export in a bucket are those of its files, each at the address of its object', async () => {
  await put('2026-11/faulty', filesOf('fixtures/faulty/export'));
  const far = await here('validate', 's3://night/2026-11/faulty');
  const near = await here('validate', project('fixtures/faulty/export'));
  const named = lines(near.stdout).map((line) =>
    typeof line['file'] === 'string' ? { ...line, file: `s3://night/2026-11/faulty/${line['file']}` } : line,
  );
  const without = (all: readonly Record<string, unknown>[]) => all.map(({ detail: _, ...line }) => line);
  expect(far.code).toBe(3);
  expect(without(lines(far.stdout))).toEqual(without(named));
  expect(lines(far.stdout).length).toBeGreaterThan(50);
});

it('a run of a bucket that stopped early is resumed, and not repeated where the objects are the same', async () => {
  await put('flat', filesOf('fixtures/flat'));
  const begun = await here('run', 's3://night/flat', '--limit', '10');
  expect(begun.code).toBe(6);
  // Connections that break while it is read do not matter.
  store.fault = ({ range }) =>
    range === undefined || store.requests.length % 2 === 0 ? undefined : { cutAfter: 700 };
  const done = await here('run', 's3://night/flat/');
  expect(done.code).toBe(0);
  expect(summaryOf(done.stdout)).toMatchObject({ accounts: { total: 50, completed: 50 } });
  store.reset();
  expect(summaryOf((await here('run', 's3://night/flat')).stdout)).toMatchObject({ unchangedSince: 2 });
  expect(store.requests.filter(({ method, range }) => method === 'GET' && range !== undefined)).toEqual([]);
  // The same files elsewhere, and as an archive, are the same export.
  await put('again', filesOf('fixtures/flat'));
  expect(summaryOf((await here('run', 's3://night/again')).stdout)).toMatchObject({ unchangedSince: 2 });
  await store.put({ 'flat.zip': await zipOf(filesOf('fixtures/flat')) });
  expect(summaryOf((await here('run', 's3://night/flat.zip')).stdout)).toMatchObject({ unchangedSince: 2, requests: 0 }); // prettier-ignore

  const shown = await here(
    'show',
    'EXT-000003',
    '--supplier',
    'TENTACLE_ENERGY',
    '--export',
    's3://night/flat',
  );
  expect(shown.stdout).toContain('s3://night/flat/accounts.csv');
  const proof = await here('reconcile', 's3://night/flat', '--supplier', 'TENTACLE_ENERGY');
  expect(summaryOf(proof.stdout)).toMatchObject({ differences: 0 });
  expect(summaryOf((await here('plan', 's3://night/flat')).stdout)).toMatchObject({ accounts: { done: 50 } });
});

it('init, explain and a mapping read a bucket', async () => {
  await put('legacy', filesOf('fixtures/legacy/export'));
  const made = await here('init', 's3://night/legacy');
  expect(made.code).toBe(0);
  expect(readFileSync(file('mapping.yaml'), 'utf8')).toContain('KUNDEN.csv');
  const mapping = ['--mapping', project('fixtures/legacy/mapping.yaml')];
  const explained = await here('explain', 's3://night/legacy', 'EXT-000003', ...mapping);
  expect(explained.code).toBe(0);
  expect(explained.stdout).toContain('"file":"s3://night/legacy/KUNDEN.csv"');
  store.reset();
  expect((await here('explain', 's3://night/legacy', 'EXT-000003', ...mapping)).stdout).toBe(
    explained.stdout,
  );
  const valid = await here('validate', 's3://night/legacy', ...mapping);
  expect(summaryOf(valid.stdout)).toMatchObject({ accounts: 50, invalid: 0 });
});

it('rejects of a bucket are a directory; corrected, they are a fix, from a bucket too', async () => {
  const files = filesOf('fixtures/interface');
  const sound = files['accounts.ndjson']!.toString();
  await put('dirty', {
    ...files,
    'accounts.ndjson': sound.replace(/"postal_code":"[^"]*"/, '"postal_code":"?"'),
  });
  const first = await here('validate', 's3://night/dirty', '--rejects', 'fixes');
  expect(summaryOf(first.stdout)).toMatchObject({ accounts: 50, invalid: 1 });

  const own = readFileSync(file('fixes/accounts.ndjson'), 'utf8');
  const postcode = /"postal_code":"[^"]*"/.exec(sound)?.[0] ?? '';
  await put('fixed', { 'accounts.ndjson': own.replace('"postal_code":"?"', postcode) });
  const again = await here('validate', 's3://night/dirty', '--with', 's3://night/fixed');
  expect(summaryOf(again.stdout)).toMatchObject({ accounts: 50, invalid: 0 });

  await put('worse', { 'accounts.ndjson': own.replace('"postal_code":"?"', '"postal_code":"??"') });
  for (const [fix, name] of [
    ['s3://night/worse', 's3://night/worse/accounts.ndjson'],
    ['s3://night/worse/accounts.ndjson', 's3://night/worse/accounts.ndjson'],
  ] as const) {
    const told = await here('validate', 's3://night/dirty', '--with', fix);
    expect(lines(told.stdout)[0]).toMatchObject({ file: name, line: 1 });
  }
});

it('a host with a name gets the bucket in the path', async () => {
  await put('flat', filesOf('fixtures/flat'));
  const env = { ...store.env, AWS_ENDPOINT_URL_S3: `http://localhost:${store.port}` };
  const valid = await tool(['validate', 's3://night/flat', '--json'], space.directory, env);
  expect(valid.code).toBe(0);
  expect(new Set(store.requests.map(({ host }) => host))).toEqual(new Set([`localhost:${store.port}`]));

  writeFileSync(
    file('config'),
    `[profile night]\nendpoint_url = http://localhost:${store.port}\nregion = eu-west-2\n`,
  );
  writeFileSync(file('keys'), '[night]\naws_access_key_id = S3RVER\naws_secret_access_key = S3RVER\n');
  const profile = {
    AWS_PROFILE: 'night',
    AWS_CONFIG_FILE: file('config'),
    AWS_SHARED_CREDENTIALS_FILE: file('keys'),
  };
  expect((await tool(['validate', 's3://night/flat', '--json'], space.directory, profile)).code).toBe(0);
});

it.each([
  ['wrong credentials', { AWS_ACCESS_KEY_ID: 'NOBODY' }, /the store denies access \(InvalidAccessKeyId/],
  [
    'no credentials',
    { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
    /no credentials were found\. Set AWS_PROFILE/,
  ],
  ['no region', { AWS_REGION: '' }, /no region is known \(.*\)\. Set AWS_REGION\./],
  [
    'a wrong endpoint',
    { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' },
    /the store cannot be reached \(ECONNREFUSED\)/,
  ],
])('%s are told with a remedy, without a secret', async (_what, env, message) => {
  await put('flat', filesOf('fixtures/flat'));
  const { code, stdout, stderr } = await tool(['validate', 's3://night/flat', '--json'], space.directory, { ...store.env, AWS_SECRET_ACCESS_KEY: 'hush-hush', ...env }); // prettier-ignore
  expect(code).toBe(2);
  expect(summaryOf(stdout)['errors']).toEqual([expect.stringMatching(message)]);
  expect(stdout + stderr).not.toContain('hush-hush');
});

it('without the package, the error says how to install it', async () => {
  const root = file('installed');
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(project(name), join(root, name), { recursive: true });
  for (const name of readdirSync(project('node_modules')))
    if (name !== '@aws-sdk') symlinkSync(project(`node_modules/${name}`), join(root, 'node_modules', name));
  const child = start(
    ['validate', 's3://night/flat', '--json'],
    space.directory,
    store.env,
    join(root, 'bin/migrate.js'),
  );
  const { code, stdout } = await ended(child);
  expect(code).toBe(2);
  expect(summaryOf(stdout)['errors']).toEqual([
    'The export s3://night/flat cannot be read: the package @aws-sdk/client-s3 is not installed. Install it beside this tool: npm install @aws-sdk/client-s3',
  ]);
});
