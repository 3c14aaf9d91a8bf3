import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { openapiDocument } from '../../src/platform/openapi/document.ts';
import { rehearse } from './running-platform.ts';

const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

test('docs/openapi.json is what the platform serves: npx vitest run test/platform/openapi.test.ts -u writes it', async () => {
  const { send } = await rehearse();
  const served = await send('GET', '/openapi.json', {});
  expect(served).toMatchObject({ status: 200, body: openapiDocument() });
  const text = await format(served.text, { ...(await resolveConfig(file)), parser: 'json' });
  await expect(text).toMatchFileSnapshot(file);
});

test('every field of the contract has a type in the document', () => {
  const untyped: string[] = [];
  const look = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties, items } = schema as { properties?: Record<string, object>; items?: object };
    for (const [name, property] of Object.entries(properties ?? {})) {
      if (Object.keys(property).length === 0) untyped.push(`${path}.${name}`);
      look(property, `${path}.${name}`);
    }
    look(items, `${path}[]`);
  };
  const { components } = openapiDocument() as { components: { schemas: Record<string, object> } };
  for (const [name, schema] of Object.entries(components.schemas)) look(schema, name);
  expect(untyped).toEqual([
    'TransactionResults.results[].transaction_data',
    'TransactionImportError.transaction_data',
    'GraphqlAnswer.data',
  ]);
  expect(JSON.stringify(components)).not.toContain('"kind"');
});
