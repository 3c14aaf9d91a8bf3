import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { served, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());
const supplier = 'TENTACLE_ENERGY';

/** What `doctor --read-back` finds of reading back, with these settings. */
async function found(exit: number, settings = '', words: readonly string[] = ['--read-back']) {
  writeFileSync(join(space.directory, '.migraterc'), `operator: operator.yaml\n${settings}`);
  const ended = await ranHere(['doctor', ...words, '--json'], space.directory);
  concluded(ended, 'doctor', exit);
  return linesOfType(ended.stdout, 'finding').filter(({ check }) => check === 'read-back');
}
const operator = (graphql: string) =>
  writeFileSync(join(space.directory, 'operator.yaml'), `graphql: ${graphql}\n`);

beforeAll(async () => {
  operator('{}');
  expect(await found(0)).toMatchObject([{ state: 'skipped' }]);
  const directory = join(space.directory, 'book');
  await generateExport({ directory, accounts: 3, seed: 3, shape: 'interface', supplier });
  expect((await ranHere(['run', directory, '--json'], space.directory)).code).toBe(0);
});

it('finds that the default fits, and that an account can be read whole', async () => {
  const findings = await found(0);
  expect(findings.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
  expect(findings.slice(1).every(({ detail }) => String(detail).includes('EXT-00000'))).toBe(true);
});

it('compares the account, and names the setting that is likely wrong', async () => {
  expect(await found(8, 'readBack: { credit: negative }\n')).toMatchObject([
    { state: 'ok' },
    { state: 'ok' },
    { state: 'failed', detail: expect.stringMatching(/^Account EXT-\d+ differs from what was sent .*balance/) as string },
    { state: 'failed', field: 'readBack.credit', exit: 8 },
  ]); // prettier-ignore
  renameSync(join(space.directory, 'book'), join(space.directory, 'moved'));
  expect((await found(0)).at(-1)).toMatchObject({ state: 'skipped', remedy: expect.stringContaining('--export') as string }); // prettier-ignore
  const there = await found(0, '', ['--read-back', '--export', 'moved']);
  expect(there.at(-1)).toMatchObject({ state: 'ok', detail: expect.stringContaining('what was sent') as string }); // prettier-ignore
  renameSync(join(space.directory, 'moved'), join(space.directory, 'book'));
});

it('names what the token may not read and what the tenancy disabled, each with a remedy', async () => {
  operator('{ forbidden: [AccountType.notes], disabled: [AccountType.balance] }');
  expect((await found(0)).slice(1, 3)).toMatchObject([
    { state: 'warning', field: 'balance', reason: 'KT-CT-1113', remedy: expect.stringContaining('account.balance to null') as string }, // prettier-ignore
    { state: 'warning', field: 'notes', reason: 'KT-CT-4177', remedy: expect.stringContaining('notes to null') as string }, // prettier-ignore
  ]);
  operator('{ disabled: [Query.account] }');
  const findings = await found(3);
  expect(findings[0]).toMatchObject({ state: 'ok' });
  expect(findings.slice(1).every(({ state }) => state === 'failed')).toBe(true);
  operator('{}');
});

it('names the field that the schema lacks and what is near, once', async () => {
  const text = '{ account(accountNumber: "$account") { number notes { body } } }';
  const query = text.replace('{', 'query ($account: String!) {').replace('"$account"', '$account');
  const settings = (notes: string) =>
    `readBack: { queries: { own: '${query.replace('body', notes)}' }, values: { notes: { query: own, at: account.notes, body: body } } }\n`;
  expect(await found(2, settings('bdy'))).toMatchObject([
    { state: 'failed', field: 'account.notes.bdy', near: 'body', exit: 2 },
    { state: 'ok', detail: expect.stringContaining('as far as it can be read') as string },
  ]);
  expect((await found(0, settings('body'))).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
});

it('refuses a mutation before anything is sent', async () => {
  const settings =
    "readBack: { queries: { own: 'mutation { a }' }, values: { notes: { query: own, at: a } } }\n";
  expect(await found(2, settings)).toMatchObject([{ state: 'failed', exit: 2 }]);
});

describe('with a file of the schema', () => {
  const own = `type Query { account(accountNumber: String!): Account }
    type Account { number: String! notes: [Note] }
    type Note { text: String }`;
  const settings = (field: string) =>
    `readBack: { queries: { own: 'query ($account: String!) { account(accountNumber: $account) { number notes { ${field} } } }' }, ` +
    'values: { notes: { query: own, at: account.notes, body: text }, ' +
    `${['account', 'ledgers', 'transactions', 'bills', 'agreements', 'paymentInstructions', 'metadata'].map((part) => `${part}: null`).join(', ')} } }\n`;
  const files = {
    'schema.graphql': own,
    'schema.json': JSON.stringify({ data: introspectionFromSchema(buildSchema(own)) }),
  };

  it.each(Object.entries(files))(
    'the queries are checked by %s, and no schema is asked for',
    async (name, schema) => {
      writeFileSync(join(space.directory, name), schema);
      const words = ['--schema', name];
      expect((await found(2, settings('txt'), words))[0]).toMatchObject({
        ...{ state: 'failed', field: 'account.notes.txt', near: 'text', exit: 2 },
      });
      // What the platform at hand makes of the query is told by itself.
      expect((await found(3, settings('text'), words))[0]).toMatchObject({ state: 'ok' });
    },
  );

  it('needs no platform', async () => {
    const bare = workspace();
    writeFileSync(join(bare.directory, 'schema.graphql'), own);
    writeFileSync(join(bare.directory, '.migraterc'), settings('txt'));
    const ended = await ranHere(['doctor', '--schema', 'schema.graphql', '--json'], bare.directory);
    concluded(ended, 'doctor', 2);
    expect(linesOfType(ended.stdout, 'finding').filter(({ check }) => check === 'read-back')).toMatchObject([
      { state: 'failed', near: 'text' },
      { state: 'skipped' },
    ]);
    bare.dispose();
  });

  it('says of another file that it is no schema', async () => {
    writeFileSync(join(space.directory, 'other.graphql'), 'type Query { account(: String }');
    expect(await found(2, settings('text'), ['--schema', 'other.graphql'])).toMatchObject([
      { state: 'failed', exit: 2, detail: expect.stringMatching(/other\.graphql:1:22/) as string },
    ]);
    writeFileSync(join(space.directory, 'other.json'), '{ "errors": [] }');
    expect(await found(2, settings('text'), ['--schema', 'other.json'])).toMatchObject([
      { state: 'failed', exit: 2, detail: expect.stringContaining('other.json') as string },
    ]);
  });
});

it('names the number that a query does not ask for where the platform tells no schema', async () => {
  const own = workspace();
  const { directory } = own;
  const platform = await served(directory, '--port', '0');
  const proxy = createServer((from, to) => {
    void text(from).then(async (body) => {
      if (body.includes('__schema')) return to.end('{"errors":[{"message":"Introspection is disabled."}]}');
      const headers = new Headers(
        Object.entries(from.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' && /^(?:authorization|content-type|accept)$/.test(name)
            ? [[name, value]]
            : [],
        ),
      );
      const answer = await fetch(new URL(from.url ?? '', platform.url), {
        ...{ method: from.method ?? 'GET', headers },
        ...(body === '' ? {} : { body }),
      });
      to.writeHead(answer.status, { 'content-type': 'application/json' });
      return to.end(await answer.text());
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const query = 'query ($account: String!) { account(accountNumber: $account) { notes { body } } }';
  writeFileSync(
    join(directory, '.migraterc'),
    `readBack: { queries: { own: '${query}' }, values: { notes: { query: own, at: account.notes, body: body } } }\n`,
  );
  const env = {
    MIGRATE_BASE_URL: `http://127.0.0.1:${port}`,
    MIGRATE_API_KEY: platform.apiKey,
    MIGRATE_TEAM: 'MIGRATIONS',
  };
  const ended = await ranHere(['doctor', '--read-back', '--json'], directory, { env });
  await platform.stop();
  proxy.close();
  own.dispose();
  expect(linesOfType(ended.stdout, 'finding').filter(({ check }) => check === 'read-back')).toMatchObject([
    { state: 'failed', field: 'account.number', exit: 2 },
    { state: 'warning', reason: 'graphql_error' },
    { state: 'skipped' },
  ]);
});
