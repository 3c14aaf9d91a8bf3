import { expect, test } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { target } from './target.ts';

const platform = target();

test('9.1: every path carries the prefix /v1/; without it there is nothing', async () => {
  for (const { method, path } of Object.values(endpoints)) {
    expect(path.startsWith('/v1/')).toBe(true);
    const body = method === 'POST' ? '{}' : undefined;
    expect((await platform.send(method, path.replace('/v1/', '/v0/'), body)).status).toBe(404);
  }
});
