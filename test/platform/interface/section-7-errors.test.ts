import { describe, expect, test } from 'vitest';
import { endpoints, type Endpoint, type EndpointName } from '../../../src/contract/endpoints.ts';
import { expectInvalid } from './expectations.ts';
import { accountPayload, freshAccount, target } from './target.ts';

const platform = target();
const posts = Object.entries<Endpoint>(endpoints)
  .filter(([, { method }]) => method === 'POST')
  .map(([name]) => name as EndpointName);

describe('7: validation error body', () => {
  test.each(posts)('%s answers a body that lacks everything with detail, code and errors', async (name) => {
    expectInvalid(await platform.post(name, {}));
  });

  test('attr is a dotted path: names for fields, zero-based numbers for items', async () => {
    const landlines = ['+442079460123', '12'].map((landline) => ({
      given_name: 'Sample',
      family_name: 'Person',
      email: 's@example.com',
      landline,
    }));
    const answered = await platform.post(
      'validate',
      accountPayload(freshAccount(), { customers: landlines }),
    );
    expectInvalid(answered, 'customers.1.landline');
    expect(answered.body.errors).toHaveLength(1);
  });

  test('every error of a payload is told, not the first alone', async () => {
    const answered = await platform.post(
      'validate',
      accountPayload(freshAccount(), { customers: 'none', ledgers: 'none' }),
    );
    expectInvalid(answered, 'customers');
    expectInvalid(answered, 'ledgers');
  });

  test('codes are stable: the same payload gets the same codes and paths again', async () => {
    const wrong = accountPayload(freshAccount(), { customers: [{ landline: '12' }] });
    const [one, two] = [await platform.post('validate', wrong), await platform.post('validate', wrong)];
    expect(two.body).toEqual(one.body);
  });

  test('account_failed_validation is the top-level code of account data that could not be validated', async () => {
    const { body } = await platform.post('validate', accountPayload(freshAccount(), { customers: 'none' }));
    expect(body.code).toBe('account_failed_validation');
  });
});

describe('7: what is no validation error', () => {
  test.each(posts)('%s answers a body that is not JSON, or not an object, with 400', async (name) => {
    for (const body of ['not json', '[]'])
      expect((await platform.send('POST', endpoints[name].path, body)).status).toBe(400);
  });
});
