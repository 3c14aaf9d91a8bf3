import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlannedAction } from '../../src/domain/account-state.ts';
import { stringifyJson } from '../../src/domain/json.ts';
import type { StepName } from '../../src/domain/steps.ts';
import type { BookEntry } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { NeededItems } from '../../src/pipeline/added/needed-items.ts';
import { planMigration, type ForecastAccount } from '../../src/pipeline/run/plan-migration.ts';
import type { Settings } from '../../src/pipeline/settings.ts';
import { aheadPlan, plannedAccount } from '../../src/run/threads/planned-account.ts';
import {
  defaultSettings,
  lost,
  ok,
  planOf,
  refused,
  Harness,
  rules,
  serverError,
  throttled,
  type ScriptedPlatform,
} from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const notes = (...bodies: string[]) => ({ notes: [{ notes: bodies.map((body) => ({ body })) }] });
const agreements = (...codes: string[]) => ({
  agreements: codes.map((tariff_code) => ({ agreement: { tariff_code } })),
});
const payment = (reference: string) => ({
  'payment-instruction': [{ vendor: 'V', reference, type: 'CARD' }],
});
const fixed = { sales_channel: 'EVENTS' };
const isWrong = (plan: AccountPlan): AccountPlan => ({
  ...plan,
  problems: [{ account: plan.key.account, code: 'wrong', path: '', detail: 'No.', severity: 'error' }],
});
const exists = refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-9' });
const inProgress = Array.from({ length: 40 }, () => ok({ status: 'IN_PROGRESS' }, 200));

/** How an account came to be where it is, what the export has of it today, and what is to be foreseen. */
interface Story {
  /** What earlier runs met; the account is driven once for each. */
  readonly past: readonly {
    readonly plan: (number: string) => AccountPlan;
    readonly answers?: (platform: ScriptedPlatform) => void;
    readonly settings?: Partial<Settings>;
  }[];
  /** Absent: as it was last. */
  readonly today?: (number: string) => AccountPlan;
  readonly due: PlannedAction;
  readonly code?: string;
}

const everything = (number: string) => planOf(number, { ...notes('a'), ...agreements('A'), ...payment('r') });

const stories: Readonly<Record<string, Story>> = {
  'never seen': { past: [], today: everything, due: 'new' },
  'seen by a dry run alone': { past: [{ plan: everything, settings: { dryRun: true } }], due: 'new' },
  'without a supplier': {
    past: [],
    today: (number) => isWrong({ ...planOf(number), key: { supplier: '', account: number } }),
    due: 'blocked',
    code: 'wrong',
  },
  'refused by a local check': { past: [], today: (n) => isWrong(planOf(n)), due: 'blocked', code: 'wrong' },
  'refused by a local check before': {
    past: [{ plan: (n) => isWrong(planOf(n)) }],
    today: planOf,
    due: 'changed',
  },
  staged: {
    past: [{ plan: everything, settings: { steps: new Set(['validate', 'stage']) } }],
    due: 'unfinished',
  },
  'staged, and changed since': {
    past: [{ plan: (n) => planOf(n), settings: { steps: new Set(['validate', 'stage']) } }],
    today: (n) => planOf(n, {}, fixed),
    due: 'changed',
  },
  'refused by the platform': {
    past: [{ plan: (n) => planOf(n), answers: (platform) => platform.answers('stage', refused('no')) }],
    due: 'blocked',
    code: 'no',
  },
  'refused by the platform, and fixed': {
    past: [{ plan: (n) => planOf(n), answers: (platform) => platform.answers('validate', refused('no')) }],
    today: (n) => planOf(n, {}, fixed),
    due: 'changed',
  },
  'of a process request without an answer': {
    past: [
      {
        plan: (n) => planOf(n, notes('a')),
        answers: (platform) => platform.answers('process', serverError, serverError, serverError),
      },
    ],
    due: 'unfinished',
  },
  'still in progress after all patience': {
    past: [
      {
        plan: (n) => planOf(n),
        answers: (platform) => platform.answers('process', lost()).answers('transferStatus', ...inProgress),
      },
    ],
    due: 'unfinished',
  },
  'still in progress, and changed since': {
    past: [
      {
        plan: (n) => planOf(n),
        answers: (platform) => platform.answers('process', lost()).answers('transferStatus', ...inProgress),
      },
    ],
    today: (n) => planOf(n, {}, fixed),
    due: 'changed',
  },
  'that is not ours': {
    past: [{ plan: (n) => planOf(n), answers: (platform) => platform.answers('stage', exists) }],
    due: 'blocked',
    code: 'already_imported',
  },
  'that failed': {
    past: [
      {
        plan: everything,
        answers: (platform) => platform.answers('notes', ...Array.from({ length: 5 }, () => throttled(1))),
      },
    ],
    due: 'unfinished',
  },
  completed: { past: [{ plan: everything }], due: 'done' },
  'completed, and grown': {
    past: [{ plan: everything }],
    today: (n) => planOf(n, { ...notes('a', 'b'), ...agreements('A'), ...payment('r') }),
    due: 'changed',
  },
  'completed, and shrunk': { past: [{ plan: everything }], today: (n) => planOf(n, notes('a')), due: 'done' },
  'completed, its own data changed': {
    past: [{ plan: everything }],
    today: (n) => planOf(n, { ...notes('a'), ...agreements('A'), ...payment('r') }, fixed),
    due: 'blocked',
    code: 'changed_after_import',
  },
  'completed, its own data changed and a note added': {
    past: [{ plan: (n) => planOf(n) }],
    today: (n) => planOf(n, notes('a'), fixed),
    due: 'changed',
  },
  'completed, its payment instruction changed': {
    past: [{ plan: everything }],
    today: (n) => planOf(n, { ...notes('a'), ...agreements('A'), ...payment('other') }),
    due: 'blocked',
    code: 'changed_after_import',
  },
  'completed, and now refused by a local check': {
    past: [{ plan: (n) => planOf(n) }],
    today: (n) => isWrong(planOf(n)),
    due: 'blocked',
    code: 'wrong',
  },
  'of which a payment instruction was refused': {
    past: [
      { plan: everything, answers: (platform) => platform.answers('paymentInstruction', refused('vendor')) },
    ],
    due: 'blocked',
    code: 'vendor',
  },
  'of which a payment instruction was refused, and that grew': {
    past: [
      { plan: everything, answers: (platform) => platform.answers('paymentInstruction', refused('vendor')) },
    ],
    today: (n) => planOf(n, { ...notes('a', 'b'), ...agreements('A'), ...payment('r') }),
    due: 'changed',
  },
  'of which an agreement is uncertain': {
    past: [{ plan: everything, answers: (platform) => platform.answers('agreements', lost()) }],
    due: 'blocked',
    code: 'connection_reset',
  },
  'of which an agreement is uncertain, and left the export': {
    past: [{ plan: everything, answers: (platform) => platform.answers('agreements', lost()) }],
    today: (n) => planOf(n, { ...notes('a'), ...payment('r') }),
    due: 'blocked',
    code: 'connection_reset',
  },
  'of which an agreement is uncertain, and now refused by a local check': {
    past: [{ plan: everything, answers: (platform) => platform.answers('agreements', lost()) }],
    today: (n) => isWrong(everything(n)),
    due: 'blocked',
    code: 'connection_reset',
  },
  'of which an agreement is uncertain, and a note was added': {
    past: [{ plan: everything, answers: (platform) => platform.answers('agreements', lost()) }],
    today: (n) => planOf(n, { ...notes('a', 'b'), ...agreements('A'), ...payment('r') }),
    due: 'changed',
  },
};

async function lived(): Promise<AccountPlan[]> {
  const plans: AccountPlan[] = [];
  for (const [name, { past, today }] of Object.entries(stories)) {
    const latest = past.at(-1)?.plan;
    for (const { plan, answers, settings } of past) {
      answers?.(harness.platform);
      await harness.run([plan(name)], settings);
    }
    const now = today ?? latest;
    if (now !== undefined) plans.push(now(name));
  }
  return plans;
}

async function foreseen(
  plans: readonly AccountPlan[],
  settings: Partial<Settings>,
  { meanwhile, absent = () => undefined }: Meanwhile = {},
): Promise<ForecastAccount[]> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  const planned: ForecastAccount[] = [];
  const input = {
    plans: pulled(plans, meanwhile),
    place: '/export',
    faults: 0,
    absent: ({ key }: BookEntry) => absent(key.account),
    recorded: { journal, platform: 'https://platform.example' },
    needed: new NeededItems(),
    settings: { ...defaultSettings, ...settings },
  };
  for await (const account of planMigration(input)) planned.push(account);
  await journal.close();
  return planned;
}

interface Meanwhile {
  /** What happens when the last account has been read. */
  readonly meanwhile?: () => Promise<unknown>;
  readonly absent?: (account: string) => void;
}

async function* pulled(
  plans: readonly AccountPlan[],
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): AsyncGenerator<ReturnType<typeof aheadPlan>> {
  await Promise.resolve();
  const how = { rules, cutting: defaultSettings };
  // As another thread would give it.
  for (const plan of plans) yield aheadPlan(structuredClone(plannedAccount(plan, how)), []);
  await meanwhile();
}

const stepOf: Readonly<Record<string, StepName>> = {
  transferStatus: 'process',
  billingDocuments: 'billing-documents',
  paymentInstruction: 'payment-instruction',
};

/** The steps that something was asked in, by account. */
function asked(from: number): Map<string, Set<StepName>> {
  const byAccount = new Map<string, Set<StepName>>();
  for (const { endpoint, body } of harness.platform.asked.slice(from)) {
    const account = stringifyJson(body['external_account_number'] ?? body['account'] ?? '').slice(1, -1);
    const steps = byAccount.get(account) ?? new Set();
    byAccount.set(account, steps.add(stepOf[endpoint] ?? (endpoint as StepName)));
  }
  return byAccount;
}

describe('accounts that are no longer in the export', () => {
  it('are those of earlier runs, and not those that a run adds while the export is read', async () => {
    await harness.run([planOf('gone'), planOf('there')]);
    const plans = [planOf('there'), planOf('new')];
    const absent: string[] = [];
    await foreseen(
      plans,
      {},
      { meanwhile: () => harness.run(plans), absent: (account) => void absent.push(account) },
    );
    expect(absent).toEqual(['gone']);
  });
});

describe('what is foreseen of an account', () => {
  it('is told for every way that it may have come', async () => {
    const planned = await foreseen(await lived(), {});
    const expected = Object.entries(stories).map(([account, { due, code = '' }]) => ({ account, due, code }));
    expect(planned.map(({ key, due, code }) => ({ account: key.account, due, code }))).toEqual(expected);
  });

  it.each<[string, Partial<Settings>]>([
    ['', {}],
    [' under --adopt', { adopt: true }],
    [' with creation alone', { steps: new Set(['validate', 'stage', 'process']) }],
    [' with staging alone', { steps: new Set(['stage']) }],
    [' with process alone', { steps: new Set(['process']) }],
    [' with notes alone', { steps: new Set(['notes']) }],
  ])('is what the next run does%s', async (_, settings) => {
    const plans = await lived();
    const planned = await foreseen(plans, settings);
    const before = harness.platform.asked.length;
    await harness.run(plans, settings);
    const after = asked(before);
    const ends = new Map(
      harness.events.flatMap((e) => (e.type === 'account' ? [[e.account, e] as const] : [])),
    );
    for (const { key, due, steps, state, code } of planned) {
      const sent = after.get(key.account) ?? new Set();
      const where = `${key.account}: ${due}`;
      // A process request that was lost is asked about first; the answer decides whether staging comes again.
      if (!/without an answer|still in progress/.test(key.account)) expect([...sent], where).toEqual(steps);
      else expect(sent.size > 0, where).toBe(steps.length > 0);
      if (due === 'done')
        expect(ends.get(key.account), where).toMatchObject({ state: 'completed', code: '' });
      if (due === 'blocked' && code !== 'steps_left_out')
        expect(ends.get(key.account), where).toMatchObject({ state, code });
      if (due === 'blocked' && code === 'steps_left_out')
        expect(ends.get(key.account), where).toMatchObject({ state });
    }
  });
});
