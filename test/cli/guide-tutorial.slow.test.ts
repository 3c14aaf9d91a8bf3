import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const guide = readFileSync(project('docs/mapping.md'), 'utf8');

interface Block {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

/** The blocks of some chapters, in order: files, changes to them, and commands with what they print. */
function blocksOf(...titles: readonly string[]): readonly Block[] {
  const chapters = titles.map((title) =>
    guide.split(/^## /m).find((chapter) => chapter.startsWith(`${title}\n`)),
  );
  return [...chapters.join('\n').matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)].map(
    ([, language = '', file = '', text = '']) => ({ language, file, text }),
  );
}

it.each([
  [4, ['From an export to a clean check']],
  [
    4,
    ['Tests for a mapping', 'Parts of a mapping that have no effect', 'What a change to a mapping changes'],
  ],
])('%i commands of the mapping guide print what it says: %s', async (count, titles) => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const { directory } = space;
  mkdirSync(join(directory, 'export'));
  let commands = 0;
  for (const { language, file, text } of blocksOf(...titles)) {
    const path = join(directory, file);
    if (language === 'diff') writeFileSync(path, changed(readFileSync(path, 'utf8'), text));
    else if (language !== 'console') writeFileSync(path, text);
    else {
      const [, command = '', printed = ''] = /^\$ npx migrate (.*)\n([^]*)$/.exec(text) ?? [];
      const { stdout } = await ranHere(command.split(' '), directory);
      expect(stdout).toBe(printed);
      commands += 1;
    }
  }
  expect(commands).toBe(count);
});

/** A file with its lines of `-` replaced by those of `+`. */
function changed(content: string, diff: string): string {
  const lines = (sign: string) =>
    diff.split('\n').flatMap((line) => (line.startsWith(sign) ? `${line.slice(1)}\n` : []));
  const [before, after] = [lines('-').join(''), lines('+').join('')];
  expect(content).toContain(before);
  return content.replace(before, after);
}
