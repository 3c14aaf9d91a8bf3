import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Harness, ok, planOf, refused } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

/** The journal's file is deleted while this request is under way. */
function deletedDuring(endpoint: 'stage' | 'transferStatus'): void {
  harness.platform.onRequest = (asked) => {
    if (asked !== endpoint) return;
    for (const end of ['', '-wal', '-shm']) rmSync(`${harness.journalFile}${end}`, { force: true });
  };
}

describe('a journal that is deleted while an account is found on the platform', () => {
  const gone = { exit: 2, stop: { reason: 'journal-gone' } };

  it('stops the run where the account is adopted by the number in the answer', async () => {
    harness.platform.answers('stage', alreadyImported({ krakenAccountNumber: 'A-1' }));
    deletedDuring('stage');
    expect(await harness.run([planOf('1'), planOf('2')], { adopt: true })).toMatchObject(gone);
    expect(harness.platform.times('process')).toBe(0);
  });

  it('stops the run where the account is adopted by the number in its status', async () => {
    harness.platform.answers('stage', alreadyImported());
    harness.platform.answers('transferStatus', ok({ status: 'COMPLETED', krakenAccountNumber: 'A-1' }, 200));
    deletedDuring('transferStatus');
    expect(await harness.run([planOf('1'), planOf('2')], { adopt: true })).toMatchObject(gone);
  });
});

function alreadyImported(more: { krakenAccountNumber?: string } = {}) {
  return refused('account_import_process_already_imported', '', more);
}
