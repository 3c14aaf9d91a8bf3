// Gateways before the platform that refuse large bodies with 413, as nginx does from 1 MB on.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/client/platform-client.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { ok, planOf, refused, tooLarge, Harness } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

/** As `notDelivered` of a profile reads it. */
const notDelivered: Answer<never> = { kind: 'throttled', status: 413 };
/** The platform's own, where its contract lists the status. */
const ownRefusal: Answer<never> = {
  kind: 'refused',
  status: 413,
  refusal: { problems: [], code: 'request_too_large', detail: 'No.', wouldImport: false },
};
const mostBytes = 100_000;
const text = (bytes: number): string => 'x'.repeat(bytes);
const note = (at: number, bytes = 1000): JsonObject => ({ body: `${at} ${text(bytes)}` });
const notes = (...bytes: number[]) => ({ notes: [{ notes: bytes.map((size, at) => note(at, size)) }] });
const many = (count: number): number[] => Array.from({ length: count }, () => 1000);
const agreement = (bytes: number) => ({ agreements: [{ tariff_code: text(bytes) }] });

/** The notes that the platform was sent of an account, each as often as it was sent. */
function notesOf(account: string): number[] {
  return harness.platform
    .bodies('notes')
    .filter((body) => body['external_account_number'] === account)
    .flatMap((body) => (body['notes'] as { body: string }[]).map((one) => parseInt(one.body)))
    .sort((a, b) => a - b);
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const problems = () => harness.events.flatMap((event) => (event.type === 'problem' ? [event.problem] : []));
const once = (plan: AccountPlan) => harness.run([plan]);

describe('a list that is too large for a gateway', () => {
  beforeEach(() => void (harness.platform.gateway = { mostBytes }));

  it('arrives in parts, each item once, and the size is learnt for the accounts that follow', async () => {
    const accounts = ['1', '2', '3', '4', '5'];
    const result = await harness.run(accounts.map((account) => planOf(account, notes(...many(250)))));
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 5 } });
    for (const account of accounts) expect(notesOf(account)).toEqual(upTo(250));
    expect(harness.platform.tooLarge).toHaveLength(2);
    expect(harness.events.filter(({ type }) => type === 'outage')).toEqual([]);
    expect(result.bodyLimit?.refusedBytes).toBeGreaterThan(mostBytes);
    expect(result.bodyLimit?.acceptedBytes).toBeLessThanOrEqual(mostBytes);
  });

  it('arrives whatever it is a list of', async () => {
    const transactions = upTo(250).map((at) => ({
      ...{ transaction_id: `T-${at}`, transaction_date: '2024-01-01', amount: '1.10', type: 'PAYMENT' },
      display_note: text(1000),
    }));
    const statements = upTo(120).map((at) => ({
      ...{ statement_id: `S-${at}`, statement_path: `/${text(1000)}` },
      ...{ bill_period_from_date: '2024-01-01', bill_period_to_date: '2024-02-01' },
    }));
    const plan = planOf('1', { transactions: [{ transactions }], statements: [{ statements }] });
    expect([await once(plan), problems()]).toMatchObject([{ exit: 0, accounts: { completed: 1 } }, []]);
    const sent = (step: 'transactions' | 'statements') =>
      harness.platform.bodies(step).flatMap((body) => body[step] as JsonObject[]);
    expect(sent('transactions')).toHaveLength(250);
    expect(sent('statements')).toHaveLength(120);
  });

  it('arrives though the gateway refused it only after the platform had it', async () => {
    harness.platform.gateway = { mostBytes, delivers: true };
    expect(await once(planOf('1', notes(...many(150))))).toMatchObject({ exit: 0 });
    expect(new Set(notesOf('1'))).toEqual(new Set(upTo(150)));
  });

  it('is whole after any crash, and nothing is sent a second time without need', async () => {
    for (let write = 1; ; write += 1) {
      const plan = planOf('1', { ...notes(...many(110)), ...agreement(10) });
      const isKilled = await harness.runKilledAt(write, [plan]);
      expect(await harness.run([plan]), `after write ${write}`).toMatchObject({ workLeft: false });
      expect(new Set(notesOf('1')), `after write ${write}`).toEqual(new Set(upTo(110)));
      expect(harness.platform.times('agreements'), `after write ${write}`).toBeLessThanOrEqual(1);
      if (!isKilled) break;
      harness.dispose();
      harness = new Harness();
      harness.platform.gateway = { mostBytes };
    }
  });

  it('leaves a refusal of one of its items to a person, because the list may have arrived', async () => {
    harness.platform.answers('notes', refused('invalid', 'notes.0'), refused('invalid', 'notes.0'));
    expect(await once(planOf('1', notes(...many(110))))).toMatchObject({
      exit: 8,
      accounts: { uncertain: 1 },
    });
    expect(new Set(notesOf('1'))).toEqual(new Set(upTo(110)));
  });

  it('arrives in parts too if the platform itself refuses it', async () => {
    harness.platform.gateway = { mostBytes, answer: ownRefusal };
    expect(await once(planOf('1', notes(...many(150), 150_000)))).toMatchObject({
      exit: 3,
      accounts: { rejected: 1 },
    });
    expect(notesOf('1')).toEqual(upTo(150));
    expect(problems()).toEqual([expect.objectContaining({ code: 'request_too_large', path: 'notes.150' })]);
  });

  it('is refused item by item if the profile says that such an answer is none of a delivery', async () => {
    harness.platform.gateway = { mostBytes, answer: notDelivered };
    harness.platform.answers('notes', refused('invalid', 'notes.0'), refused('invalid', 'notes.0'));
    expect(await once(planOf('1', notes(...many(110))))).toMatchObject({
      exit: 3,
      accounts: { rejected: 1 },
    });
    expect(problems()).toEqual([expect.objectContaining({ code: 'invalid', path: 'notes.0' })]);
  });
});

describe('a single item that is too large', () => {
  beforeEach(() => void (harness.platform.gateway = { mostBytes }));

  it('fails its account with its size, and all the rest of the account arrives', async () => {
    const plan = planOf('1', { ...notes(1000, 150_000, 1000), ...agreement(10) });
    expect(await harness.run([plan, planOf('2')])).toMatchObject({
      exit: 3,
      accounts: { failed: 1, completed: 1 },
    });
    expect(notesOf('1')).toEqual([0, 2]);
    expect(harness.platform.times('agreements')).toBe(1);
    const [problem, ...others] = problems();
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ account: '1', code: 'request_too_large', path: 'notes.1' });
    expect(problem?.detail).toMatch(/has 150,\d{3} bytes.*\(413\).*client_max_body_size/);
  });

  it('never counts as an unavailable platform, whatever else there is to do', async () => {
    const plans = upTo(25).map((at) => planOf(String(at), notes(150_000)));
    await harness.run(plans);
    const again = await harness.run(plans);
    expect(again).toMatchObject({ exit: 3, accounts: { failed: 25 }, requests: 25 });
    expect(again.stop).toBeUndefined();
  });

  it('arrives in the run after the limit was raised', async () => {
    const plan = planOf('1', notes(150_000));
    await once(plan);
    harness.platform.gateway = undefined;
    expect(await once(plan)).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  });

  it('of the account itself is a problem of the account', async () => {
    const large = planOf('1', {}, { metadata: [{ key: 'K', value: { text: text(150_000) } }] });
    expect(await once(large)).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    expect(problems()).toEqual([expect.objectContaining({ code: 'request_too_large', step: 'validate' })]);
    expect(harness.platform.tooLarge).toHaveLength(1);
  });
});

describe('what cannot be repeated, and is too large', () => {
  beforeEach(() => void (harness.platform.gateway = { mostBytes, delivers: true }));

  it('is left to a person, once, and then not sent at all', async () => {
    const plans = ['1', '2', '3'].map((account) => planOf(account, agreement(150_000)));
    expect(await harness.run(plans)).toMatchObject({ exit: 8, accounts: { uncertain: 1, failed: 2 } });
    expect(harness.platform.times('agreements')).toBe(1);
    expect(problems()).toEqual(
      ['2', '3'].map((account) => expect.objectContaining({ account, code: 'request_too_large' }) as unknown),
    );
  });

  it('is not sent if the gateway refused other things of its size', async () => {
    const plan = planOf('1', { ...notes(...many(150)), ...agreement(200_000) });
    expect(await once(plan)).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    expect(harness.platform.times('agreements')).toBe(0);
  });

  it('waits for a higher limit if the profile says that such an answer is none of a delivery', async () => {
    harness.platform.gateway = { mostBytes, answer: notDelivered };
    const plan = planOf('1', agreement(150_000));
    expect(await once(plan)).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    harness.platform.gateway = undefined;
    expect(await once(plan)).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.times('agreements')).toBe(1);
  });
});

describe('bytesPerRequest', () => {
  it('divides lists before they are sent, so that no gateway refuses one', async () => {
    harness.platform.gateway = { mostBytes };
    const plan = planOf('1', notes(...many(250)));
    const result = await harness.run([plan], { bytesPerRequest: mostBytes });
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.tooLarge).toEqual([]);
    expect(harness.platform.times('notes')).toBe(3);
    expect(notesOf('1')).toEqual(upTo(250));
  });

  it('keeps everything larger from being sent', async () => {
    const plans = [
      planOf('1', agreement(20_000)),
      planOf('2', notes(20_000)),
      planOf('3', {}, { metadata: [{ key: 'K', value: { text: text(20_000) } }] }),
    ];
    const result = await harness.run(plans, { bytesPerRequest: 10_000 });
    expect(result).toMatchObject({ exit: 3, accounts: { failed: 3 } });
    expect(harness.platform.times('agreements') + harness.platform.times('notes')).toBe(0);
    expect(problems().every(({ detail }) => detail.includes('bytesPerRequest allows 10,000'))).toBe(true);
  });
});

it('an answer of 413 to what is no larger than what came through has another cause', async () => {
  const plans = ['1', '2', '3'].map((account) => planOf(account, notes(8000)));
  const agreed = ok([{ ...note(0, 8000), status: 'NOTE_CREATION_SUCCESS' }]);
  harness.platform.answers('notes', agreed, tooLarge, tooLarge, tooLarge);
  expect(await harness.run(plans)).toMatchObject({ exit: 3, accounts: { failed: 1, completed: 2 } });
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: 'account', account: '2', code: 'gateway_http_413' }),
  );
});

describe('what an earlier run learnt', () => {
  const agreed = { accounts: { failed: 0, completed: 1 } };
  beforeEach(async () => {
    harness.platform.gateway = { mostBytes };
    await once(planOf('1', notes(...many(150))));
    expect(harness.platform.tooLarge).toHaveLength(1);
  });

  it('keeps a request that could not be repeated from being in doubt, and says which run it was', async () => {
    expect(await once(planOf('2', agreement(160_000)))).toMatchObject({
      accounts: { failed: 1, uncertain: 0 },
    });
    expect(harness.platform.tooLarge).toHaveLength(1);
    expect(problems().at(-1)).toMatchObject({
      code: 'request_too_large',
      detail: expect.stringMatching(/in run 1, a gateway refused one of .* set bytesPerRequest to it/),
    });
  });

  it('is not believed against a larger request that came through since', async () => {
    harness.platform.gateway = { mostBytes: 1_000_000 };
    const plans = [planOf('2', notes(...many(170))), planOf('3', agreement(160_000))];
    expect(await harness.run(plans, { concurrency: 1 })).toMatchObject({ accounts: { completed: 2 } });
    // Nor by the run after that.
    expect(await once(planOf('4', agreement(160_000)))).toMatchObject(agreed);
  });

  it('is not believed against the setting', async () => {
    harness.platform.gateway = { mostBytes: 1_000_000 };
    const plan = planOf('2', agreement(160_000));
    expect(await harness.run([plan], { bytesPerRequest: 500_000 })).toMatchObject(agreed);
  });
});
