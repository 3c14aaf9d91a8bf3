import { describe, expect, test } from 'vitest';
import { endpoints, pathFor, type Endpoint } from '../../../src/contract/endpoints.ts';
import { supplier, target } from './target.ts';

const platform = target();
const all = Object.entries<Endpoint>(endpoints);

describe('5.1 and 4: authentication applies to every endpoint', () => {
  test.each(all)(
    '%s refuses a request without a token, or with one that is none',
    async (_name, endpoint) => {
      const path = pathFor(endpoint, supplier, '1');
      const body = endpoint.method === 'POST' ? '{}' : undefined;
      for (const authorization of [null, 'Token not-a-token', 'not-a-token'])
        expect([401, 403]).toContain(
          (await platform.send(endpoint.method, path, body, authorization)).status,
        );
    },
  );
});

describe('5.2: the token mutation', () => {
  test('refuses a key that the operator did not issue', async () => {
    const { body } = await platform.askForToken('not-an-api-key');
    expect(body.errors).not.toHaveLength(0);
    expect(body.data?.obtainKrakenToken?.token).toBeUndefined();
  });

  test('does not tell a key back (5.4)', async () => {
    expect((await platform.askForToken('not-an-api-key')).text).not.toContain('not-an-api-key');
  });
});
