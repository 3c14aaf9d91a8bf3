import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts';

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/**
 * The published document with the paths of scheduled import (v2). `isAlone`: without validate, stage and process of the first
 * generation.
 */
export function scheduledContract(isAlone = false): string {
  const published = new URL('../../../docs/openapi.json', import.meta.url);
  const document = object(JSON.parse(readFileSync(published, 'utf8')));
  const paths = { ...object(document['paths']) };
  const body = (properties: JsonObject) => ({
    required: true,
    content: {
      'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } },
    },
  });
  const account = stagedSchema(paths);
  const params = {
    type: 'object',
    properties: {
      is_dry_run: { type: 'boolean' },
      schedule_window_start: { type: 'string', format: 'date-time' },
      schedule_window_end: { type: 'string', format: 'date-time' },
    },
  };
  const responses = (status: string) => ({ [status]: { description: '' }, '400': { description: '' } });
  paths['/v2/data-import/accounts/validate/'] = {
    post: { requestBody: body({ payload: account }), responses: responses('200') },
  };
  paths['/v2/data-import/accounts/'] = {
    post: { requestBody: body({ payload: account, task_params: params }), responses: responses('201') },
  };
  paths['/v2/data-import/accounts/{import_supplier_code}/{external_identifier}/'] = {
    get: { responses: responses('200') },
  };
  const first = /validate-account|account-import-process\/|account-transfer-status/;
  const left = Object.entries(paths).filter(([path]) => !isAlone || !first.test(path));
  return JSON.stringify({ ...document, paths: Object.fromEntries(left) });
}

function stagedSchema(paths: JsonObject): JsonObject {
  const item = object(paths['/v1/data-import/account-import-process/create-or-update/']);
  const content = object(object(object(item['post'])['requestBody'])['content']);
  return object(object(content['application/json'])['schema']);
}
