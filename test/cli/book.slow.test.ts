import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { all, numberOf, of, smallBook } from './small-book.ts';
import { summaryOf } from './tool.ts';

const book = smallBook();
const { exported, here, run, status } = book;

describe('the size of the book', () => {
  it('is known after a run of a few accounts, to everything that speaks of it', async () => {
    exported('book');
    const limited = concluded(await run('book', '--limit', '2'), 'run', 6);
    expect(limited['accounts']).toMatchObject({ total: 12, pending: 10, completed: 2 });
    expect(await status()).toMatchObject([{ accounts: { total: 12, pending: 10, completed: 2 }, absent: 0 }]);
    expect(concluded(await here('report', '--out', 'r.html'), 'report', 0)['accounts']).toMatchObject({
      total: 12,
      completed: 2,
    });
    expect(readFileSync(join(book.directory, 'r.html'), 'utf8')).toContain('2 of 12 accounts');
    expect(concluded(await here('numbers', '--out', 'n.csv'), 'numbers', 0)).toMatchObject({
      accounts: 2,
      total: 12,
    });
    expect(linesOfType((await here('history')).stdout, 'run')).toMatchObject([{ accounts: { total: 12 } }]);
    expect(concluded(await here('reconcile'), 'reconcile', 8)).toMatchObject({
      matches: false,
      byCode: { pending: 10 },
    });
    concluded(await run('book'), 'run', 0);
    expect(concluded(await here('reconcile'), 'reconcile', 0)).toMatchObject({ matches: true });
  });

  it('counts what a pilot of two accounts leaves out, and the pilot itself has done all that was asked', async () => {
    exported('book');
    writeFileSync(join(book.directory, 'pilot.txt'), `${numberOf(3)}\n${numberOf(4)}\n`);
    const pilot = await ranHere(['run', 'book', '--accounts', 'pilot.txt'], book.directory);
    expect(pilot).toMatchObject({ code: 0, stdout: expect.stringContaining('12 accounts') as string });
    expect(pilot.stdout).toContain('10 pending that this run did not take.');
    expect(pilot.stdout).not.toContain('--steps');
    const again = concluded(await run('book', '--accounts', 'pilot.txt', '--checksum'), 'run', 0);
    expect(again).toMatchObject({ accounts: { pending: 10 }, workLeft: false });
    expect(await status()).toMatchObject([{ accounts: { total: 12, pending: 10, completed: 2 } }]);
    expect((await ranHere(['report', '--out', 'r.html'], book.directory)).stdout).toContain(
      'Not complete: 2 of 12 accounts',
    );
  });

  it('is of each supplier, also of one that --supplier leaves out', async () => {
    exported('book', [...all.slice(0, 4).map(of('PAUSED_ENERGY')), ...all.slice(4)]);
    const one = concluded(await run('book', '--supplier', 'TENTACLE_ENERGY', '--limit', '1'), 'run', 6);
    expect(one['accounts']).toMatchObject({ total: 8, completed: 1, pending: 7 });
    expect(await status()).toMatchObject([
      { supplier: 'PAUSED_ENERGY', accounts: { total: 4, pending: 4 } },
      { supplier: 'TENTACLE_ENERGY', accounts: { total: 8, completed: 1 } },
    ]);
  });

  it('is the whole book after a run of a part of it', async () => {
    exported('book');
    concluded(await run('book', '--limit', '1'), 'run', 6);
    exported('part', all.slice(5, 8));
    expect(concluded(await run('part'), 'run', 0)['accounts']).toMatchObject({ total: 12, completed: 4 });
  });

  it('is recorded by a dry run too, which records no progress', async () => {
    exported('book');
    const dry = concluded(await run('book', '--dry-run', '--limit', '3'), 'run', 6);
    expect(dry).toMatchObject({ wouldImport: 3, accounts: { total: 12, pending: 12 } });
    expect(await status()).toMatchObject([{ accounts: { total: 12, pending: 12 } }]);
  });

  it('grows with the export', async () => {
    exported('book', all.slice(0, 5));
    concluded(await run('book'), 'run', 0);
    exported('book');
    concluded(await run('book', '--limit', '1'), 'run', 6);
    expect(await status()).toMatchObject([{ accounts: { total: 12, completed: 6, pending: 6 } }]);
  });
});

describe('a supplier that no account of the export has', () => {
  const why =
    'No account of the export has the supplier TENTACLE_ENERGI. Its suppliers: PAUSED_ENERGY, TENTACLE_ENERGY. Correct --supplier, or supplier in the configuration.';

  it.each(['run', 'plan', 'validate'])('is an error of %s that names those there are', async (command) => {
    exported('book', [...all.slice(0, 4).map(of('PAUSED_ENERGY')), ...all.slice(4)]);
    const args = [command, 'book', '--supplier', 'TENTACLE_ENERGI', '--json'];
    const ended = await ranHere(args, book.directory);
    expect(ended.code).toBe(2);
    expect(summaryOf(ended.stdout)).toMatchObject({ command, errors: [why], exit: 2 });
  });

  it('is told by morning and log, takes no account for gone, and leaves the next command as it was', async () => {
    exported('own', all.slice(4));
    concluded(await run('own', '--limit', '1', '--supplier', 'TENTACLE_ENERGY'), 'run', 6);
    exported('own', all.slice(0, 4).map(of('PAUSED_ENERGY')));
    const flags = ['--supplier', 'TENTACLE_ENERGY', '--log', 'night.log'];
    const said = 'No account of the export has the supplier TENTACLE_ENERGY. Its suppliers: PAUSED_ENERGY.';
    expect(String(concluded(await run('own', ...flags), 'run', 2)['errors'])).toContain(said);
    const { stdout } = await ranHere(['morning', '--supplier', 'TENTACLE_ENERGY'], book.directory);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain('Not a good rehearsal: the run could not start.');
    expect(text).toContain(`The run said: ${said}`);
    expect(text).not.toMatch(/lost:|left the export/i);
    expect(readFileSync(join(book.directory, 'night.log'), 'utf8')).toContain(said);
    exported('own', all.slice(4));
    concluded(await run('own', '--supplier', 'TENTACLE_ENERGY'), 'run', 0);
  });
});
