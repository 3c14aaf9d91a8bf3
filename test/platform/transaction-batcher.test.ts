import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/platform/store/open-store.ts';
import {
  createTransactionBatcher,
  type Outcome,
  type TransactionBatcher,
  type StateWork,
} from '../../src/platform/transaction-batcher.ts';

let store: Store;
let turn: TransactionBatcher;

beforeEach(() => {
  store = openStore(':memory:');
  turn = createTransactionBatcher(store.db);
});
afterEach(() => store.db.close());

const key = (account: string) => ({ supplier: 'S', account });

/** Stages an account and gives the outcome; or throws it. */
function staging(account: string, outcome: Outcome | Error, refusesFirst: boolean): StateWork {
  return {
    refusesFirst,
    run: () => {
      store.stageAccount(key(account), undefined, { text: '{}', rules: '' });
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

function isStaged(account: string): boolean {
  return store.findAccount(key(account)) !== undefined;
}

const recorded: number[] = [];
const record = (status: number): void => void recorded.push(status);

test('of what arrives together, only what is refused or fails is undone', async () => {
  const settled = await Promise.allSettled([
    turn(staging('1', { status: 201 }, true), record),
    turn(staging('2', { status: 400 }, false), record),
    turn(staging('3', new Error('A bug.'), false), record),
    turn(staging('4', { status: 201 }, false), record),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(['1', '2', '3', '4'].map(isStaged)).toEqual([true, false, false, true]);
  expect(recorded).toEqual([201, 400, 201]);
});

test('where work fails that had nothing to undo, nothing that arrived with it is done or answered as if it were', async () => {
  const settled = await Promise.allSettled([
    turn(staging('1', { status: 201 }, true), record),
    turn(staging('2', new Error('A bug.'), true), record),
    turn(staging('3', { status: 201 }, false), record),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(['1', '2', '3'].map(isStaged)).toEqual([false, false, false]);
  await turn(staging('1', { status: 201 }, true), record);
  expect(isStaged('1')).toBe(true);
});
