import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(async () => {
  space = workspace();
  await here('generate', './export', '--accounts', '6', '--shape', 'flat');
});
afterEach(() => space.dispose());

const here = (...args: string[]) => ranHere([...args, '--json'], space.directory);
const printed = async (...args: string[]) =>
  (await ranHere(args, space.directory)).stdout.replaceAll(/\s+/g, ' ');

/** The row of the fifth account gets a cell too many. */
function breakRow(): void {
  const path = join(space.directory, 'export/accounts.csv');
  const lines = readFileSync(path, 'utf8').split('\n');
  lines[5] = `${lines[5] ?? ''},extra`;
  writeFileSync(path, lines.join('\n'));
}

describe('an account whose row cannot be read, and that no run has sent', () => {
  beforeEach(async () => {
    breakRow();
    expect(concluded(await here('run', 'export', '--yes'), 'run', 3)).toMatchObject({
      accounts: { total: 6, completed: 5, rejected: 1 },
    });
  });

  it('is in what every command says of the book', async () => {
    expect(concluded(await here('morning'), 'morning', 3)).toMatchObject({
      reason: 'no-supplier',
      withoutSupplier: 1,
    });
    expect(concluded(await here('status'), 'status', 0)).toMatchObject({ withoutSupplier: 1 });
    expect(concluded(await here('list', '--state', 'rejected'), 'list', 0)).toMatchObject({
      withoutSupplier: 1,
    });
    const [last] = linesOfType((await here('history')).stdout, 'run');
    expect(last).toMatchObject({ withoutSupplier: 1 });
    const said = '1 account of export names no import supplier that can be read, and nothing was sent of it.';
    expect(await printed('morning')).toContain(`Of 6 accounts, 5 are complete (83 %). ${said}`);
    expect(await printed('status')).toContain(said);
    expect(await printed('list')).toContain(said);
    expect(await printed('report', '--out', '-')).toContain(
      'Not complete: 1 account without an import supplier',
    );
  });

  it('keeps a comparison from being a match', async () => {
    const ended = await here('reconcile', 'export');
    expect(concluded(ended, 'reconcile', 8)).toMatchObject({ matches: false, byCode: { unreadable: 1 } });
    const [difference] = linesOfType(ended.stdout, 'difference');
    expect(difference).toMatchObject({ code: 'unreadable', file: 'accounts.csv', line: 6 });
  });

  it('is no longer told once its row is right', async () => {
    const path = join(space.directory, 'export/accounts.csv');
    writeFileSync(path, readFileSync(path, 'utf8').replace(',extra', ''));
    concluded(await here('run', 'export', '--yes'), 'run', 0);
    expect(concluded(await here('morning'), 'morning', 0)).toMatchObject({ good: true, withoutSupplier: 0 });
  });
});

describe('an account whose row cannot be read, and that an earlier run has sent', () => {
  it('is counted once, as completed with data that is refused now', async () => {
    concluded(await here('run', 'export', '--yes'), 'run', 0);
    breakRow();
    expect(concluded(await here('plan', 'export'), 'plan', 0)).toMatchObject({ accounts: { total: 6 } });
    expect(concluded(await here('run', 'export', '--yes'), 'run', 3)).toMatchObject({
      accounts: { total: 6, completed: 6, rejected: 0 },
      refusedData: 1,
    });
    expect(concluded(await here('morning'), 'morning', 3)).toMatchObject({
      reason: 'refused-data',
      accounts: { total: 6, completed: 6 },
      withoutSupplier: 0,
    });
  });
});
