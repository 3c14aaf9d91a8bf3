import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Usage } from '../../src/cli/usage.ts';
import { leafCommands } from '../../src/cli/usage.ts';
import { commandLines, idleProgram, objectionTo } from './command-lines.ts';
import { refused, concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project } from './tool.ts';

const here = (...args: string[]) => ranHere(args, '/');

describe('the examples', () => {
  it.each(leafCommands(idleProgram()).map((command) => [command.name(), command] as const))(
    'of %s are there, and name no flag that it does not have',
    async (name, command) => {
      const examples = command instanceof Usage ? command.examples : [];
      const lines = examples.flatMap(commandLines);
      expect(lines.length, 'Give the command an example: `.example(...)` of its Usage.').toBeGreaterThan(0);
      for (const line of lines) {
        expect(line).toContain(name);
        expect(await objectionTo(line)).toBeUndefined();
      }
      for (const line of examples) expect(command.helpInformation()).toContain(`\n  ${line}\n`);
    },
  );

  const guides = ['README.md', ...readdirSync(project('docs')).map((file) => `docs/${file}`)];
  it.each(guides.filter((file) => file.endsWith('.md')))('in %s are right too', async (file) => {
    const text = readFileSync(project(file), 'utf8');
    const blocks = [...text.matchAll(/^```(?:sh|console)\n([^]*?)^```/gm)].map(([, block = '']) => block);
    for (const line of blocks.flatMap(commandLines)) expect(await objectionTo(line)).toBeUndefined();
  });
});

it('the table of commands in the README has every command', () => {
  const [, table = ''] = /^## Commands\n([^]*?)^## /m.exec(readFileSync(project('README.md'), 'utf8')) ?? [];
  const spans = [...table.matchAll(/`([^`]*)`/g)].map(([, span = '']) => span);
  const missing = leafCommands(idleProgram())
    .map((command) => command.name())
    .filter((name) => !spans.some((span) => new RegExp(`(?:^|\\s)${name}(?:\\s|$)`).test(span)));
  expect(missing, 'Add a row to the table under "Commands" in README.md.').toEqual([]);
});

describe('migrate help', () => {
  it('lists every command in the order of the work, and the topics', async () => {
    const { code, stdout } = await here('help');
    expect(code).toBe(0);
    const places = ['init [dir]', 'validate', 'run', 'status', 'retry', 'numbers'].map((name) =>
      stdout.indexOf(`\n  ${name} `),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(stdout).toMatch(/\n {2}exit-codes +Exit codes\n/);
    expect(stdout).toMatch(/\n {2}mapping +From an export to accounts/);
    expect(stdout).not.toMatch(/\n {2}complete /);
  });

  it('says the same of a command as --help', async () => {
    const [help, flag] = [await here('help', 'run'), await here('run', '--help')];
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('migrate run ./export --dry-run');
    expect(help.stdout.trimEnd()).toBe(flag.stdout.trimEnd());
  });

  it('shows a guide as plain text that fits the terminal', async () => {
    const { code, stdout } = await here('help', 'guarantees');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^What the tool guarantees, and what it cannot\n\n/);
    expect(stdout).toMatch(/\n {2}validate +repeat: it stores nothing\b/);
    // Code is shown as it is, indented.
    const words = stdout.replaceAll(/^ {4}.*$/gm, '');
    expect(words).not.toMatch(/[`|]|\*\*|^#/m);
    expect(words.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('names the command that shows a guide in place of its file', async () => {
    expect((await here('help', 'exports')).stdout).toContain('migrate help mapping');
  });

  it('tells every exit code, and which comes first', async () => {
    const { stdout } = await here('help', 'exit-codes');
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8])
      expect(stdout).toMatch(new RegExp(`^ {2}${code} {5}\\w`, 'm'));
    expect(stdout).toContain('1, 2, 7, 4, 5, 8, 6, 3');
  });

  it('gives programs the text too', async () => {
    const summary = concluded(await here('help', 'exit-codes', '--json'), 'help', 0);
    expect(summary['text']).toMatch(/^# Exit codes/);
  });
});

describe('a mistyped', () => {
  it.each([
    ['command', ['statsu'], 'Did you mean status?'],
    ['option', ['run', 'x', '--dryrun'], 'Did you mean --dry-run?'],
    ['shell', ['completion', 'bsh'], 'Allowed choices are bash, zsh, fish, powershell.'],
  ])('%s is told the nearest name', async (_what, args, hint) => {
    const { code, stderr } = await here(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(hint);
  });

  it('step is told so in lines that fit the terminal', async () => {
    let stderr = '';
    const terminal = { write: (text: string) => ((stderr += text), true), isTTY: true, columns: 60 };
    const { code } = await ranHere(['run', 'x', '--steps', 'notse'], '/', { stderr: terminal });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: --steps: .*\n {2}\S/);
    expect(stderr.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(stderr.replaceAll('\n  ', ' ')).toContain("there is no step 'notse'. Did you mean notes?");
  });

  it('topic too', async () => {
    const ended = await here('help', 'garantees', '--json');
    refused(ended, 'help', 2, "There is no command or topic 'garantees'. Did you mean guarantees?");
  });
});
