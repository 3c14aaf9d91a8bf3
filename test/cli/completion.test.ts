import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepNames } from '../../src/domain/steps.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
afterAll(() => space.dispose());

const hostile = '$(touch pwned)';

beforeAll(async () => {
  writeFileSync(join(directory, '.migraterc'), `profiles:\n  live: {}\n  test-1: {}\n  "${hostile}": {}\n`);
  mkdirSync(join(directory, '.migrate'));
  const journal = openJournal(join(directory, '.migrate/journal.db'), {
    synchronous: 'NORMAL',
    create: true,
  });
  const platform = 'p';
  const run = { platform, platformLabel: platform, dryRun: false, export: '.', startedAt: 0 };
  await journal.startRun(run);
  for (const supplier of ['OLD_ENERGY', 'OLD.GAS-2', hostile, 'two words', '--adopt'])
    await journal.open(platform, { supplier, account: '1' });
  await journal.close();
});

/** The words that fit at the end of a line, without what they mean. */
async function fitting(...words: string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await ranHere(['complete', '--', ...words], directory);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '');
}

describe('what fits', () => {
  it.each([
    ['a command', ['stat'], ['status']],
    ['an option', ['run', 'export', '--dr'], ['--dry-run']],
    ['an option that was not given yet', ['run', '--steps', 'notes', '--ste'], []],
    [
      'an option that may be given again',
      ['run', 'export', '--with', 'fix', '--wi'],
      ['--with', '--with-new', '--window'],
    ],
    [
      'a repeated option alone',
      ['validate', 'export', '--with', 'a', '--with', 'b', '--wi'],
      ['--with', '--with-new'],
    ],
    ['nothing for a directory of fixes', ['plan', 'export', '--with', 'a', '--with', ''], []],
    ['a choice of an option', ['resolve', '1', '--as', ''], ['done', 'repeat', 'skip', 'corrected', 'gone']],
    ['a choice of an argument', ['completion', 'z'], ['zsh']],
    ['a step', ['retry', '--step', 'n'], ['notes']],
    ['one more step', ['run', '--steps', 'notes,st'], ['notes,stage', 'notes,statements']],
    ['a profile', ['run', '--profile', ''], ['live', 'test-1']],
    ['a supplier', ['status', '--supplier', ''], ['OLD.GAS-2', 'OLD_ENERGY']],
    ['a value after =', ['status', '--supplier=OLD_'], ['--supplier=OLD_ENERGY']],
    ['a value after = as bash splits it', ['status', '--supplier', '=', 'OLD_'], ['OLD_ENERGY']],
    ['a value of which nothing is there yet', ['status', '--profile', '='], ['live', 'test-1']],
    ['a topic', ['help', 'guar'], ['guarantees']],
    ['a command to be helped with', ['help', 'stat'], ['status']],
    ['nothing for an export, so that files are offered', ['run', ''], []],
    ['nothing for an option that is a file', ['run', '--mapping', ''], []],
    ['nothing after an unknown option and =', ['run', '--nowhere=x'], []],
    ['nothing after an unknown command', ['nowhere', '--x'], []],
  ])('is %s', async (_what, words, expected) => {
    expect(await fitting(...words)).toEqual(expected);
  });

  it('is every step of an empty value, in order', async () => {
    expect(await fitting('retry', '--step', '')).toEqual(stepNames);
  });

  it('is no option after --, nor one of the tool for itself', async () => {
    expect(await fitting('run', '--', '--dr')).toEqual([]);
    expect(await fitting('serve', '--at')).toEqual([]);
    expect(await fitting('comp')).toEqual(['completion']);
  });

  it('follows the --journal and --config of the line', async () => {
    writeFileSync(join(directory, 'other.yaml'), 'profiles: { elsewhere: {} }\n');
    expect(await fitting('run', '--config', 'other.yaml', '--profile', '')).toEqual(['elsewhere']);
    expect(await fitting('status', '--journal', 'none.db', '--supplier', '')).toEqual([]);
    expect(existsSync(join(directory, 'none.db'))).toBe(false);
  });

  it('is nothing, in silence, where journal or configuration cannot be read', async () => {
    writeFileSync(join(directory, 'bad.db'), 'not a journal');
    expect(await fitting('status', '--journal', 'bad.db', '--supplier', '')).toEqual([]);
    writeFileSync(join(directory, 'bad.yaml'), 'profiles: [');
    expect(await fitting('status', '--config', 'bad.yaml', '--supplier', '')).toEqual([]);
    expect(await fitting('run', '--config', 'bad.yaml', '--profile', '')).toEqual([]);
  });
});

describe('the script of migrate completion bash', () => {
  const bin = join(directory, 'bin');
  let script: string;
  beforeAll(() => {
    mkdirSync(bin);
    chmodSync(project('bin/migrate.js'), 0o755);
    symlinkSync(project('bin/migrate.js'), join(bin, 'migrate'));
    script = inBash('migrate completion bash');
  });

  function inBash(program: string, ...words: string[]): string {
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-uc', program, 'bash', ...words], {
      cwd: directory,
      encoding: 'utf8',
      env: { PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  }

  /** What bash has to offer at the end of these words. */
  function offered(...words: string[]): readonly string[] {
    const program = `${script}
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _migrate
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return inBash(program, ...words)
      .split('\n')
      .slice(0, -1);
  }

  it('offers what fits, without what it means', () => {
    expect(offered('migrate', 'stat')).toEqual(['status']);
    expect(offered('migrate', 'status', '--supplier', '=', 'OLD_')).toEqual(['OLD_ENERGY']);
  });

  it('evaluates neither what is offered nor what is written', () => {
    expect(offered('migrate', 'status', '--supplier', '')).toEqual(['OLD.GAS-2', 'OLD_ENERGY']);
    expect(offered('migrate', 'run', hostile, '--profile', '')).toEqual(['live', 'test-1']);
    offered('migrate', 'status', '--supplier', '`touch pwned`');
    expect(existsSync(join(directory, 'pwned'))).toBe(false);
  });
});

it('offers what fits after a blank to a shell that gives no empty word', async () => {
  const { code, stdout } = await ranHere(['complete', '--new-word', '--', 'status', '--supplier'], directory);
  expect([code, stdout.split('\n').slice(0, -1)]).toEqual([0, ['OLD.GAS-2', 'OLD_ENERGY']]);
});

it.each(['bash', 'zsh', 'fish', 'powershell'])(
  'prints a script for %s, and says how to use it',
  async (shell) => {
    const { code, stdout } = await ranHere(['completion', shell], directory);
    expect(code).toBe(0);
    expect(stdout).toContain(`migrate completion ${shell}`);
    expect(stdout).toMatch(/migrate complete (?:--|@place '--') /);
  },
);
