import { describe, expect, it } from 'vitest';
import type { StepName } from '../../../src/domain/steps.ts';
import type { PartEntry } from '../../../src/journal/journal.ts';
import {
  putBackInLine,
  takeForCorrected,
  takeForGone,
  type RetryChoice,
} from '../../../src/pipeline/account/rulings.ts';
import { account, part, ruler, type Given } from './noted-account.ts';

async function putBack(given: Given, choice: RetryChoice = {}) {
  const { journal, entry, written, changes } = account(given);
  const isPut = await putBackInLine(journal, entry, choice, ruler);
  return { isPut, written, change: changes[0] };
}

describe('an account that is put back in line', () => {
  const refusedNote: Given = { steps: { notes: 'refused' }, parts: [part('notes', 'refused')] };

  it.each<[string, Given, RetryChoice, boolean]>([
    ['that was rejected', refusedNote, {}, true],
    ['that failed', { ...refusedNote, state: 'failed' }, {}, true],
    ['that is complete', { ...refusedNote, state: 'completed' }, {}, false],
    ['of this code', refusedNote, { code: 'no' }, true],
    ['of another code', refusedNote, { code: 'other' }, false],
    ['of this step', refusedNote, { step: 'notes' }, true],
    ['of another step', refusedNote, { step: 'process' }, false],
    ['with a step alone', { steps: { notes: 'failed' } }, {}, true],
    ['with a part alone', { parts: [part('notes', 'refused')] }, {}, true],
    ['with nothing', { steps: { notes: 'done', agreements: 'pending' } }, {}, false],
    ['with parts that have arrived', { parts: [part('notes', 'done')] }, {}, false],
  ])('is one %s', async (_what, given, choice, isPut) => {
    expect((await putBack(given, choice)).isPut).toBe(isPut);
  });

  it('has its refused and failed steps pending, and what was refused is sent again', async () => {
    const steps = { notes: 'refused', agreements: 'failed', statements: 'done' } as const;
    const parts = [part('notes', 'refused'), part('notes', 'done', { part: 1 })];
    expect(await putBack({ steps, parts })).toEqual({
      isPut: true,
      written: ['notes 0 failed ruling 9'],
      change: {
        ...{ steps: { notes: 'pending', agreements: 'pending' }, state: 'pending', code: '' },
        intervention: { ...ruler, command: 'retry' },
      },
    });
    expect((await putBack({ steps, parts }, { step: 'agreements' })).written).toEqual([]);
  });

  it.each<[NonNullable<Given['steps']>, string]>([
    [{ process: 'done', stage: 'done' }, 'imported'],
    [{ stage: 'done' }, 'staged'],
    [{}, 'pending'],
  ])('stands where its steps are: %j', async (steps, state) => {
    expect((await putBack({ ...refusedNote, steps })).change).toMatchObject({ state });
  });

  it('keeps what was refused of several items', async () => {
    const several = (hash: string) => putBack({ parts: [part('notes', 'refused', { hash })] });
    expect((await several('h:2')).isPut).toBe(false);
    expect((await several('h:1')).isPut).toBe(true);
  });

  it.each<[StepName, number | undefined, string]>([
    ['agreements', undefined, 'failed'],
    ['agreements', 200, 'failed'],
    ['agreements', 299, 'failed'],
    ['agreements', 300, 'sent'],
    ['agreements', 400, 'failed'],
    ['agreements', 409, 'sent'],
    ['process', 404, 'failed'],
    ['validate', 404, 'sent'],
  ])(
    'may have arrived, whatever refused it, if that is no refusal of %s: %s',
    async (step, status, state) => {
      const more = status === undefined ? {} : { status };
      const { written } = await putBack({ parts: [part(step, 'refused', more)] });
      expect(written).toEqual([`${step} 0 ${state} ruling 9`]);
    },
  );
});

describe('changes that were made by hand', () => {
  const changed: Given = {
    ...{ code: 'changed_after_import', planHash: 'plan' },
    steps: { process: 'done', notes: 'refused', agreements: 'done' },
    parts: [part('stage', 'done', { run: 1 }), part('process', 'done', { run: 4, money: '{"a":"1"}' })],
  };

  async function corrected(given: Given) {
    const { journal, entry, written, changes } = account(given);
    const isTaken = await takeForCorrected(journal, entry, ruler);
    return { isTaken, written, change: changes[0] };
  }

  it('complete the account with the data of the export', async () => {
    expect(await corrected(changed)).toEqual({
      isTaken: true,
      written: ['problems 0', 'process 0 sent plan, corrected 4 {"a":"1"} done ruling'],
      change: {
        ...{ state: 'completed', code: '', steps: { notes: 'done' }, keepsRows: true },
        intervention: { ...ruler, command: 'resolve' },
      },
    });
  });

  it('are of the run that sent anything, where the account was found', async () => {
    expect((await corrected({ ...changed, parts: [part('notes', 'done')] })).written[1]).toBe(
      'process 0 sent plan, corrected 2 done ruling',
    );
  });

  it.each<[string, Given]>([
    ['is not rejected', { state: 'uncertain' }],
    ['is rejected for something else', { code: 'no' }],
    ['was never run to an end', { planHash: undefined }],
    ['was never sent', { parts: [] }],
    ['has a step to be sent', { steps: { process: 'done', notes: 'pending' } }],
    ['has a step that failed', { steps: { process: 'done', notes: 'failed' } }],
    ['was refused for what it is', { parts: [part('notes', 'refused', { code: 'no' })] }],
    [
      'was refused for what it is, and has more',
      { parts: [part('process', 'done'), part('notes', 'refused', { code: 'no' })] },
    ],
    ['was refused without a code', { parts: [part('notes', 'refused')] }],
  ])('are not taken of an account that %s', async (_what, given) => {
    expect(await corrected({ ...changed, ...given })).toEqual({
      ...{ isTaken: false, written: [], change: undefined },
    });
  });

  it.each<[string, PartEntry]>([
    ['was refused for the change', part('notes', 'refused', { code: 'changed_after_import' })],
    ['left the export', part('notes', 'refused', { code: 'no_longer_in_export' })],
    ['was refused, in a step that is done', part('agreements', 'refused', { code: 'no' })],
    ['arrived in the step', part('notes', 'done', { code: 'no' })],
  ])('are taken where a part %s', async (_what, one) => {
    expect(await corrected({ ...changed, parts: [one] })).toMatchObject({ isTaken: true });
  });
});

describe('an account that left its export on purpose', () => {
  const gone: Given = { isAbsent: true };

  it('is told as lost no longer', async () => {
    const { journal, entry, changes } = account(gone);
    expect(await takeForGone(journal, entry, ruler)).toBe(true);
    expect(changes).toEqual([
      { state: 'skipped', code: 'left_on_purpose', intervention: { ...ruler, command: 'resolve' } },
    ]);
  });

  it.each<[string, Given]>([
    ['is in the export', { isAbsent: undefined }],
    ['has a number', { krakenAccountNumber: 'A-1' }],
    ['is skipped already', { state: 'skipped' }],
    ['may be on the platform', { parts: [part('process', 'sent')] }],
  ])('is not one that %s', async (_what, more) => {
    const { journal, entry, changes } = account({ ...gone, ...more });
    expect(await takeForGone(journal, entry, ruler)).toBe(false);
    expect(changes).toEqual([]);
  });
});
