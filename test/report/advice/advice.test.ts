import { describe, expect, it } from 'vitest';
import { zeroCounts, type AccountCounts, type AccountState } from '../../../src/domain/account-state.ts';
import { stopReasons } from '../../../src/domain/stop-reason.ts';
import type { RunEntry } from '../../../src/journal/journal.ts';
import type { RunEnding } from '../../../src/report/ending.ts';
import { leftByRun } from '../../../src/report/advice/of-run.ts';
import { leftOfBook } from '../../../src/report/advice/of-book.ts';
import type { Outstanding } from '../../../src/report/advice/outstanding.ts';
import { nextSteps, openSteps, remedyOf } from '../../../src/report/advice/remedies.ts';
import { overview } from '../fixture.ts';

function left(accounts: Partial<AccountCounts>, more: Partial<Outstanding> = {}): Outstanding {
  return {
    place: { source: 'export', supplier: 'S', flags: ' --profile live' },
    accounts: { ...zeroCounts(), ...accounts },
    ...{
      changed: 0,
      alreadyHeld: 0,
      unknownCodes: 0,
      ruledNotOurs: 0,
      refusedData: 0,
      faults: 0,
      lost: 0,
      doubled: 0,
    },
    isPartlyRead: false,
    ...more,
  };
}

const reasonsOf = (of: Outstanding): readonly string[] => nextSteps(of).map(({ reason }) => reason);

describe('what to do next', () => {
  it('sends nobody to cells that are right, where the platform has the data already', () => {
    const [only, ...others] = openSteps(left({ rejected: 5 }, { alreadyHeld: 5 }));
    expect(others).toEqual([]);
    expect(only).toMatchObject({ reason: 'already-held', who: 'us' });
    expect(only?.sentence).toContain('no cell is wrong');
    expect(only?.commands.at(-1)).toEqual({
      when: 'Once the rows have their rulings:',
      command: 'migrate resolve --from rejected.csv --profile live',
    });
    expect(reasonsOf(left({ rejected: 5 }, { alreadyHeld: 3 }))).toEqual(['rejected', 'already-held']);
  });

  it('is in the order of urgency, each with who must act and a command to type', () => {
    const steps = openSteps(
      left(
        { rejected: 5, uncertain: 2, failed: 1, scheduled: 3, skipped: 1 },
        { changed: 2, doubled: 2, stop: { reason: 'supplier-not-ongoing', detail: '' } },
      ),
    );
    expect(steps.map(({ reason, who }) => `${reason}: ${who}`)).toEqual([
      'supplier-not-ongoing: platform',
      'doubled: platform',
      'uncertain: us',
      'rejected: data',
      'changed: us',
      'failed: us',
      'unfinished: us',
      'not-ours: us',
    ]);
    for (const { sentence, commands } of steps) {
      expect(sentence).toMatch(/^[A-Z0-9`].*\.$/);
      expect(commands[0]?.when).toBeUndefined();
      expect(commands[0]?.command).toMatch(/^migrate /);
    }
    expect(steps[3]?.sentence).toContain('3 rejected: ');
  });

  it('sends nobody to failures that other suppliers of the run have', () => {
    const stop = { reason: 'max-failures', detail: '5 accounts failed or were rejected.' } as const;
    expect(openSteps(left({ pending: 4, completed: 2 }, { stop }))).toMatchObject([
      {
        reason: 'unfinished',
        who: 'us',
        commands: [{ command: 'migrate run export --supplier S --profile live' }],
      },
    ]);
    expect(openSteps(left({ pending: 4, rejected: 1 }, { stop }))[0]).toMatchObject({
      reason: 'max-failures',
      commands: [{ command: 'migrate list --supplier S --profile live --summary' }],
    });
    const { advice, commands } = remedyOf('max-failures');
    const elsewhere = left({ pending: 4 }, { stop });
    expect([advice(elsewhere), commands(elsewhere)[0]?.command]).toEqual([
      '',
      'migrate run export --supplier S --profile live',
    ]);
  });

  it('names whoever can remove the causes of most failures', () => {
    const stop = { reason: 'max-failures', detail: '' } as const;
    const whoOf = (...codes: (readonly [AccountState, string, number])[]) => {
      const causes = codes.map(([state, code, accounts]) => ({ state, code, accounts }));
      return openSteps(left({ rejected: 3, failed: 3 }, { stop, causes }))[0]?.who;
    };
    expect(whoOf(['failed', 'http_503', 3])).toBe('platform');
    expect(whoOf(['failed', 'connection_reset', 3], ['rejected', 'invalid_postcode', 2])).toBe('platform');
    expect(whoOf(['rejected', 'invalid_postcode', 4], ['rejected', 'http_403', 3])).toBe('data');
    expect(whoOf(['rejected', 'operations_team_name_does_not_exist', 4])).toBe('us');
  });

  it('sends failed accounts to the operator where the platform denied them or refused all tries', () => {
    const failedWith = (code: string) =>
      openSteps(left({ failed: 3 }, { causes: [{ state: 'failed', code, accounts: 3 }] }))[0];
    for (const code of ['http_403', 'unauthorized', 'throttled']) {
      expect(failedWith(code)).toMatchObject({ reason: 'failed', who: 'platform' });
      expect(failedWith(code)?.sentence).toContain("ask the platform's operator");
    }
    expect(failedWith('connection_reset')).toMatchObject({ who: 'us' });
  });

  it('has nothing corrected beside a run under way', () => {
    const steps = openSteps(left({ rejected: 3 }, { active: { run: 7, does: 'sends' } }));
    expect(steps.find(({ reason }) => reason === 'rejected')?.sentence).toMatch(
      /Run 7 is under way: wait for its end first\.$/,
    );
  });

  it('knows the causes also at the end of the run itself', () => {
    const ending = {
      ...{ accounts: zeroCounts(), taken: { ...zeroCounts(), failed: 3 }, suppliers: ['S'], doubled: 0 },
      ...{
        stopped: { reason: 'max-failures', detail: '' },
        failures: [{ state: 'failed', code: 'http_503', accounts: 3 }],
      },
    } as unknown as RunEnding;
    expect(openSteps(leftByRun(ending, {}))[0]).toMatchObject({ reason: 'max-failures', who: 'platform' });
  });

  it('asks the platform, and nobody to correct cells, where it alone can correct the causes', () => {
    const causes = [{ state: 'rejected', code: 'ledger_code_does_not_exist', accounts: 3 }] as const;
    const [only] = openSteps(left({ rejected: 3 }, { causes, isRefusedThere: true }));
    expect(only).toMatchObject({ reason: 'rejected', who: 'platform' });
    expect(only?.sentence).not.toContain('cells');
    expect(only?.commands.map(({ command }) => command.split(' ')[1])).toEqual(['list', 'retry', 'run']);
  });

  it('asks the platform beside the cells where both have causes', () => {
    const causes = [
      { state: 'rejected', code: 'ledger_code_does_not_exist', accounts: 30 },
      { state: 'rejected', code: 'invalid_postcode', accounts: 3 },
    ] as const;
    const [only] = openSteps(left({ rejected: 33 }, { causes, isRefusedThere: true }));
    expect(only?.who).toBe('data');
    expect(only?.sentence).toBe(
      "33 rejected: correct the cells that the list names, and ask the platform's operator for what it refuses, then run the same command again.",
    );
  });

  it('suggests no retry of what a check refused: the platform was never asked', () => {
    const retries = (isRefusedThere?: boolean) =>
      openSteps(left({ rejected: 3 }, { isRefusedThere }))[0]?.commands.filter(({ command }) =>
        command.includes(' retry '),
      ).length;
    expect([retries(false), retries(true), retries()]).toEqual([0, 1, 1]);
  });

  it('names accounts that share a number also where a run ends for nothing else', () => {
    const ending = {
      ...{ accounts: zeroCounts(), taken: { ...zeroCounts(), completed: 2 }, suppliers: ['S'], doubled: 2 },
    } as unknown as RunEnding;
    const [first] = openSteps(leftByRun(ending, {}));
    expect(first).toMatchObject({ reason: 'doubled', who: 'platform' });
    expect(first?.sentence).toContain('2 accounts share a platform number');
  });

  it('is the proof, and the numbers, only where nothing is left', () => {
    expect(reasonsOf(left({ completed: 4 }))).toEqual(['done', 'numbers']);
    expect(reasonsOf(left({ completed: 4 }, { isProved: true }))).toEqual(['numbers']);
    // What a comparison found is corrected before another one.
    expect(reasonsOf(left({ completed: 4, failed: 1 }, { isCompared: true }))).toEqual(['failed']);
    expect(nextSteps(left({ completed: 4 }, { isCompared: true }))[0]?.sentence).toContain(
      'found differences',
    );
    expect(reasonsOf(left({ completed: 4, failed: 1 }))).toEqual(['failed', 'done']);
    expect(reasonsOf(left({}))).toEqual(['new']);
  });

  it('asks for nothing that a run under way is doing', () => {
    const active = { run: 3, does: 'is under way since 22:00' };
    expect(reasonsOf(left({ pending: 9, failed: 1 }, { active }))).toEqual(['running']);
  });

  it('names the rulings of the one account that is uncertain, and the list of many', () => {
    const uncertain = { account: 'A 1', step: 'process' };
    const commands = (count: number) =>
      openSteps(left({ uncertain: count }, { uncertain }))[0]?.commands.map(({ command }) => command);
    expect(commands(1)).toEqual([
      "migrate show 'A 1' --supplier S --profile live",
      ...['done', 'repeat', 'skip'].map(
        (ruling) => `migrate resolve 'A 1' --supplier S --profile live --step process --as ${ruling}`,
      ),
    ]);
    expect(commands(2)).toEqual([
      'migrate list --supplier S --profile live --state uncertain --csv uncertain.csv',
      'migrate resolve --from uncertain.csv --profile live',
    ]);
  });

  it('tells the case in which a command is right before the command, and gives one for every case first', () => {
    const told = openSteps(
      left({ rejected: 5, uncertain: 1 }, { changed: 2, uncertain: { account: 'A', step: 'process' } }),
    );
    for (const { sentence } of told) expect(sentence).not.toMatch(/\bif\b.*`migrate/i);
    const conditional = told.flatMap(({ commands }) =>
      commands.slice(1).filter(({ command }) => / (retry|resolve)\b/.test(command)),
    );
    expect(conditional.length).toBeGreaterThan(3);
    for (const { when } of conditional) expect(when).toMatch(/^(If|Once) .*:$/);
    expect(told.map(({ commands }) => commands.length)).toEqual([4, 4, 3]);
  });

  it('suggests nothing that may create things twice', () => {
    for (const reason of stopReasons)
      for (const { commands } of openSteps(left({ skipped: 4 }, { stop: { reason, detail: '' } })))
        expect(commands.map(({ command }) => command).join('\n')).not.toContain('--adopt');
  });
});

describe('the end of a run that the journal keeps', () => {
  const book = { ...overview('S', { pending: 3, completed: 1 }) };
  const seen = (end: Partial<NonNullable<RunEntry['end']>>): Outstanding => {
    const run: RunEntry = {
      ...{
        id: 7,
        platform: 'p',
        platformLabel: 'p',
        supplier: 'S',
        dryRun: false,
        export: 'e',
        startedAt: 0,
      },
      end: {
        ...{ endedAt: 1, exit: 5, reason: '', accounts: zeroCounts(), requests: 1, retries: 0 },
        ...end,
      },
    };
    return leftOfBook({
      ...{ place: { supplier: 'S', flags: '' }, overview: book, runs: [run] },
      ...{ running: new Set(), timeZone: 'UTC' },
    });
  };

  it('is told with its cause and its remedy, before the advice to run again', () => {
    const [first, second] = openSteps(seen({ reason: 'unavailable', detail: 'http_503' }));
    expect(first).toMatchObject({
      reason: 'unavailable',
      who: 'platform',
      sentence:
        "It stopped early: the platform is unavailable (http_503): it answers with errors, or a proxy on the way does. Try again later. Ask the platform's operator when it is back, then run the same command again.",
    });
    expect(second?.sentence).toBe('3 pending: run the same command again, with the flags of your runs.');
  });

  it('is not told where the run stopped as it was asked to', () => {
    const steps = openSteps(seen({ reason: 'hours', detail: 'until 05:30', exit: 6 }));
    expect(steps.map(({ reason }) => reason)).toEqual(['unfinished']);
  });

  it.each(stopReasons)('has words for %s also where it kept no more of it', (reason) => {
    const [told] = openSteps(left({ pending: 1, rejected: 1 }, { stop: { reason, detail: '' } }));
    expect(told?.sentence).toContain(remedyOf(reason).words);
  });
});
