import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  accountStates,
  mayBecome,
  zeroCounts,
  type AccountState,
} from '../../../src/domain/account-state.ts';
import { partStates, stepStates, type PartState, type StepState } from '../../../src/domain/step-state.ts';
import { stepNames, type StepName } from '../../../src/domain/steps.ts';
import type {
  Intent,
  Journal,
  PartEntry,
  PartRef,
  Settlement,
  StepCounts,
} from '../../../src/journal/journal.ts';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

/** What the journal should hold of one account, in the plainest form. */
interface Account {
  readonly id: number;
  state: AccountState;
  readonly steps: Map<StepName, StepState>;
  /** Every attempt at each part, the last one last. */
  readonly parts: Map<string, PartEntry[]>;
}

const account = fc.nat({ max: 3 });
const step = fc.constantFrom(...stepNames);
const part = fc.nat({ max: 2 });
const command = fc.oneof(
  fc.record({ do: fc.constant('intend' as const), account, step, part }),
  fc.record({
    do: fc.constant('settle' as const),
    account,
    step,
    part,
    state: fc.constantFrom(...partStates),
  }),
  fc.record({
    do: fc.constant('recordSent' as const),
    account,
    step,
    part,
    state: fc.constantFrom(...partStates),
  }),
  fc.record({ do: fc.constant('state' as const), account, to: fc.constantFrom(...accountStates) }),
  fc.record({ do: fc.constant('step' as const), account, step, to: fc.constantFrom(...stepStates) }),
  fc.record({ do: fc.constant('turn' as const) }),
);

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

export function modelConformance(open: OpenJournal): void {
  it('holds exactly what a plain list of everything written would hold', async () => {
    let platform = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 80 }), async (commands) => {
        platform += 1;
        await follow(await open(), `p${platform}`, commands);
      }),
      { numRuns: 40 },
    );
  });
}

async function follow(journal: Journal, platform: string, commands: readonly Command[]): Promise<void> {
  const accounts: Account[] = [];
  for (let i = 0; i < 4; i++) {
    const { id } = await journal.open(platform, keyOf(i));
    accounts.push({ id, state: 'pending', steps: new Map(), parts: new Map() });
  }
  const writes: Promise<void>[] = [];
  const expected: boolean[] = [];
  for (const [at, next] of commands.entries()) {
    if (next.do === 'turn') {
      await Promise.allSettled(writes);
      continue;
    }
    const model = accounts[next.account]!;
    writes.push(send(journal, model.id, next, at));
    expected.push(record(model, next, at));
  }
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(expected);
  await compare(journal, platform, accounts);
}

function keyOf(i: number): { supplier: string; account: string } {
  return { supplier: i < 3 ? 'S' : 'T', account: `A-${i}` };
}

type Write = Exclude<Command, { do: 'turn' }>;

function send(journal: Journal, accountId: number, write: Write, at: number): Promise<void> {
  switch (write.do) {
    case 'intend':
      return journal.intend(placeOf(accountId, write), intentAt(at));
    case 'settle':
      return journal.settle(placeOf(accountId, write), settlementAt(at, write.state));
    case 'recordSent':
      return journal.recordSent(
        placeOf(accountId, write),
        intentAt(at),
        settlementAt(at + tookMs, write.state),
      );
    case 'state':
      return journal.change(accountId, { state: write.to });
    case 'step':
      return journal.change(accountId, { steps: { [write.step]: write.to } });
  }
}

const tookMs = 5;

function placeOf(accountId: number, { step: name, part: number }: Pick<PartEntry, 'step' | 'part'>): PartRef {
  return { accountId, step: name, part: number };
}

function intentAt(at: number): Intent {
  return { hash: `h${at}`, run: 1, at, money: moneyAt(at) };
}

function settlementAt(at: number, state: PartState): Settlement {
  return { state, outcome: 'ok', at, money: at % 4 === 0 ? `s${at}` : undefined };
}

function moneyAt(at: number): string | undefined {
  return at % 3 === 0 ? `m${at}` : undefined;
}

function carrying(money: string | undefined): { money?: string } {
  return money === undefined ? {} : { money };
}

/** Whether the journal should accept it. */
function record(model: Account, write: Write, at: number): boolean {
  if (write.do === 'state') {
    const legal = mayBecome(model.state, write.to);
    if (legal) model.state = write.to;
    return legal;
  }
  if (write.do === 'step') {
    model.steps.set(write.step, write.to);
    return true;
  }
  if (write.do === 'recordSent') {
    const { account: one, step: name, part: number, state } = write;
    const place = { account: one, step: name, part: number };
    record(model, { do: 'intend', ...place }, at);
    return record(model, { do: 'settle', ...place, state }, at + tookMs);
  }
  const place = `${write.step} ${write.part}`;
  const attempts = model.parts.get(place) ?? [];
  const last = attempts.at(-1);
  if (write.do === 'intend') {
    const { step, part } = write;
    const attempt = (last?.attempt ?? 0) + 1;
    model.parts.set(place, [
      ...attempts,
      { step, part, state: 'sent', hash: `h${at}`, attempt, run: 1, sentAt: at, ...carrying(moneyAt(at)) },
    ]);
    return true;
  }
  if (last === undefined) return false;
  if (last.answeredAt === undefined) attempts.pop();
  const answered = { state: write.state, answeredAt: at, outcome: 'ok' };
  attempts.push({ ...last, ...answered, ...carrying(at % 4 === 0 ? `s${at}` : last.money) });
  return true;
}

async function compare(journal: Journal, platform: string, accounts: readonly Account[]): Promise<void> {
  for (const [i, model] of accounts.entries()) {
    const found = await journal.find(platform, keyOf(i));
    expect(found?.state).toBe(model.state);
    for (const name of stepNames) expect(found?.steps[name]).toBe(model.steps.get(name) ?? 'none');
    const byPlace = (a: PartEntry, b: PartEntry) =>
      stepNames.indexOf(a.step) - stepNames.indexOf(b.step) || a.part - b.part;
    expect(found?.parts).toEqual([...model.parts.values()].map((all) => all.at(-1)!).toSorted(byPlace));
    const all = [...model.parts.values()].flat().toSorted((a, b) => a.sentAt - b.sentAt);
    const attempts = all.map(({ money: _, ...attempt }) => attempt);
    expect(await collect(journal.attempts(model.id))).toEqual(attempts);
  }
  const overview = await journal.overview(platform);
  expect(overview.map(({ supplier }) => supplier)).toEqual(['S', 'T']);
  for (const { supplier, accounts: counts, steps } of overview) {
    const models = accounts.filter((_, i) => keyOf(i).supplier === supplier);
    const states = zeroCounts();
    for (const { state } of models) states[state] += 1;
    expect(counts).toEqual(states);
    for (const name of stepNames) {
      const expected: StepCounts = { done: 0, failed: 0, uncertain: 0, pending: 0 };
      for (const model of models) {
        const state = model.steps.get(name) ?? 'none';
        if (state !== 'none') expected[state === 'refused' ? 'failed' : state] += 1;
      }
      expect(steps[name]).toEqual(expected);
    }
  }
}
