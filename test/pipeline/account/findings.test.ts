import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/domain/problem.ts';
import type { AccountEntry, RecordedProblem } from '../../../src/journal/journal.ts';
import type { AccountProgress } from '../../../src/pipeline/account/account-progress.ts';
import { Findings } from '../../../src/pipeline/account/findings.ts';
import type { ReadyPlan } from '../../../src/pipeline/account/ready-plan.ts';
import type { RunContext } from '../../../src/pipeline/run/context.ts';
import type { RunEvent } from '../../../src/pipeline/run/run-events.ts';

const cell = { file: 'notes.csv', line: 3, column: 'body' };
const problem = (code: string, more: Partial<Problem> = {}): Problem => ({
  ...{ account: '1', step: 'notes', code, path: 'notes.0.body', detail: 'No.', severity: 'error' },
  ...more,
});
const told = (code: string, more: object = {}) =>
  ({ code, path: 'notes.0.body', detail: 'No.', severity: 'error', ...more }) as const;
const recorded = (code: string, more: Partial<RecordedProblem> = {}): RecordedProblem => ({
  ...{ step: 'notes', code, path: 'notes.0.body', isWarning: undefined },
  ...more,
});

/** The findings of one account, and what is told and written. */
function findings({ local = [], known = [], dryRun = false, isNew = false }: Given = {}) {
  const events: RunEvent[] = [];
  const written: unknown[] = [];
  let kept = 0;
  const located: unknown[] = [];
  const context = {
    emit: (event: RunEvent) => void events.push(event),
    record: () => undefined,
    settings: { dryRun },
    journal: {
      setProblems: (id: number, problems: unknown[]) => void written.push([id, problems]),
      async *problems() {
        await Promise.resolve();
        yield* known;
      },
    },
  } as unknown as RunContext;
  const plan = {
    key: { supplier: 'S', account: '1' },
    problems: local,
    locate: (...one: unknown[]) => {
      located.push(one);
      return Promise.resolve(cell);
    },
  } as unknown as ReadyPlan;
  const progress = {
    ...{ id: 7, isNew },
    keep: () => void (kept += 1),
    change: (change: unknown) => void written.push(change),
  } as unknown as AccountProgress;
  const found = new Findings(context, plan);
  return { found, progress, events, written, located, kept: () => kept };
}

interface Given {
  readonly local?: readonly Problem[];
  readonly known?: readonly RecordedProblem[];
  readonly dryRun?: boolean;
  readonly isNew?: boolean;
}

describe('the problems of an account', () => {
  it('are told when they are found, each at its cell', async () => {
    const { found, events, located } = findings({ local: [problem('faulty')] });
    found.addLocal();
    await found.addAnswered('notes', [{ ...told('no'), request: 2 }]);
    expect(events).toEqual([
      { type: 'problem', problem: problem('faulty') },
      { type: 'problem', problem: problem('no', { cell }) },
    ]);
    expect(located).toEqual([['notes', 'notes.0.body', 2]]);
  });

  it('that are about a change name what changed', async () => {
    const { found, events } = findings();
    found.changedBy = { by: 'export' };
    await found.addAnswered('notes', [{ ...told('changed_after_import'), request: 0 }]);
    expect(events).toMatchObject([
      {
        problem: { detail: expect.stringContaining('changed in the export after its account was imported') },
      },
    ]);
  });

  it('are not told twice of one step', async () => {
    const { found } = findings();
    const first = [told('no'), told('odd')];
    await found.addAnswered(
      'notes',
      first.map((one) => ({ ...one, request: 0 })),
    );
    const again = { state: 'refused', code: 'no', problems: [told('no'), told('nor')] } as const;
    const result = { ...again, problems: again.problems.map((one) => ({ ...one, request: 0 })) };
    expect(found.newIn('notes', result)).toMatchObject({ state: 'refused', problems: [{ code: 'nor' }] });
    expect(found.newIn('agreements', result).problems).toHaveLength(2);
  });

  it('are recorded with its end, and keep it from being new', () => {
    const { found, progress, written, kept } = findings({
      local: [problem('no', { cell }), problem('odd', { severity: 'warning' })],
      isNew: true,
    });
    found.addLocal();
    found.recordAll(progress);
    expect(written).toEqual([
      [7, [recorded('no', { cell }), recorded('odd', { cell: undefined, isWarning: true })]],
    ]);
    expect(kept()).toBe(1);
  });

  it('that are gone are taken off the journal, and of a new account there are none', () => {
    const known = findings();
    known.found.recordAll(known.progress);
    expect([known.written, known.kept()]).toEqual([[[7, []]], 0]);
    const fresh = findings({ isNew: true });
    fresh.found.recordAll(fresh.progress);
    expect([fresh.written, fresh.kept()]).toEqual([[], 0]);
  });
});

describe('why the data of a completed account is refused now', () => {
  const entry = { id: 7, code: 'before' } as AccountEntry;
  const warning = (code: string, more: Partial<RecordedProblem> = {}) =>
    recorded(code, { isWarning: true, ...more });

  it('is recorded beside what the platform said of it', async () => {
    const known = [warning('odd'), recorded('old'), warning('told'), warning('told', { path: 'x' })];
    known.push(warning('told', { step: 'agreements' }));
    const { found, progress, written } = findings({ known, local: [problem('told'), problem('other')] });
    found.addLocal();
    await found.recordBeside(progress, entry, 'now');
    const now = [recorded('told', { cell: undefined }), recorded('other', { cell: undefined })];
    expect(written).toEqual([[7, [known[0], known[3], known[4], ...now]], { code: 'now' }]);
  });

  it('is written once', async () => {
    const { found, progress, written } = findings();
    await found.recordBeside(progress, entry, 'before');
    expect(written).toEqual([[7, []]]);
  });

  it('is not written by a dry run', async () => {
    const { found, progress, written } = findings({ dryRun: true });
    await found.recordBeside(progress, entry, 'now');
    expect(written).toEqual([]);
  });
});
