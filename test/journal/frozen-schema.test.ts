import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrations } from '../../src/journal/postgres/migrations.ts';
import { journalSpec } from '../../src/journal/sqlite/schema.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Digests of what has landed, by its name: lines are added, and never changed. */
const landed = new Map(
  readFileSync(join(import.meta.dirname, 'landed-schema.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [name: string, digest: string]),
);

const remedy =
  'What has landed is frozen: journals of it exist. Leave it as it landed, and put the change into a new version. A new version, or a new ' +
  'fixture, gets its own line in landed-schema.txt.';

function fixturesIn(directory: string): [string, string][] {
  const path = join(import.meta.dirname, directory);
  return readdirSync(path).map((name) => [
    `${directory}/${name}`,
    digest(readFileSync(join(path, name), 'utf8')),
  ]);
}

const present = [
  ...journalSpec.migrations.map((sql, at) => [`sqlite-${at + 1}`, digest(JSON.stringify(sql))] as const),
  ...migrations.map((sql, at) => [`postgres-${at + 1}`, digest(JSON.stringify(sql))] as const),
  ...fixturesIn('versions'),
  ...fixturesIn('postgres/versions'),
];

it.each(present)('%s is as it landed', (name, is) => {
  expect(landed.get(name), `${remedy} It would be: ${name} ${is}`).toBe(is);
});

it('nothing that landed is missing', () => {
  const names = new Set(present.map(([name]) => name));
  expect(
    [...landed.keys()].filter((name) => !names.has(name)),
    remedy,
  ).toEqual([]);
});
