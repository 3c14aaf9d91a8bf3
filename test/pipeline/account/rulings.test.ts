import { describe, expect, it } from 'vitest';
import type { StepName } from '../../../src/domain/steps.ts';
import type { PartEntry } from '../../../src/journal/journal.ts';
import { partsToRule, rule, takeDown, type Ruling } from '../../../src/pipeline/account/rulings.ts';
import { account, part, ruler, type Given } from './noted-account.ts';

describe('what a ruling is on', () => {
  const done: Ruling = { as: 'done', krakenAccountNumber: 'A-1' };
  const repeat: Ruling = { as: 'repeat' };
  const skip: Ruling = { as: 'skip' };

  async function ruledOn(step: StepName, ruling: Ruling, given: Given) {
    const { journal, entry } = account(given);
    const parts = await partsToRule(journal, entry, step, ruling);
    return typeof parts === 'string' ? parts : parts.map((one) => `${one.step} ${one.part} ${one.state}`);
  }

  const notes = (state: PartEntry['state'], more: Partial<PartEntry> = {}) => [part('notes', state, more)];
  const process = (state: PartEntry['state'], more: Partial<PartEntry> = {}) => [
    part('process', state, more),
  ];
  const open = { outcome: 'unknown', state: 'sent' } as const;

  it.each<[string, StepName, Ruling, Given, string | string[]]>([
    ['uncertain: done', 'notes', done, { parts: notes('uncertain') }, ['notes 0 uncertain']],
    ['uncertain: repeat', 'notes', repeat, { parts: notes('uncertain') }, ['notes 0 uncertain']],
    ['of another step', 'notes', done, { parts: process('uncertain') }, 'not-uncertain'],
    ['not process: skip', 'notes', skip, { parts: notes('uncertain') }, 'process-only'],
    ['done', 'notes', repeat, { parts: notes('done') }, 'not-uncertain'],
    ['done: done', 'notes', done, { parts: notes('done') }, 'not-uncertain'],
    ['refused: done', 'notes', done, { parts: notes('refused') }, ['notes 0 refused']],
    ['refused: repeat', 'notes', repeat, { parts: notes('refused') }, ['notes 0 refused']],
    [
      'of two refused: repeat',
      'notes',
      repeat,
      { parts: notes('refused', { hash: 'h:2' }) },
      'not-uncertain',
    ],
    [
      'of two refused: done',
      'notes',
      done,
      { parts: notes('refused', { hash: 'h:2' }) },
      ['notes 0 refused'],
    ],
    [
      'of one refused: repeat',
      'notes',
      repeat,
      { parts: notes('refused', { hash: 'h:1' }) },
      ['notes 0 refused'],
    ],
    ['of none, and staged', 'notes', done, { parts: [part('stage', 'done')] }, 'not-uncertain'],
    ['staged: repeat', 'stage', repeat, { parts: [part('stage', 'done')] }, 'not-uncertain'],
    ['failed: repeat', 'notes', repeat, { parts: notes('failed') }, 'not-uncertain'],
    ['failed: done', 'notes', done, { parts: notes('failed') }, ['notes 0 failed']],
    ['of validate', 'validate', done, { parts: [part('validate', 'refused')] }, 'not-uncertain'],
    ['of stage', 'stage', done, { parts: [part('stage', 'refused')] }, 'not-uncertain'],
    ['of stage: repeat', 'stage', repeat, { parts: [part('stage', 'refused')] }, 'not-uncertain'],
    ['an account: done', 'process', done, { parts: process('refused') }, ['process 0 refused']],
    ['an account: no number', 'process', { as: 'done' }, { parts: process('refused') }, 'number-needed'],
    ['an account: repeat', 'process', repeat, { parts: process('refused') }, 'not-uncertain'],
    ['an account: skip', 'process', skip, { parts: process('uncertain') }, ['process 0 uncertain']],
    ['refused: skip', 'process', skip, { parts: process('refused') }, 'not-uncertain'],
    ['failed: skip', 'process', skip, { parts: process('failed') }, 'not-uncertain'],
    [
      'skipped: repeat',
      'process',
      repeat,
      { parts: process('refused', { outcome: 'ruling' }) },
      ['process 0 refused'],
    ],
    [
      'failed by a ruling',
      'process',
      repeat,
      { parts: process('failed', { outcome: 'ruling' }) },
      'not-uncertain',
    ],
    [
      'refused by a ruling',
      'notes',
      skip,
      { parts: notes('refused', { outcome: 'ruling' }) },
      'process-only',
    ],
    ['created: repeat', 'process', repeat, { parts: process('done') }, ['process 0 done']],
    ['created: done', 'process', done, { parts: process('done') }, 'not-uncertain'],
    ['created: skip', 'process', skip, { parts: process('done') }, 'not-uncertain'],
    [
      'created, with more',
      'process',
      repeat,
      { parts: [...process('done'), ...notes('done')] },
      'not-uncertain',
    ],
    [
      'created, with more that did not arrive',
      'process',
      repeat,
      { parts: [...process('done'), ...notes('failed')] },
      ['process 0 done'],
    ],
    [
      'created, and staged before',
      'process',
      repeat,
      { parts: [part('stage', 'done'), ...process('done')] },
      ['process 0 done'],
    ],
    [
      'failed after it was lost',
      'notes',
      repeat,
      { parts: notes('failed'), attempts: notes('sent', open) },
      ['notes 0 failed'],
    ],
    [
      'done after it was lost',
      'notes',
      repeat,
      { parts: notes('done'), attempts: notes('sent', open) },
      'not-uncertain',
    ],
    [
      'another, lost',
      'notes',
      repeat,
      { parts: notes('failed'), attempts: notes('sent', { ...open, part: 1 }) },
      'not-uncertain',
    ],
    [
      'process, failed after it was lost',
      'process',
      repeat,
      { parts: process('failed'), attempts: process('sent', open) },
      'not-uncertain',
    ],
  ])('is what is %s', async (_what, step, ruling, given, expected) => {
    expect(await ruledOn(step, ruling, given)).toEqual(expected);
  });

  it('is one part, or all of them', async () => {
    const parts = [...notes('uncertain'), ...notes('uncertain', { part: 1 })];
    expect(await ruledOn('notes', done, { parts })).toHaveLength(2);
    expect(await ruledOn('notes', { ...done, part: 1 }, { parts })).toEqual(['notes 1 uncertain']);
    expect(await ruledOn('notes', { ...done, part: 2 }, { parts })).toBe('not-uncertain');
  });

  it('is what is uncertain, and not what was refused beside it', async () => {
    const parts = [...notes('uncertain'), ...notes('refused', { part: 1 })];
    expect(await ruledOn('notes', done, { parts })).toEqual(['notes 0 uncertain']);
  });

  it.each<[string, Ruling, Given, string | string[]]>([
    ['was staged', done, { parts: [part('stage', 'done')] }, ['process 0 done']],
    ['was validated', done, { parts: [part('validate', 'done')] }, ['process 0 done']],
    ['was staged: repeat', repeat, { parts: [part('stage', 'done')] }, 'not-uncertain'],
    ['is created', done, { parts: [part('stage', 'done')], steps: { process: 'done' } }, 'not-uncertain'],
    ['was never sent', done, {}, 'not-uncertain'],
    ['was never sent: skip', skip, { runs: [{ id: 3, startedAt: 5 }] }, ['process 0 sent']],
    ['no run saw: skip', skip, {}, 'not-uncertain'],
    ['was never sent: done', done, { runs: [{ id: 3, startedAt: 5 }] }, 'not-uncertain'],
  ])('is the account itself, of one that %s', async (_what, ruling, given, expected) => {
    expect(await ruledOn('process', ruling, given)).toEqual(expected);
  });

  it('is the data that was staged, where some was validated too', async () => {
    const parts = [part('validate', 'done', { hash: 'old' }), part('stage', 'done', { hash: 'new' })];
    const { journal, entry } = account({ parts });
    expect(await partsToRule(journal, entry, 'process', done)).toMatchObject([
      { step: 'process', hash: 'new' },
    ]);
  });

  it('is the data of the export, where nothing was sent', async () => {
    const runs = [{ id: 3, startedAt: 5 }];
    const { journal, entry } = account({ planHash: 'plan', runs });
    expect(await partsToRule(journal, entry, 'process', skip)).toEqual([
      { step: 'process', part: 0, state: 'sent', hash: 'plan', attempt: 1, run: 3, sentAt: 5 },
    ]);
    const unknown = account({ runs });
    expect(await partsToRule(unknown.journal, unknown.entry, 'process', skip)).toMatchObject([{ hash: '' }]);
  });
});

describe('a ruling', () => {
  async function ruled(step: StepName, ruling: Ruling, given: Given) {
    const { journal, entry, written, changes } = account(given);
    const refused = await rule(journal, entry, step, ruling, ruler);
    return { refused, written, change: changes[0] };
  }
  const intervention = { ...ruler, command: 'resolve' };
  const uncertain = (step: StepName, more: Partial<PartEntry> = {}) => part(step, 'uncertain', more);
  const [imported, uncertainly] = [{ process: 'done' } as const, { state: 'uncertain' } as const];

  it('that cannot be recorded changes nothing', async () => {
    expect(await ruled('notes', { as: 'done' }, {})).toEqual({
      ...{ refused: 'not-uncertain', written: [], change: undefined },
    });
  });

  it.each<[Ruling['as'], string]>([
    ['done', 'notes 0 done ruling 9'],
    ['repeat', 'notes 0 failed ruling 9'],
  ])('on a further step lets it go on: %s', async (as, line) => {
    const given = {
      ...uncertainly,
      steps: { ...imported, notes: 'uncertain' },
      parts: [uncertain('notes')],
    } as const;
    expect(await ruled('notes', { as }, given)).toEqual({
      refused: undefined,
      written: [line],
      change: { steps: { notes: 'pending' }, state: 'imported', code: '', intervention },
    });
  });

  it('on a further step does not create the account', async () => {
    const { change } = await ruled('notes', { as: 'done' }, { parts: [uncertain('notes')] });
    expect(change).toMatchObject({ state: 'pending' });
  });

  it('on several steps creates the account, and lets the others go on', async () => {
    const parts = [uncertain('process'), uncertain('notes')];
    const { journal, entry, changes } = account({ parts });
    const rulings = parts.map((one) => ({ step: one.step, ruling: { as: 'done' } as const, parts: [one] }));
    await takeDown(journal, entry, rulings, ruler);
    expect(changes[0]).toMatchObject({ state: 'imported', steps: { process: 'done', notes: 'pending' } });
  });

  it('waits for those on the other parts, of this step and of others', async () => {
    const both = [uncertain('notes'), uncertain('notes', { part: 1 })];
    expect((await ruled('notes', { as: 'done', part: 0 }, { parts: both })).change).toEqual({
      ...{ steps: {}, intervention },
    });
    const others = [uncertain('notes'), uncertain('agreements')];
    expect((await ruled('notes', { as: 'done' }, { parts: others })).change).toEqual({
      ...{ steps: { notes: 'pending' }, intervention },
    });
  });

  it('that an account is there gives it its number', async () => {
    const done = { as: 'done', krakenAccountNumber: 'A-1' } as const;
    expect(await ruled('process', done, { parts: [uncertain('process')] })).toEqual({
      refused: undefined,
      written: ['process 0 done ruling 9'],
      change: {
        ...{ steps: { process: 'done' }, state: 'imported', code: '', krakenAccountNumber: 'A-1' },
        intervention,
      },
    });
  });

  it('that an account is to be asked about takes its number away', async () => {
    const given = { parts: [uncertain('process')], steps: { stage: 'done', process: 'uncertain' } } as const;
    expect(await ruled('process', { as: 'repeat' }, given)).toEqual({
      refused: undefined,
      written: ['process 0 sent ruling 9'],
      change: {
        ...{ steps: { process: 'pending' }, state: 'staged', code: '', krakenAccountNumber: null },
        intervention,
      },
    });
  });

  it("that an account is somebody else's leaves it alone", async () => {
    const parts = [uncertain('process'), uncertain('notes')];
    expect(await ruled('process', { as: 'skip' }, { parts })).toEqual({
      refused: undefined,
      written: ['process 0 refused ruling 9'],
      change: {
        ...{ steps: { process: 'pending' }, state: 'skipped', code: 'not_ours', krakenAccountNumber: null },
        intervention,
      },
    });
  });

  it('that an account is to be asked about has sent again what was refused of it', async () => {
    const parts = [
      uncertain('process'),
      part('notes', 'refused'),
      part('agreements', 'refused'),
      uncertain('agreements', { part: 1 }),
      part('statements', 'done'),
      uncertain('billing-documents'),
      part('stage', 'refused'),
    ];
    const { written, change } = await ruled('process', { as: 'repeat' }, { parts });
    expect(written).toEqual([
      ...['process 0 sent ruling 9', 'notes 0 failed ruling 9', 'agreements 0 failed ruling 9'],
    ]);
    expect(change?.steps).toEqual({ process: 'pending', notes: 'pending' });
    const number = { as: 'done', krakenAccountNumber: 'A-1' } as const;
    expect((await ruled('process', number, { parts })).written).toEqual(['process 0 done ruling 9']);
    const more = [uncertain('notes', { part: 1 }), ...parts.slice(1)];
    expect((await ruled('notes', { as: 'repeat' }, { parts: more })).written).toEqual([
      'notes 1 failed ruling 9',
    ]);
  });

  it('on what was never sent records it, with money that is not known', async () => {
    const parts = [part('stage', 'done', { hash: 'staged' })];
    const number = { as: 'done', krakenAccountNumber: 'A-1' } as const;
    expect((await ruled('process', number, { parts })).written).toEqual([
      'process 0 sent staged 2 ? done ruling',
    ]);
  });

  it('of the ledger of the platform is no word of a person', async () => {
    const parts = [uncertain('notes')];
    const { journal, entry, written } = account({ parts });
    await takeDown(journal, entry, [{ step: 'notes', ruling: { as: 'done' }, parts }], ruler, 'reading');
    expect(written).toEqual(['notes 0 done reading 9']);
  });

  it('that a step is done leaves the number of its account as it is', async () => {
    const parts = [uncertain('process')];
    const { journal, entry, changes } = account({ parts });
    await takeDown(journal, entry, [{ step: 'process', ruling: { as: 'done' }, parts }], ruler);
    expect(changes[0]).not.toHaveProperty('krakenAccountNumber');
  });
});
