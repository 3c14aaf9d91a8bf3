import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { mappingSchema } from './mapping-schema.ts';

const place = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const guide = readFileSync(place('docs/mapping.md'), 'utf8');
const file = place('docs/mapping.schema.json');
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(mappingSchema(guide));

test('docs/mapping.schema.json is what the tool reads (vitest -u writes it)', async () => {
  const text = JSON.stringify(mappingSchema(guide));
  const tidy = await format(text, { ...(await resolveConfig(file)), parser: 'json' });
  await expect(tidy).toMatchFileSnapshot(file);
});

const mappings = [
  ...[...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text),
  readFileSync(place('fixtures/legacy/mapping.yaml'), 'utf8'),
  readFileSync(place('fixtures/dump/mapping.yaml'), 'utf8'),
];

test.each(mappings)('an editor finds no fault in a right mapping', (text) => {
  validate(parse(text, { merge: true }));
  expect(validate.errors).toBeNull();
});

test.each([
  'version: 2\ntables: { accounts: { file: A.csv, key: ID } }\naccount: {}',
  'version: 1\ntables: { accounts: { file: A.csv } }\naccount: {}',
  'version: 1\ntables: { accounts: { file: A.csv, key: ID } }\naccount: { acount_type: A }',
  'version: 1\ntables: { accounts: { file: A.csv, key: ID } }\naccount: { account_type: { colum: A } }',
  'version: 1\ntables: { accounts: { file: A.csv, key: ID } }\naccount: { customers: { from: x } }',
  'version: 1\ntables: { accounts: { file: A.csv, key: ID } }\naccount: {}\nnotes: { from: x, each: { text: A } }',
])('an editor finds the fault of %s', (text) => {
  expect(validate(parse(text))).toBe(false);
});
