import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { FailuresApart } from '../../src/pipeline/run/failures-apart.ts';
import { collected } from '../../src/cli/collected.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { defaultSettings, Harness, planOf, refused, rules } from './harness.ts';
import { readyPlan } from './ready-plan.ts';
import { SimulatedTime } from './simulated-time.ts';

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
  harness.time = new SimulatedTime();
});
afterEach(() => harness.dispose());

/** Accounts of which the last so many have a type of their own, and a street that all of them live in. */
const book = (accounts: number, own: number) =>
  Array.from({ length: accounts }, (_, at) =>
    planOf(
      String(at),
      {},
      {
        account_type: at >= accounts - own ? 'BUSINESS' : 'DOMESTIC',
        billing_address: {
          street_address: at >= accounts - own ? 'Secret Lane' : `${at} High Street`,
          country: 'GB',
        },
      },
    ),
  );

/** The platform refuses the accounts of this type. */
function refuses(type: string): void {
  const { platform } = harness;
  const client = platform.client.bind(platform);
  platform.client = () => {
    const own = client();
    return {
      ...own,
      post: (endpoint, body, options) => {
        const payload = JSON.parse(body.toString()) as JsonObject;
        return endpoint === 'validate' && payload['account_type'] === type
          ? Promise.resolve(refused('bad_type'))
          : own.post(endpoint, body, options);
      },
    };
  };
}

async function found(accounts: number, own: number) {
  await harness.run(book(accounts, own), { concurrency: 4 });
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  const runs = await collected(journal.runs());
  await journal.close();
  return runs[0]?.end?.shared;
}

describe('accounts that the platform refuses', () => {
  it('are told by the code that all of them have and no completed one has, and no value of a person', async () => {
    refuses('BUSINESS');
    const shared = await found(40, 9);
    expect(shared).toEqual([
      {
        ...{ state: 'rejected', code: 'bad_type', accounts: 9, compared: 31 },
        differences: ['account_type is BUSINESS'],
      },
    ]);
    expect(JSON.stringify(shared)).not.toContain('Secret');
  });

  it('and are fewer than five are not described', async () => {
    refuses('BUSINESS');
    expect(await found(40, 4)).toBeUndefined();
  });
});

it('of many accounts only some are compared', () => {
  const apart = new FailuresApart();
  const ready = (account: string, type: string) =>
    readyPlan(planOf(account, {}, { account_type: type }), rules, defaultSettings);
  const [good, bad] = [ready('1', 'DOMESTIC'), ready('2', 'X')];
  for (let at = 0; at < 10_000; at += 1) apart.see({ state: 'completed', code: '' }, good);
  for (let at = 0; at < 1_000; at += 1) apart.see({ state: 'failed', code: 'http_500' }, bad);
  const [group] = apart.conclude();
  expect(group).toMatchObject({ accounts: 500, differences: ['account_type is X'] });
  expect(group?.compared).toBeLessThanOrEqual(200);
});

it('says nothing where too few accounts were completed to tell apart from', async () => {
  refuses('BUSINESS');
  expect(await found(10, 7)).toBeUndefined();
});
