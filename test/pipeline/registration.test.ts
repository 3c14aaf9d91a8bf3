import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer, MeterPoint, RegisteredMeterPoint } from '../../src/client/platform-client.ts';
import type { AccountKey } from '../../src/domain/account-key.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { RegistrationState } from '../../src/pipeline/registration/register-account.ts';
import { registerAccounts } from '../../src/pipeline/registration/register-accounts.ts';
import { RunClock } from '../../src/pipeline/run/run-clock.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import { inMemoryJournal } from './crash/in-memory.ts';
import { defaultSettings, ScriptedPlatform, supplier } from './harness.ts';
import { ownClock } from './own-clock.ts';

const { CRASH_SCHEDULES = '120', CRASH_SEED = '47' } = process.env;
const usual = 'https://platform.example';
const before = 'PRE_REGISTRATION';

type Fault =
  'not-sent' | 'throttled' | 'lost-before' | 'lost-after' | 'refused' | 'killed-before' | 'killed-after';
const faults: readonly Fault[] = [
  'not-sent',
  'throttled',
  'lost-before',
  'lost-after',
  'refused',
  'killed-before',
  'killed-after',
];

class Killed extends Error {}

/** Accounts with two meter points each, which move as soon as they are marked, unless `isSlow`. */
class Meters {
  readonly marked = new Map<string, number>();
  readonly requests = new Map<string, number>();
  readonly asked: string[] = [];
  /** What becomes of the next requests that mark. */
  readonly script: (Fault | undefined)[] = [];
  /** Meter points that cannot be registered. */
  readonly refused = new Set<string>();
  /** Accounts with another status from the beginning. */
  readonly others = new Map<string, readonly MeterPoint[]>();
  isSlow = false;

  points({ account }: AccountKey): readonly MeterPoint[] {
    const status = this.marked.has(account) && !this.isSlow ? 'REQUESTED' : before;
    return this.others.get(account) ?? ['1', '2'].map((end) => ({ mpxn: `${account}-${end}`, status }));
  }

  register(key: AccountKey): Answer<readonly RegisteredMeterPoint[]> {
    const { account } = key;
    const fault = this.script.shift();
    this.requests.set(account, (this.requests.get(account) ?? 0) + 1);
    if (fault === 'not-sent') return { kind: 'not-sent', cause: 'connection_refused' };
    if (fault === 'throttled') return { kind: 'throttled', status: 429 };
    if (fault === 'lost-before') return { kind: 'unknown', cause: 'connection_reset' };
    if (fault === 'killed-before') throw new Killed();
    if (fault === 'refused')
      return {
        kind: 'refused',
        status: 400,
        refusal: { problems: [], code: 'not_now', detail: '', wouldImport: false },
      };
    const said = this.points(key).map(({ mpxn }) => ({ mpxn, isRegistered: !this.refused.has(mpxn) }));
    if (said.some(({ isRegistered }) => isRegistered))
      this.marked.set(account, (this.marked.get(account) ?? 0) + 1);
    if (fault === 'killed-after') throw new Killed();
    return fault === 'lost-after'
      ? { kind: 'unknown', cause: 'connection_reset' }
      : { kind: 'ok', status: 200, body: said };
  }
}

function bookOf(count: number, open = inMemoryJournal(), platform = usual) {
  const meters = new Meters();
  const clock = ownClock();
  const keys = Array.from({ length: count }, (_, at) => ({ supplier, account: `A${at}` }));
  const begin = async (): Promise<Journal> => {
    const journal = await open();
    await journal.open(platform, { supplier, account: 'A0' });
    return journal;
  };
  const register = async (
    options: {
      restoredAt?: number;
      isDryRun?: boolean;
      from?: string[];
      most?: number;
      concurrency?: number;
    } = {},
  ): Promise<Record<string, string>> => {
    const { restoredAt, isDryRun = false, from = [before], most = Infinity, concurrency = 2 } = options;
    const journal = await begin();
    const became: Record<string, string> = {};
    const stop = new StopControl();
    const client = {
      ...new ScriptedPlatform().client(),
      meterPoints: {
        statuses: (key: AccountKey) =>
          Promise.resolve({ kind: 'ok', status: 200, body: meters.points(key) } as const),
        register: async (key: AccountKey) => {
          meters.asked.push(key.account);
          await Promise.resolve();
          return meters.register(key);
        },
      },
    };
    let left = most;
    const input = {
      ...{ platform, run: 1, restoredAt, from: new Set(from), isDryRun, admit: () => (left -= 1) >= 0 },
      settings: { ...defaultSettings, concurrency },
      accounts: listed(keys),
    };
    const ports = {
      client,
      journal,
      clock: new RunClock(clock),
      random: () => 0.5,
      stop,
      emit: () => undefined,
    };
    await registerAccounts(input, ports, ({ account }, { state, code }) => {
      became[account] = code === '' ? state : `${state} ${code}`;
    }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    return stop.reason === undefined ? became : { ...became, stop: stop.reason };
  };
  return { meters, register, begin };
}

async function* listed(keys: readonly AccountKey[]): AsyncGenerator<AccountKey> {
  for (const key of keys) {
    await Promise.resolve();
    yield key;
  }
}

describe('registration', () => {
  it('marks each account once, also when it is asked for again', async () => {
    const { meters, register } = bookOf(3);
    expect(await register()).toEqual({ A0: 'done', A1: 'done', A2: 'done' });
    expect(await register()).toEqual({ A0: 'earlier', A1: 'earlier', A2: 'earlier' });
    expect([...meters.marked.values()]).toEqual([1, 1, 1]);
  });

  it('leaves alone what has another status, or no meter points, and what the limit leaves', async () => {
    const { meters, register } = bookOf(4);
    meters.others.set('A0', [
      { mpxn: 'x', status: before },
      { mpxn: 'y', status: 'LIVE' },
    ]);
    meters.others.set('A1', []);
    expect(await register({ most: 1 })).toEqual({
      ...{ A0: 'elsewhere', A1: 'none' },
      ...{ A2: 'done', A3: 'due' },
    });
    expect(await register({ from: [before, 'LIVE'] })).toMatchObject({ A0: 'done', A2: 'earlier' });
  });

  it('sends and records nothing in a dry run', async () => {
    const { meters, register } = bookOf(2);
    expect(await register({ isDryRun: true })).toEqual({ A0: 'due', A1: 'due' });
    expect(meters.asked).toEqual([]);
    expect(await register()).toEqual({ A0: 'done', A1: 'done' });
  });

  it('settles a lost answer by statuses that moved, at once or later, and never sends again', async () => {
    const { meters, register } = bookOf(1);
    meters.script.push('lost-after');
    meters.isSlow = true;
    expect(await register()).toEqual({ A0: 'uncertain connection_reset' });
    expect(await register()).toEqual({ A0: 'uncertain connection_reset' });
    meters.isSlow = false;
    expect(await register({ isDryRun: true })).toEqual({ A0: 'earlier' });
    expect(await register()).toEqual({ A0: 'done' });
    expect(meters.asked).toEqual(['A0']);
  });

  it('is uncertain where only some meter points are marked, and refused where none is', async () => {
    const { meters, register } = bookOf(3);
    meters.refused.add('A1-2').add('A2-1').add('A2-2');
    expect(await register()).toEqual({
      ...{ A0: 'done', A1: 'uncertain registration_partly_done' },
      A2: 'refused registration_flow_error',
    });
    meters.refused.clear();
    meters.isSlow = true;
    expect(await register()).toMatchObject({ A1: 'uncertain registration_partly_done', A2: 'done' });
  });

  it('sends again only what a person has ruled on', async () => {
    const { meters, register, begin } = bookOf(1);
    meters.script.push('lost-before');
    expect(await register()).toEqual({ A0: 'uncertain connection_reset' });
    const journal = await begin();
    await journal.items.rule({ platform: usual, step: 'registration', item: `${supplier}/A0` }, 'failed', 1);
    expect(await register()).toEqual({ A0: 'done' });
    expect(meters.asked).toEqual(['A0', 'A0']);
  });

  it('sends nothing after a restore that it does not know as done', async () => {
    const { meters, register, begin } = bookOf(2);
    const journal = await begin();
    await journal.markRestored(1);
    expect(await register()).toEqual({ A0: 'uncertain journal_restored', A1: 'uncertain journal_restored' });
    expect(meters.asked).toEqual([]);
  });

  it('sends for accounts that were created since the restore', async () => {
    const { register, begin } = bookOf(2);
    const journal = await begin();
    await journal.markRestored(1000);
    for (const [account, at] of [
      ['A0', 900],
      ['A1', 1100],
    ] as const) {
      const { id } = await journal.open(usual, { supplier, account });
      await journal.intend({ accountId: id, step: 'process', part: 0 }, { hash: 'h', run: 1, at });
    }
    expect(await register({ restoredAt: 1000 })).toEqual({ A0: 'uncertain journal_restored', A1: 'done' });
  });

  it('stops after five that end alike, one at a time, before any is done', async () => {
    const { meters, register } = bookOf(40);
    meters.script.push(...Array<Fault>(40).fill('refused'));
    expect(await register({ concurrency: 16 })).toMatchObject({
      A4: 'refused not_now',
      stop: 'same-refusal',
    });
    expect(meters.asked).toHaveLength(5);
  });

  it('whatever is lost or killed, marks nothing twice, and calls done only what is marked', async () => {
    const round = fc.array(fc.option(fc.constantFrom(...faults), { nil: undefined, freq: 2 }), {
      maxLength: 8,
    });
    const open = inMemoryJournal();
    let books = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 4 }), fc.boolean(), async (rounds, isSlow) => {
        const { meters, register } = bookOf(4, open, `platform ${(books += 1)}`);
        meters.isSlow = isSlow;
        const told = new Map<string, RegistrationState>();
        for (const script of [...rounds, []]) {
          meters.script.splice(0, Infinity, ...script);
          for (const [account, became] of Object.entries(await register()))
            told.set(account, became.split(' ')[0] as RegistrationState);
        }
        meters.isSlow = false;
        for (const [account, became] of Object.entries(await register()))
          told.set(account, became.split(' ')[0] as RegistrationState);
        for (let at = 0; at < 4; at += 1) {
          const account = `A${at}`;
          const times = meters.marked.get(account) ?? 0;
          expect(times).toBeLessThanOrEqual(1);
          const state = told.get(account);
          if (state === 'done' || state === 'earlier') expect(times).toBe(1);
          // What moved is found; what did not is left to a person.
          else expect([state, times]).toEqual(['uncertain', 0]);
        }
      }),
      { numRuns: Number(CRASH_SCHEDULES), seed: Number(CRASH_SEED) },
    );
  }, 3_600_000);
});
