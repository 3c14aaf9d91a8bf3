import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace, type Ended } from './tool.ts';

export type Account = { external_account_number: string; import_supplier: string };

/** The accounts of the book. */
export const all = readFileSync(project('fixtures/interface/accounts.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .slice(0, 12)
  .map((line) => JSON.parse(line) as Account);

export const numberOf = (at: number): string => all[at]?.external_account_number ?? '';

export const of = (supplier: string) => (account: Account) => ({ ...account, import_supplier: supplier });

/** A new directory for each test, and commands that work in it. */
export function smallBook() {
  let space: ReturnType<typeof workspace>;
  beforeEach(() => {
    space = workspace();
  });
  afterEach(() => space.dispose());
  const here = (...args: string[]): Promise<Ended> => ranHere([...args, '--json'], space.directory);
  return {
    get directory(): string {
      return space.directory;
    },
    here,
    run: (...args: string[]): Promise<Ended> => here('run', ...args),
    status: async (): Promise<Record<string, unknown>[]> =>
      concluded(await here('status'), 'status', 0)['suppliers'] as Record<string, unknown>[],
    /** An export of these of the twelve accounts, in a directory of its own. */
    exported: (name: string, accounts: readonly Account[] = all): string => {
      const path = join(space.directory, name);
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { recursive: true });
      const lines = accounts.map((account) => `${JSON.stringify(account)}\n`).join('');
      if (accounts.length === 0) writeFileSync(join(path, 'accounts.json'), '[]');
      else writeFileSync(join(path, 'accounts.ndjson'), lines);
      return name;
    },
  };
}
