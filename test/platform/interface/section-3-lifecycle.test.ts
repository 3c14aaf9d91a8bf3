import { describe, expect, test } from 'vitest';
import { expectInvalid } from './expectations.ts';
import { accountPayload, createPayload, freshAccount, importedAccount, target } from './target.ts';

const platform = target();
const status = async (account: string) => platform.get('transferStatus', account);

describe('3: account import lifecycle', () => {
  test('staging makes an import process (201), staging again replaces its data (200)', async () => {
    const account = freshAccount();
    expect((await platform.post('stage', accountPayload(account))).status).toBe(201);
    const again = await platform.post('stage', accountPayload(account, { sales_channel: 'EVENTS' }));
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ external_account_number: account });
  });

  test('processing staged data creates the account and gives its number (201)', async () => {
    const account = freshAccount();
    await platform.post('stage', accountPayload(account));
    const created = await platform.post('process', createPayload(account));
    expect(created.status).toBe(201);
    expect(created.body.kraken_account_number).toEqual(expect.stringMatching(/\S/));
    expect((await status(account)).body).toEqual({
      status: 'COMPLETED',
      kraken_account_number: created.body.kraken_account_number,
    });
  });

  test('a dry run leaves staged data staged, and creates nothing (400)', async () => {
    const account = freshAccount();
    await platform.post('stage', accountPayload(account));
    const before = (await status(account)).text;
    expect((await platform.post('process', createPayload(account, { dry_run: true }))).status).toBe(400);
    expect((await status(account)).text).toBe(before);
    expect((await platform.post('stage', accountPayload(account))).status).toBe(200);
  });

  test('an account that is imported takes no staging any more (400)', async () => {
    const account = await importedAccount(platform);
    expect((await platform.post('stage', accountPayload(account))).status).toBe(400);
  });
});

describe.each([
  ['Paused', 'PAUSED_ENERGY'],
  ['Complete', 'CLOSED_ENERGY'],
])('3: an import supplier that is %s', (_status, supplier) => {
  test('refuses attempts to migrate, with an error', async () => {
    const account = freshAccount();
    expectInvalid(await platform.post('stage', accountPayload(account, { import_supplier: supplier })));
    expect((await platform.get('transferStatus', account, supplier)).status).toBe(404);
  });
});
