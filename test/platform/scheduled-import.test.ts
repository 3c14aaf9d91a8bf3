import { describe, expect, it } from 'vitest';
import { dumpRequests, dumpTasks } from '../../src/platform/dump.ts';
import { rehearse } from './running-platform.ts';
import { accountPayload, statusPath } from './sample-payloads.ts';

const minute = 60_000;
const submission = (account: string, params: Record<string, unknown> = {}) => ({
  payload: accountPayload(account),
  task_params: params,
});
const statusOf = (account: string): string => `accounts/TENTACLE_ENERGY/${account}/`;

describe('scheduled import', () => {
  it('is not there unless it is asked for', async () => {
    const { v2 } = await rehearse();
    expect((await v2('POST', 'accounts/', submission('1'))).status).toBe(404);
    expect((await v2('GET', statusOf('1'))).status).toBe(404);
  });

  it('creates the account when its time has come, and lists it with the others', async () => {
    const { v2, get, clock } = await rehearse({
      isExtended: true,
      operator: { scheduler: { fromMs: minute, toMs: minute } },
    });
    expect(await v2('POST', 'accounts/validate/', { payload: accountPayload('1') })).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await v2('GET', statusOf('1'))).body).toMatchObject({ code: 'not_found' });
    const start = new Date(clock.now() + minute).toISOString();
    const params = { schedule_window_start: start };
    expect(await v2('POST', 'accounts/', submission('1', params))).toMatchObject({ status: 201, text: '' });
    expect((await v2('GET', statusOf('1'))).body).toMatchObject({
      status: 'PENDING',
      kraken_identifier: null,
    });
    expect((await get(statusPath('1'))).status).toBe(404);
    clock.advance(minute);
    expect((await v2('GET', statusOf('1'))).body).toMatchObject({ status: 'IN_PROGRESS' });
    clock.advance(minute);
    expect((await get('imported-account-import-processes/TENTACLE_ENERGY/')).body).toHaveLength(1);
    expect((await v2('GET', statusOf('1'))).body).toMatchObject({
      status: 'PROCESSED',
      kraken_identifier: 'A-00000001',
      latest_error: null,
    });
    expect((await v2('POST', 'accounts/', submission('1'))).body).toEqual({
      non_field_errors: {
        detail: 'The account was already imported.',
        code: 'account_import_process_already_imported',
      },
      account_id: 'A-00000001',
    });
  });

  it('passes its time faster than the clock, if it is told to', async () => {
    const { v2, clock } = await rehearse({
      isExtended: true,
      operator: { scheduler: { fromMs: 600_000, toMs: 600_000, speed: 60 } },
    });
    await v2('POST', 'accounts/', submission('1'));
    clock.advance(10_000);
    expect((await v2('GET', statusOf('1'))).body.status).toBe('PROCESSED');
  });

  it('refuses data with a word that leads to validate, which has the particulars', async () => {
    const { v2 } = await rehearse({ isExtended: true });
    const wrong = { payload: accountPayload('1', { account_type: 7 }) };
    expect((await v2('POST', 'accounts/', { ...wrong, task_params: {} })).body).toMatchObject({
      code: 'import_process_failed_validation',
      domain: 'import_process',
    });
    expect((await v2('POST', 'accounts/validate/', wrong)).body.errors).toMatchObject([
      { attr: 'account_type' },
    ]);
    expect((await v2('POST', 'accounts/validate/', accountPayload('1'))).status).toBe(400);
  });

  it.each([
    ['a start that is past', { schedule_window_start: '2024-06-15T11:00:00Z' }],
    ['an end more than four days ahead', { schedule_window_end: '2024-06-19T13:00:00Z' }],
  ])('refuses %s', async (_, params) => {
    const { v2 } = await rehearse({ isExtended: true });
    expect((await v2('POST', 'accounts/', submission('1', params))).status).toBe(400);
  });

  it('ends a dry run without an account', async () => {
    const { v2, get } = await rehearse({ isExtended: true });
    await v2('POST', 'accounts/', submission('1', { is_dry_run: true }));
    expect((await v2('GET', statusOf('1'))).body.status).toBe('DRY_RUN_SUCCEEDED');
    expect((await get(statusPath('1'))).status).toBe(404);
  });

  it('ends tasks as the operator says, and takes the account again', async () => {
    const { v2 } = await rehearse({
      isExtended: true,
      operator: {
        scheduler: {
          outcomes: [
            { status: 'ERRORED', accounts: ['1'], submissions: [1], detail: 'customers.0.email: unknown' },
            { status: 'CANCELLED', accounts: ['2'] },
            { status: 'FORGOTTEN', accounts: ['3'] },
          ],
        },
      },
    });
    for (const account of ['1', '2', '3']) await v2('POST', 'accounts/', submission(account));
    expect((await v2('GET', statusOf('1'))).body).toMatchObject({
      status: 'ERRORED',
      latest_error: { detail: 'customers.0.email: unknown' },
    });
    expect((await v2('GET', statusOf('2'))).body.status).toBe('CANCELLED');
    expect((await v2('GET', statusOf('3'))).status).toBe(404);
    await v2('POST', 'accounts/', submission('1'));
    expect((await v2('GET', statusOf('1'))).body.status).toBe('PROCESSED');
  });

  it('keeps a ledger of what was submitted while a task could still create the account', async () => {
    const { v2, stateFile } = await rehearse({
      isExtended: true,
      operator: { scheduler: { fromMs: minute, toMs: minute } },
    });
    await v2('POST', 'accounts/', submission('1'));
    await v2('POST', 'accounts/', submission('1'));
    expect(dumpTasks(stateFile)).toEqual([
      { supplier: 'TENTACLE_ENERGY', account: '1', status: 'WAITING', submissions: 2, doubled: 1 },
    ]);
    expect(dumpRequests(stateFile)).toContainEqual(
      expect.objectContaining({ endpoint: 'schedule', status: 201, times: 2 }),
    );
  });

  it('takes no more tasks than its cap', async () => {
    const { v2 } = await rehearse({
      isExtended: true,
      operator: { scheduler: { cap: 1, fromMs: minute, toMs: minute } },
    });
    await v2('POST', 'accounts/', submission('1'));
    expect((await v2('POST', 'accounts/', submission('2'))).status).toBe(429);
  });
});
