import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { concluded, refused } from './endings.ts';
import type { Ended } from './tool.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
let book: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
  book = join(directory, 'book');
  cpSync(project('fixtures/interface'), book, { recursive: true });
});
afterEach(() => space.dispose());

const cli = (...args: string[]) => ranHere([...args, '--json'], directory);
const planned = async (...args: string[]) =>
  concluded(await cli('plan', 'book', '--out', 'plan.ndjson', ...args), 'plan', 0);
const run = (...args: string[]) => cli('run', 'book', '--plan', 'plan.ndjson', ...args);

/** The run did not begin, and says what is not as planned. */
function differs(ended: Ended, difference: string): void {
  refused(ended, 'run', 2, difference, 'this is not what was planned');
}

/** Changes the text of a file in the book. */
function edit(file: string, from: string, to: string): void {
  const path = join(book, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

describe('an approved plan', () => {
  it('is driven as it is, and holds no customer data', async () => {
    expect(await planned()).toMatchObject({ accounts: { new: 50 }, out: 'plan.ndjson' });
    const file = readFileSync(join(directory, 'plan.ndjson'), 'utf8');
    expect(file.split('\n')).toHaveLength(53);
    expect(file).not.toMatch(/@|given_name|postal/);
    expect(concluded(await run(), 'run', 0)).toMatchObject({ accounts: { completed: 50 } });
  });

  it('is refused where the data of an account, or the accounts, have changed since', async () => {
    await planned();
    edit('notes.ndjson', '"body":"', '"body":"Moved. ');
    const ended = await run();
    differs(ended, 'EXT-000001 has other data than in the plan');
    expect(ended.stdout).not.toContain('"type":"account"');

    cpSync(project('fixtures/interface'), book, { recursive: true });
    const accounts = readFileSync(join(book, 'accounts.ndjson'), 'utf8').trimEnd().split('\n');
    writeFileSync(join(book, 'accounts.ndjson'), `${accounts.slice(0, -1).join('\n')}\n`);
    const fewer = await run('--skip-unreadable');
    expect(fewer.code).toBe(2);
    expect(fewer.stderr).toContain('EXT-000050 is in the plan, but not in the export');
    expect(concluded(await cli('plan', 'book', '--skip-unreadable'), 'plan', 0)['accounts']).toMatchObject({
      done: 0,
    });
  });

  it('is refused where the flags would send more than was planned', async () => {
    await planned('--steps', 'validate,stage');
    const more = await run();
    expect(more.code).toBe(2);
    expect(more.stderr).toContain('EXT-000001 has more to send than in the plan: process, notes');
    expect(more.stderr).toContain('40 more accounts differ from the plan.');
    expect(concluded(await run('--steps', 'validate,stage'), 'run', 0)).toMatchObject({
      accounts: { staged: 50 },
    });
  });

  it('is continued after an interruption, and refused where the journal has work that was not planned', async () => {
    await planned();
    concluded(await run('--limit', '20'), 'run', 6);
    expect(concluded(await run(), 'run', 0)).toMatchObject({ accounts: { completed: 50 } });

    expect(await planned()).toMatchObject({ accounts: { done: 50 } });
    edit('notes.ndjson', '"body":"', '"body":"Another. ');
    differs(await run(), 'EXT-000001 has other data than in the plan');
  });

  it('is continued after a stop that leaves most of a larger book unread', async () => {
    rmSync(book, { recursive: true });
    await ranHere(['generate', 'book', '--accounts', '300', '--seed', '7'], directory);
    await planned('--steps', 'validate,stage');
    const steps = ['--steps', 'validate,stage'];
    const stopped = concluded(await run('--limit', '20', ...steps), 'run', 6);
    expect(stopped).toMatchObject({ stopReason: 'limit', accounts: { staged: 20 } });
    expect(concluded(await run(...steps), 'run', 0)).toMatchObject({ accounts: { staged: 300 } });
  });

  it('is refused on another platform, of another supplier, and for a dry run', async () => {
    await planned();
    differs(await run('--supplier', 'OTHER_ENERGY'), 'takes all suppliers');
    refused(await run('--dry-run'), 'run', 2, '--plan is for a run that creates accounts');
    const env = { MIGRATE_BASE_URL: 'http://127.0.0.1:9', MIGRATE_API_KEY: 'sk_a_key', MIGRATE_TEAM: 'X' };
    const elsewhere = await ranHere(['run', 'book', '--plan', 'plan.ndjson', '--yes', '--json'], directory, {
      env,
    });
    differs(elsewhere, 'The plan is for the embedded platform, but this run is for http://127.0.0.1:9.');
  });

  it('is refused where its file was edited, cut, is missing, or is another file', async () => {
    await planned();
    const path = join(directory, 'plan.ndjson');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.replace('"plan":"new"', '"plan":"done"'));
    refused(await run(), 'run', 2, 'it was changed after it was written');
    writeFileSync(path, whole.slice(0, -100));
    refused(await run(), 'run', 2, '--plan: plan.ndjson cannot be used');
    writeFileSync(path, '');
    refused(await run(), 'run', 2, 'it is empty');
    writeFileSync(path, `${whole}{"type":"account"}\n`);
    refused(await run(), 'run', 2, 'follows its end');
    refused(await cli('run', 'book', '--plan', 'none.ndjson'), 'run', 2, 'it is missing, or not readable');
    refused(await cli('run', 'book', '--plan', 'book'), 'run', 2, 'it is not a regular file');
    refused(await cli('plan', 'book', '--out', 'book/accounts.ndjson'), 'plan', 2, '--out');
  });
});
