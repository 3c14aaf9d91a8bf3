import { describe, expect, it } from 'vitest';
import { clientOf, platform, sendJson } from './loopback.ts';

const body = JSON.stringify({
  external_account_number: '1',
  import_supplier_code: 'ACME',
  operations_team_name: 'T',
});
const key = { supplier: 'ACME', account: '1' };

async function client(status: number, answer: unknown) {
  return clientOf(await platform((_request, response) => sendJson(response, status, answer)));
}
const processed = async (answer: unknown, status = 201) =>
  (await client(status, answer)).post('process', body);
const status = async (answer: unknown, code = 200) => (await client(code, answer)).transferStatus(key);

describe('the answer to process', () => {
  it.each([
    { kraken_account_number: 'A-1' },
    { account_number: 'A-1' },
    { kraken_account_number: 'A-1', import_supplier: 'ACME' },
    { account_number: 'A-1', import_supplier_code: 'ACME' },
  ])('is one where it has the number under either name, and nothing that is not ours: %j', async (answer) => {
    expect(await processed(answer)).toMatchObject({ kind: 'ok', body: answer });
  });

  it.each([{}, { kraken_account_number: '' }, { account_number: ' ' }, { external_account_number: '1' }])(
    'tells nothing without a number: %j',
    async (answer) => {
      expect(await processed(answer)).toMatchObject({ kind: 'unknown' });
    },
  );

  it.each([
    { kraken_account_number: 'A-2', external_account_number: '2' },
    { kraken_account_number: 'A-2', import_supplier: 'OTHER' },
    { account_number: 'A-2', import_supplier_code: 'OTHER' },
  ])('is not believed where it is about another account: %j', async (answer) => {
    expect(await processed(answer)).toEqual({ kind: 'unknown', cause: 'answer_mismatch', status: 201 });
  });

  it('is not believed either where it says that another account is imported', async () => {
    const other = { external_account_number: '2', kraken_account_number: 'A-2' };
    expect(await processed(other, 400)).toEqual({ kind: 'unknown', cause: 'answer_mismatch', status: 400 });
    expect(await processed({ ...other, external_account_number: '1' }, 400)).toMatchObject({
      kind: 'refused',
      refusal: { krakenAccountNumber: 'A-2' },
    });
  });
});

describe("an account's status", () => {
  const completed = { status: 'COMPLETED', kraken_account_number: 'A-1' };

  it('is believed where it names nobody, or this account', async () => {
    expect(await status(completed)).toMatchObject({ kind: 'ok', body: { krakenAccountNumber: 'A-1' } });
    expect(
      await status({ ...completed, external_account_number: '1', import_supplier_code: 'ACME' }),
    ).toMatchObject({ kind: 'ok' });
  });

  it.each([{ external_account_number: '2' }, { import_supplier: 'X' }, { import_supplier_code: 'X' }])(
    'is not believed where it names another: %j',
    async (echo) => {
      expect(await status({ ...completed, ...echo })).toEqual({
        kind: 'unknown',
        cause: 'answer_mismatch',
        status: 200,
      });
    },
  );
});
