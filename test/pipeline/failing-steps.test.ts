import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failingStepsText } from '../../src/report/failing-steps-text.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { Harness, planOf, serverError } from './harness.ts';
import { SimulatedTime } from './simulated-time.ts';

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
  harness.time = new SimulatedTime();
});
afterEach(() => harness.dispose());

const statement = {
  statement_id: 'S',
  number: '1',
  gross_amount: 12.5,
  bill_period_from_date: '2023-01-01',
  bill_period_to_date: '2023-01-31',
  issued_date: '2023-02-01',
};
const extras = {
  statements: [{ statements: [statement] }],
  notes: [{ notes: [{ body: 'Called', created_at: '2024-01-01T00:00:00Z' }] }],
};
/** Accounts of which the last so many came through a broker. */
const book = (accounts: number, ofBroker: number) =>
  Array.from({ length: accounts }, (_, at) =>
    planOf(String(at), extras, {
      sales_channel: at >= accounts - ofBroker ? 'BROKER' : 'EVENTS',
      sales_subchannel: at >= accounts - ofBroker ? 'Smith & Sons' : 'Jones & Sons',
    }),
  );
const settings = { concurrency: 8 };

/** The statements of accounts for which this is true are answered 500. */
function failsFor(isConcerned: (account: string) => boolean): void {
  const { platform } = harness;
  const client = platform.client.bind(platform);
  platform.client = () => {
    const own = client();
    return {
      ...own,
      post: (endpoint, body, options) => {
        const { external_account_number: account } = JSON.parse(body.toString()) as JsonObject;
        return endpoint === 'statements' && isConcerned(typeof account === 'string' ? account : '')
          ? Promise.resolve(serverError)
          : own.post(endpoint, body, options);
      },
    };
  };
}

describe('a step that alone answers 500', () => {
  it('for the last accounts of a night is named with what they share, and is no unavailable platform', async () => {
    failsFor((account) => Number(account) >= 200);
    const result = await harness.run(book(335, 135), settings);
    expect(result).toMatchObject({ exit: 3, accounts: { completed: 200, failed: 135 } });
    expect(result.stop).toBeUndefined();
    const [told, ...others] = failingStepsText(result);
    expect(others).toEqual([]);
    expect(told).toContain('statements answers 500 for 135 accounts, and 200 passed it.');
    expect(told).toContain('sales_channel is BROKER');
    expect(told).toContain('Everything else works.');
    expect(told).not.toMatch(/Smith|Jones/);
  });

  it('for every account has nothing that tells them apart, and the rest of the book arrives', async () => {
    failsFor(() => true);
    const result = await harness.run(book(60, 30), settings);
    expect(result).toMatchObject({ exit: 3, accounts: { failed: 60 } });
    expect(failingStepsText(result)).toEqual([
      "statements answers 500 for 60 accounts. Everything else works. Ask the platform's operator.",
    ]);
    expect(harness.platform.times('process')).toBe(60);
  });

  it('as the only step that is left is tested against the status of an account', async () => {
    failsFor(() => true);
    await harness.run(book(60, 30), settings);
    const again = await harness.run(book(60, 30), settings);
    expect(again).toMatchObject({ exit: 3, accounts: { failed: 60 } });
    expect(again.stop).toBeUndefined();
  });
});

describe('what tells accounts apart', () => {
  it.each([
    ['a kind of number', { gross_amount: -3 }, 'statements.gross_amount is negative'],
    ['a member that others lack', { statement_path: 'a.pdf' }, 'statements.statement_path is present'],
    ['a member that others have', { issued_date: undefined }, 'statements.issued_date is absent'],
    ['characters', { number: 'N\u00e91' }, 'statements.number has characters outside ASCII'],
  ])('is %s, and its value is not named', async (_what, change, expected) => {
    failsFor((account) => Number(account) >= 20);
    const plans = Array.from({ length: 30 }, (_, at) => {
      const changed: Record<string, unknown> = at >= 20 ? { ...statement, ...change } : statement;
      const sent = JSON.parse(JSON.stringify(changed)) as JsonObject;
      return planOf(String(at), { statements: [{ statements: [sent] }] });
    });
    const result = await harness.run(plans, settings);
    expect(result.failingSteps).toMatchObject([{ step: 'statements', failed: 10, differences: [expected] }]);
  });

  it('is nothing, if accounts with the same values passed', async () => {
    failsFor((account) => Number(account) % 2 === 0);
    const result = await harness.run(book(40, 20), settings);
    expect(result.failingSteps).toMatchObject([{ failed: 20, passed: 20, differences: [] }]);
  });

  it('is not told of a few accounts', async () => {
    failsFor((account) => Number(account) < 2);
    expect((await harness.run(book(40, 20), settings)).failingSteps).toBeUndefined();
  });
});
