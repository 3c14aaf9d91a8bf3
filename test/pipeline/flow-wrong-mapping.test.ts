import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planOf, refused, Harness } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const plans = Array.from({ length: 60 }, (_, account) => planOf(String(account)));
const wrong = refused('ledger_code_does_not_exist', 'ledgers.0.ledger_code');

describe('when the platform refuses the first twenty accounts for the same reason', () => {
  it('the run stops and names it, since the mapping is wrong and not they', async () => {
    harness.platform.answers('validate', ...plans.map(() => wrong));
    expect(await harness.run(plans)).toMatchObject({
      exit: 6,
      stop: { reason: 'same-refusal', detail: 'ledger_code_does_not_exist' },
      accounts: { rejected: 20, pending: 40 },
    });
  });

  it('in whatever step, also in a dry run', async () => {
    harness.platform.answers('process', ...plans.map(() => wrong));
    expect(await harness.run(plans, { dryRun: true })).toMatchObject({
      exit: 6,
      stop: { reason: 'same-refusal' },
    });
  });

  it('accounts that the local check rejects do not count, nor keep the others from counting', async () => {
    const problem = { code: 'invalid_date', path: '', detail: 'No.', severity: 'error' as const };
    const faulty = plans.map((plan, index) =>
      index % 2 === 0 ? { ...plan, problems: [{ ...problem, account: plan.key.account }] } : plan,
    );
    harness.platform.answers('stage', ...plans.map(() => wrong));
    expect(await harness.run(faulty)).toMatchObject({
      exit: 6,
      stop: { reason: 'same-refusal' },
      accounts: { rejected: 40, pending: 20 },
    });
    harness.platform.answers('stage');
    expect(await harness.run(faulty.filter((_, index) => index % 2 === 0))).toMatchObject({ exit: 3 });
  });

  it('one that arrives, or another reason, shows that it is not the mapping', async () => {
    harness.platform.answers(
      'validate',
      ...plans.slice(0, 19).map(() => wrong),
      refused('invalid_postcode'),
      wrong,
    );
    expect(await harness.run(plans)).toMatchObject({ exit: 3, accounts: { rejected: 21, completed: 39 } });
  });

  it('whoever has said how many failures are acceptable goes on', async () => {
    harness.platform.answers('validate', ...plans.slice(0, 30).map(() => wrong));
    const maxFailures = { count: 50 };
    expect(await harness.run(plans, { maxFailures })).toMatchObject({
      exit: 3,
      accounts: { rejected: 30, completed: 30 },
    });
  });
});
