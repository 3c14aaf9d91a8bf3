import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { mappingSchema } from '../../src/mapping/mapping-schema.ts';

const place = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const guide = readFileSync(place('docs/mapping.md'), 'utf8');
const file = place('docs/mapping.schema.json');
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(mappingSchema(guide));

test('docs/mapping.schema.json is what the tool reads: npx vitest run test/mapping/mapping-schema.slow.test.ts -u writes it', async () => {
  const text = JSON.stringify(mappingSchema(guide));
  const tidy = await format(text, { ...(await resolveConfig(file)), parser: 'json' });
  await expect(tidy).toMatchFileSnapshot(file);
});

const examples = [...guide.matchAll(/^```yaml(?: \S+)?\n(.*?)^```$/gms)].flatMap(([block, text = '']) =>
  block.startsWith('```yaml mapping.cases') ? [] : [text],
);
const mappings = [
  ...examples,
  readFileSync(place('fixtures/legacy/mapping.yaml'), 'utf8'),
  readFileSync(place('fixtures/dump/mapping.yaml'), 'utf8'),
];

test.each(mappings)('an editor finds no fault in a right mapping', (text) => {
  validate(parse(text, { merge: true }));
  expect(validate.errors).toBeNull();
});

test('an editor finds every mistyped key that the tool refuses', () => {
  const unseen: string[] = [];
  let refused = 0;
  for (const text of examples)
    for (const [path, spoilt] of mistyped(parse(text, { merge: true, schema: 'failsafe' }))) {
      const mapping = readMapping('m.yaml', stringify(spoilt), {});
      const codes = 'problems' in mapping ? mapping.problems.map(({ code }) => code) : [];
      if (!codes.some((code) => ['unknown_key', 'unknown_field', 'missing_key'].includes(code))) continue;
      refused += 1;
      if (validate(parse(stringify(spoilt)))) unseen.push(path);
    }
  expect(unseen).toEqual([]);
  expect(refused).toBeGreaterThan(200);
});

/** The same with one key mistyped, for each key. */
function* mistyped(content: unknown, path = ''): Generator<[path: string, spoilt: unknown]> {
  if (typeof content !== 'object' || content === null) return;
  if (Array.isArray(content)) {
    for (const [at, item] of content.entries())
      for (const [inner, spoilt] of mistyped(item, `${path}.${at}`)) yield [inner, content.with(at, spoilt)];
    return;
  }
  const entries = Object.entries(content);
  for (const [at, [key, value]] of entries.entries()) {
    yield [`${path}.${key}`, Object.fromEntries(entries.with(at, [`${key}x`, value]))];
    for (const [inner, spoilt] of mistyped(value, `${path}.${key}`))
      yield [inner, Object.fromEntries(entries.with(at, [key, spoilt]))];
  }
}

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
