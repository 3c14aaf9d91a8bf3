import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { keysOf, schemaAt, settingsSchema } from '../../src/config/schema.ts';
import { tokenMutation, tokenPath, tokenResultPath } from '../../src/contract/schemas/token.ts';
import { directory, loaded } from './fixture.ts';

const text = readFileSync(new URL('../../.migraterc.example', import.meta.url), 'utf8');
const schema = settingsSchema(['invalid_phone_number']);
const example: unknown = parse(text);
const sections = z
  .looseObject({ profile: z.string(), profiles: z.record(z.string(), z.looseObject({})) })
  .parse(example);
const { profile, profiles, ...top } = sections;

test('the example documents every key', () => {
  const documented = new Set([top, ...Object.values(profiles)].flatMap((section) => Object.keys(section)));
  const remedy = 'Give each setting of src/config/schema.ts a line in .migraterc.example, and no other key.';
  expect([...documented].sort(), remedy).toEqual(keysOf(schema).sort());
  for (const group of [
    'retry',
    'patience',
    'timeouts',
    'tokenMutation',
    'log',
    'metrics',
    'notify',
    'readBack',
    'schedule',
  ]) {
    const keys = [top, ...Object.values(profiles)].flatMap((section) => Object.keys(section[group] ?? {}));
    expect([...new Set(keys)].sort(), `${group}: ${remedy}`).toEqual(
      keysOf(schemaAt(schema, [group])).sort(),
    );
  }
});

test('the values at the top level of the example are the defaults', () => {
  const { tokenMutation: mutation, ...others } = top;
  expect(schema.parse({}), 'Write the default of each setting in .migraterc.example.').toMatchObject(others);
  expect(text).toContain(`# journal: ${schema.parse({}).journal}`);
  expect(mutation).toEqual({
    path: tokenPath,
    text: tokenMutation,
    variables: { apiKey: '{apiKey}' },
    resultPath: tokenResultPath,
  });
});

test.each(Object.keys(profiles))('the example loads with its profile %s', async (name) => {
  const config = await loaded(directory(text), { flags: { profile: name } });
  expect(config.profile).toBe(name);
  expect(config.baseUrl).toMatch(/^https:/);
});

test('the example names a profile of its own', () => {
  expect(Object.keys(profiles)).toContain(profile);
});
