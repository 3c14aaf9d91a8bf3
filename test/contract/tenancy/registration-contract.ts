import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts';
import { registrationEndpoints } from '../../../src/contract/registration.ts';

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The published document, with the statuses of meter points and registration unless it `has` none. */
export function withRegistration({ has = true }: { readonly has?: boolean } = {}): string {
  const published = new URL('../../../docs/openapi.json', import.meta.url);
  const document = object(JSON.parse(readFileSync(published, 'utf8')));
  const added = Object.values(registrationEndpoints).map(({ method, path }) => [
    path,
    { [method.toLowerCase()]: { responses: { 200: { description: '' }, 404: { description: '' } } } },
  ]);
  return JSON.stringify({
    ...document,
    paths: { ...object(document['paths']), ...(has ? Object.fromEntries(added) : {}) },
  });
}
