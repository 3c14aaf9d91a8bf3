import { afterEach, beforeEach, describe } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { accountsConformance } from './conformance/accounts.ts';
import { finishedConformance } from './conformance/finished.ts';
import { interventionsConformance } from './conformance/interventions.ts';
import { itemsConformance } from './conformance/items.ts';
import { leasesConformance } from './conformance/leases.ts';
import { modelConformance } from './conformance/model.ts';
import { numbersConformance } from './conformance/numbers.ts';
import { partsConformance } from './conformance/parts.ts';
import { restoresConformance } from './conformance/restore-marks.ts';
import { runsConformance } from './conformance/runs.ts';
import { readBackConformance } from './conformance/read-back.ts';
import { upgradesConformance } from './conformance/upgrades.ts';
import { writesConformance } from './conformance/writes.ts';

/** One place to keep a journal in, empty at first. */
export interface JournalPlace {
  /** Opens the journal that is kept here; several may be open at once. */
  open(): Journal | Promise<Journal>;
  remove(): void | Promise<void>;
}

/** Opens another journal at the place of the present test; it is closed when the test ends. */
export type OpenJournal = () => Promise<Journal>;

/** What every engine of the journal owes, as tests. */
export function journalConformance(
  name: string,
  makePlace: () => JournalPlace | Promise<JournalPlace>,
): void {
  describe(name, () => {
    let place: JournalPlace;
    let opened: Journal[];

    beforeEach(async () => {
      place = await makePlace();
      opened = [];
    });

    afterEach(async () => {
      for (const journal of opened) await journal.close();
      await place.remove();
    });

    const open: OpenJournal = async () => {
      const journal = await place.open();
      opened.push(journal);
      return journal;
    };

    accountsConformance(open);
    partsConformance(open);
    writesConformance(open);
    runsConformance(open);
    leasesConformance(open);
    finishedConformance(open);
    numbersConformance(open);
    restoresConformance(open);
    interventionsConformance(open);
    upgradesConformance(open);
    readBackConformance(open);
    itemsConformance(open);
    modelConformance(open);
  });
}
