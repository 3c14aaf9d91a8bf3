import { lostAnswers, type AddedStep } from '../../../src/domain/added-step.ts';
import type { AddedItem, AddedItems } from '../../../src/pipeline/added/added-item.ts';
import fc from 'fast-check';
import { supplier } from '../harness.ts';
import { nameOf } from './accounts.ts';

/** Where the items of all steps are sent. */
export const itemPath = '/v1/data-import/things/';

/** The items of a book: whether they come before or after the accounts, by what a lost answer of theirs means. */
export interface ItemStep {
  readonly whenLost: AddedStep['whenLost'];
  readonly when: 'before' | 'after';
}

/** What identifies the only item of a step. */
export const idOf = ({ whenLost, when }: ItemStep): string => `${whenLost}-${when}`;

/** The steps, each with its item: one before the accounts is needed by the first, and one after them waits for it. */
export function addedOf(steps: readonly ItemStep[]): readonly AddedItems[] {
  return steps.map(({ whenLost, when }) => {
    const id = idOf({ whenLost, when });
    const step: AddedStep = {
      ...{ name: id, path: itemPath, table: id, identity: 'id', whenLost },
      ...(whenLost === 'ask' ? { ask: `${itemPath}{identity}/` } : {}),
      ...(when === 'after'
        ? { after: 'accounts', accounts: 'account' }
        : { named: { item: 'id', account: 'external_account_number' } }),
    };
    const item: AddedItem = {
      ...{ name: id, value: id, names: [nameOf(0)], body: JSON.stringify({ id }), problems: [] },
      accounts: when === 'after' ? [{ supplier, account: nameOf(0) }] : [],
      locate: () => undefined,
    };
    return {
      step,
      faults: [],
      async *items() {
        await Promise.resolve();
        yield item;
      },
    };
  });
}

/** The steps of a book. */
export const itemSteps: fc.Arbitrary<readonly ItemStep[]> = fc.uniqueArray(
  fc.record({
    whenLost: fc.constantFrom(...lostAnswers),
    when: fc.constantFrom('before' as const, 'after' as const),
  }),
  { maxLength: 3, selector: idOf },
);
