import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { meaningOfBuild, version, versionAndCommit } from '../../src/host/packaged.ts';
import { project, tool, workspace } from '../cli/tool.ts';

const space = workspace();
afterAll(() => space.dispose());

const built = JSON.parse(readFileSync(project('dist/build.json'), 'utf8')) as {
  commit?: string;
  sources: string;
};

it('`--version` prints the version and the commit that was built', async () => {
  const { stdout } = await tool(['--version'], space.directory);
  expect(stdout).toBe(`${versionAndCommit()}\n`);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+(\+[0-9a-f]{12}(-changed)?)?\n$/);
  expect(stdout.trim().split('+')).toEqual(
    built.commit === undefined ? [version()] : [version(), built.commit],
  );
});

it('two builds of different sources do not take an export for checked that the other one checked', () => {
  expect(built.sources).toMatch(/^[0-9a-f]{16}$/);
  expect(meaningOfBuild().split(' ').slice(0, 2)).toEqual([version(), built.sources]);
});

it('another version of a library that decides what is valid, or of the characters of Node, is another meaning', () => {
  const { version: phones } = JSON.parse(
    readFileSync(project('node_modules/libphonenumber-js/package.json'), 'utf8'),
  ) as { version: string };
  const meaning = meaningOfBuild().split(' ');
  expect(meaning).toContain(`libphonenumber-js@${phones}`);
  expect(meaning).toContain(process.versions.unicode);
  expect(meaning.filter((word) => word.endsWith('@'))).toEqual([]);
});

it('the section of this version in the changelog has a date', () => {
  const changelog = readFileSync(project('CHANGELOG.md'), 'utf8');
  expect(/^## (.*)$/m.exec(changelog)?.[1]).toMatch(
    new RegExp(`^${version().replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`),
  );
});
