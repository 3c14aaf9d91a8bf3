import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { project } from '../cli/tool.ts';

const guides = [
  ...['README.md', 'CONTRIBUTING.md', 'fixtures/faulty/README.md'],
  ...readdirSync(project('docs'), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
].filter((file) => file.endsWith('.md'));

/** Paths from the root of the project. */
const path = /(?<![\w./-])(?:src|test|fixtures|docs|types|bin|completions|\.ci)\/[\w./*-]*[\w/]/g;
/** Stands for several files, or for one that the reader names. */
const pattern = /\*|\/[A-Z]+\.\w+$/;

it.each(guides)('%s names no file that does not exist', (guide) => {
  const named = [...readFileSync(project(guide), 'utf8').matchAll(path)].map(([name]) => name);
  const missing = named.filter((name) => !pattern.test(name) && !existsSync(project(name)));
  expect(missing, `Correct the names in ${guide}.`).toEqual([]);
});
