import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const guide = readFileSync(project('docs/mapping.md'), 'utf8');

/** The blocks of the guide's tutorial, in order: files, changes to them, and commands with what they print. */
const tutorial = guide
  .split(/^## /m)
  .find((chapter) => chapter.startsWith('From an export to a clean check\n'));
const blocks = [...(tutorial ?? '').matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)].map(
  ([, language = '', file = '', text = '']) => ({ language, file, text }),
);

it('the tutorial of the mapping guide goes as it says', async () => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const { directory } = space;
  mkdirSync(join(directory, 'export'));
  let commands = 0;
  for (const { language, file, text } of blocks) {
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
  expect(commands).toBe(4);
});

/** A file with its lines of `-` replaced by those of `+`. */
function changed(content: string, diff: string): string {
  const lines = (sign: string) =>
    diff.split('\n').flatMap((line) => (line.startsWith(sign) ? `${line.slice(1)}\n` : []));
  const [before, after] = [lines('-').join(''), lines('+').join('')];
  expect(content).toContain(before);
  return content.replace(before, after);
}
