import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());
const secret = 'hunter2';
const forms = 'must be a path, or postgres://[user@]host[:port]/database';

describe('a name that is neither a path nor an address', () => {
  let cwd = '';
  let count = 0;
  beforeEach(() => {
    cwd = join(space.directory, String((count += 1)));
    mkdirSync(cwd);
  });

  const made = (): string[] => readdirSync(cwd, { recursive: true }).map(String);

  it.each([
    `"postgres://migrate:${secret}@db.example.com/books"`,
    `host=db.example.com password=${secret}`,
    `postgresql+psycopg://migrate:${secret}@db.example.com/books`,
    `postgres://migrate:a@${secret}@db.example.com/books`,
    `postgres://db.example.com/books?pass=${secret}`,
  ])('makes no file, wherever it is given: %s', async (name) => {
    const given = project('fixtures/interface');
    for (const ended of [
      await ranHere(['run', given], cwd, { env: { MIGRATE_JOURNAL: name } }),
      await ranHere(['run', given, '--json', `--journal=${name}`], cwd),
      await ranHere(['doctor', `--journal=${name}`], cwd),
      await ranHere(['status'], cwd, { env: { MIGRATE_JOURNAL: name } }),
      await ranHere(['journal', 'move', 'journal.db', name], cwd),
      await ranHere(['journal', 'move', name, 'journal.db'], cwd),
      await ranHere(['journal', 'backup', name], cwd),
      await ranHere(['journal', 'restore', name], cwd),
    ]) {
      expect(ended.code).toBe(2);
      const output = ended.stdout + ended.stderr;
      expect(output).toMatch(/must be a path, or postgres:|must not contain a password|must be a file/);
      expect(output).not.toContain(secret);
    }
    expect(made().join('\n')).not.toMatch(/hunter2|postgres|host=/);
  });

  it('is named with its line in the configuration, in a profile too', async () => {
    writeFileSync(
      join(cwd, '.migraterc'),
      `profiles:\n  live:\n    journal: jdbc:postgresql://db/books?password=${secret}\n`,
    );
    const { code, stderr } = await ranHere(['status'], cwd);
    expect(code).toBe(2);
    expect(stderr).toContain(`.migraterc:3: journal ${forms}`);
    expect(stderr).not.toContain(secret);
  });
});

it('a directory may have any name', async () => {
  const cwd = join(space.directory, 'a=b:c@d token=x');
  mkdirSync(cwd);
  const { code } = await ranHere(['run', project('fixtures/interface'), '--dry-run', '--quiet'], cwd);
  expect(code).toBe(0);
  expect(readdirSync(join(cwd, '.migrate'))).toContain('journal.db');
});
