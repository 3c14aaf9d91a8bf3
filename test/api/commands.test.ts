import { join } from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  CannotStart,
  list,
  morning,
  numbers,
  plan,
  reconcile,
  report,
  resolve,
  retry,
  runMigration,
  show,
  status,
  type JsonObject,
} from '../../src/api/index.ts';
import { project, workspace } from '../cli/tool.ts';

const space = workspace();
const cwd = space.directory;
const own = { cwd, settings: { journal: 'state/journal.db' } };
const book = project('fixtures/interface');
let first = '';

beforeAll(async () => {
  await runMigration({
    ...own,
    export: book,
    limit: 3,
    onEvent: (event) => {
      if (event.type === 'account' && event.state === 'completed') first = event.account;
    },
  });
});
afterAll(() => space.dispose());

test('status, morning, show and numbers answer from the journal that the settings name, and print nothing', async () => {
  const [stdout, stderr] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  expect(await status(own)).toMatchObject({
    exit: 0,
    summary: { suppliers: [{ supplier: 'TENTACLE_ENERGY', accounts: { completed: 3 } }] },
  });
  expect(await morning(own)).toMatchObject({ exit: 0, summary: { good: true, reason: 'limit' } });
  expect(await show({ ...own, account: first })).toMatchObject({
    summary: { account: first, state: 'completed' },
  });
  expect(await numbers({ ...own, out: 'numbers.csv' })).toMatchObject({ summary: { accounts: 3 } });
  expect(readFileSync(join(cwd, 'numbers.csv'), 'utf8')).toContain(first);
  expect(await report({ ...own, out: 'report.html' })).toMatchObject({ exit: 0 });
  expect(existsSync(join(cwd, 'report.html'))).toBe(true);
  expect(stdout).not.toHaveBeenCalled();
  expect(stderr).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

test('list, plan and reconcile give their lines as they come, and their end', async () => {
  const listed: JsonObject[] = [];
  const lines = list({ ...own, state: 'completed' });
  for await (const line of lines) listed.push(line);
  expect(listed).toHaveLength(3);
  expect(await lines.ending).toMatchObject({ exit: 0, summary: { accounts: 3 } });
  expect(await plan({ ...own, export: book }).ending).toMatchObject({
    summary: { accounts: { total: 50, done: 3 } },
  });
  const compared = reconcile(own);
  for await (const line of compared) expect(line).toHaveProperty('type');
  expect(await compared.ending).toMatchObject({ summary: { supplier: 'TENTACLE_ENERGY' } });
});

test('retry and resolve change the journal, or say why not', async () => {
  expect(await retry({ ...own, state: 'rejected' })).toMatchObject({ summary: { accounts: 0 } });
  const refused: unknown = await resolve({ ...own, account: first, step: 'notes', as: 'done' }).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(CannotStart);
  expect(refused).toMatchObject({ code: 'cannot_start', exit: 2 });
});

test('an option that is none is an error at once, and an aborted list gives no more lines', async () => {
  const wrong = { ...own, stat: 'rejected' };
  expect(() => list(wrong)).toThrow('There is no option `stat`. Did you mean state?');
  const stop = new AbortController();
  const lines = list({ ...own, signal: stop.signal })[Symbol.asyncIterator]();
  expect((await lines.next()).done).toBe(false);
  stop.abort(new Error('enough'));
  await expect(lines.next()).rejects.toThrow('enough');
});

test('wrong values, and settings that are given as options, are errors with a code, in the words of options', async () => {
  const wrong: Record<string, unknown> = { ...own, state: 'rejcted' };
  expect(() => list(wrong)).toThrow('The option `state` must be one of pending,');
  const setting: Record<string, unknown> = { ...own, supplier: 'S' };
  expect(() => list(setting)).toThrow(
    'There is no option `supplier`. It is a setting: give it in `settings`.',
  );
  const ruling: Record<string, unknown> = { ...own, account: '1', step: 'notes', as: 'don' };
  await expect(resolve(ruling)).rejects.toMatchObject({ code: 'invalid_option', exit: 2 });
});

test('a code that is nearly a known one is an error, and any other that no account has is told', async () => {
  const slip = list({ ...own, code: 'invalid_postcod' }).ending;
  await expect(slip).rejects.toMatchObject({ code: 'cannot_start', exit: 2 });
  await expect(slip).rejects.toThrow(
    "the option `code`: no account has the code 'invalid_postcod'. Did you mean invalid_postcode?",
  );
  for (const code of ['nope', 'KT-CT-9999'])
    expect(await list({ ...own, code }).ending).toMatchObject({
      summary: { accounts: 0, unknownCode: code },
    });
});

test('an output of a command is a file', async () => {
  for (const written of [report, numbers])
    await expect(written({ ...own, out: '-' })).rejects.toMatchObject({
      ...{ code: 'invalid_option', message: 'The option `out` must be the path of a file.' },
    });
  expect(() => plan({ ...own, export: book, out: '-' })).toThrow('must be the path of a file');
});

test('a call that is aborted before it began says so with a code', async () => {
  const signal = AbortSignal.abort();
  await expect(status({ ...own, signal })).rejects.toMatchObject({ code: 'interrupted', exit: 6 });
  await expect(list({ ...own, signal }).ending).rejects.toBeInstanceOf(CannotStart);
});
