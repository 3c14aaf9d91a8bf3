import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/domain/actor.ts';
import type { AccountIntervention } from '../../../src/journal/journal.ts';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

const key = (account: string) => ({ supplier: 'S', account });
const by: Actor = { user: 'jane', host: 'night-1', version: '0.1.0' };
const other: Actor = { ...by, user: 'kim' };

export function interventionsConformance(open: OpenJournal): void {
  describe('interventions of people', () => {
    it('are told newest first, each once, with who made it and how many accounts it changed', async () => {
      const journal = await open();
      const [one, two] = [await journal.open('p', key('1')), await journal.open('p', key('2'))];
      const retry: AccountIntervention = { command: 'retry', by, at: 5000 };
      await journal.change(one.id, { code: 'a', intervention: retry });
      await journal.change(two.id, { code: 'a', intervention: { ...retry } });
      await journal.change(two.id, { code: 'b', intervention: retry });
      await journal.change(one.id, { intervention: { command: 'resolve', by: other, at: 6000 } });
      await journal.markRestored(7000, other);
      expect(await collect((await open()).interventions())).toEqual([
        { command: 'restore', by: other, at: 7000 },
        { command: 'resolve', by: other, at: 6000, accounts: 1 },
        { command: 'retry', by, at: 5000, accounts: 2 },
      ]);
    });

    it('are told of the account that they changed, oldest first, and restores of every account', async () => {
      const journal = await open();
      const [one, two] = [await journal.open('p', key('1')), await journal.open('p', key('2'))];
      await journal.change(one.id, { intervention: { command: 'resolve', by, at: 1000 } });
      await journal.change(two.id, { intervention: { command: 'retry', by, at: 2000 } });
      await journal.markRestored(3000, by);
      await journal.change(one.id, { intervention: { command: 'retry', by: other, at: 4000 } });
      expect(await collect((await open()).interventionsOn(one.id))).toEqual([
        { command: 'resolve', by, at: 1000 },
        { command: 'restore', by, at: 3000 },
        { command: 'retry', by: other, at: 4000 },
      ]);
      expect(await collect(journal.interventionsOn(two.id))).toMatchObject([
        { command: 'retry' },
        { command: 'restore' },
      ]);
    });

    it('of different versions, hosts and users stay apart', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key('1'));
      const actors = [by, other, { ...by, host: 'night-2' }, { ...by, version: '0.2.0' }];
      for (const actor of actors)
        await journal.change(id, { intervention: { command: 'retry', by: actor, at: 1 } });
      const told = await collect(journal.interventionsOn(id));
      expect(told.map((intervention) => intervention.by)).toEqual(actors);
    });

    it('are streamed however many there are', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key('1'));
      const times = Array.from({ length: 230 }, (_, at) => at);
      await Promise.all(
        times.map((at) => journal.change(id, { intervention: { command: 'retry', by, at } })),
      );
      expect((await collect(journal.interventions())).map(({ at }) => at)).toEqual(times.toReversed());
    });

    it('say nothing of who made a restore where nobody is known', async () => {
      const journal = await open();
      await journal.markRestored(5000);
      expect(await collect(journal.interventions())).toEqual([{ command: 'restore', at: 5000 }]);
    });

    it('are not recorded where the change is refused', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key('1'));
      const refused = { state: 'completed', intervention: { command: 'retry', by, at: 1 } } as const;
      await journal.change(id, { state: 'rejected' });
      await expect(journal.change(id + 1, refused)).rejects.toThrow();
      expect(await collect(journal.interventions())).toEqual([]);
    });
  });
}
