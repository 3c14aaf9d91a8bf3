import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ranHere } from '../cli/own-shell.ts';
import { project, workspace } from '../cli/tool.ts';

const guide = readFileSync(project('docs/schemas.md'), 'utf8');

it('the guide to tables with ids is what its commands print, and quotes the mapping that they write', async () => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const { directory } = space;
  cpSync(project('fixtures/by-ids/export'), join(directory, 'export'), { recursive: true });
  const mapping = join(directory, 'mapping.yaml');
  let commands = 0;
  for (const [, language = '', text = ''] of guide.matchAll(/^```(\w+) ?\S*\n(.*?)^```$/gms)) {
    if (language === 'console') {
      const [, command = '', printed = ''] = /^\$ npx migrate (.*)\n([^]*)$/.exec(text) ?? [];
      const { stdout } = await ranHere(command.split(' '), directory);
      expect(stdout).toBe(printed);
      commands += 1;
    } else if (language === 'diff') {
      const lines = (sign: string): string =>
        text.split('\n').flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : [])).join('\n'); // prettier-ignore
      const before = readFileSync(mapping, 'utf8');
      expect(before).toContain(lines('-'));
      writeFileSync(mapping, before.replace(lines('-'), lines('+')));
    } else {
      const written = readFileSync(mapping, 'utf8');
      for (const line of text.trim().split('\n')) expect(written).toContain(`${line}\n`);
    }
  }
  expect(commands).toBe(4);
});
