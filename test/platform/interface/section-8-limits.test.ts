import { describe, expect, test } from 'vitest';
import { SteppingClock, until } from '../stepping-clock.ts';
import { accountPayload, createPayload, freshAccount, target } from './target.ts';

const clock = new SteppingClock();
const platform = target({ process: { cap: 2, durationMs: 60_000 } }, clock);

describe('8.1: the optional cap on accounts processed at once', () => {
  test('refuses what goes over it with 429, which passes after others have finished', async () => {
    const [one, two, three] = [freshAccount(), freshAccount(), freshAccount()];
    for (const account of [one, two, three]) await platform.post('stage', accountPayload(account));
    const started = [one, two].map((account) => platform.post('process', createPayload(account)));
    await until(() => clock.asleep === 2);

    expect((await platform.post('process', createPayload(three))).status).toBe(429);
    // 2.12: IN_PROGRESS while a process is creating the account.
    for (const account of [one, two])
      expect((await platform.get('transferStatus', account)).body).toEqual({
        status: 'IN_PROGRESS',
        kraken_account_number: '',
      });
    expect((await platform.get('transferStatus', three)).body.status).toBe('UNKNOWN');

    clock.advance(60_000);
    for (const { status } of await Promise.all(started)) expect(status).toBe(201);
    const last = platform.post('process', createPayload(three));
    await until(() => clock.asleep === 1);
    clock.advance(60_000);
    expect((await last).status).toBe(201);
  });
});
