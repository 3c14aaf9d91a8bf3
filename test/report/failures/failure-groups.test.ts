import { expect, it } from 'vitest';
import type { AccountEntry, RecordedProblem } from '../../../src/journal/journal.ts';
import { failureGroups } from '../../../src/report/failures/failure-groups.ts';
import { failureText } from '../../../src/report/failures/failures-text.ts';
import { entry } from '../fixture.ts';

const problem = (code: string, column: string): RecordedProblem => ({
  ...{ code, path: column, cell: { file: 'KUNDEN.csv', line: 2, column } },
});

const known: readonly (readonly [AccountEntry, readonly RecordedProblem[]])[] = [
  [
    { ...entry, id: 1, code: 'invalid_postcode', hasProblems: true },
    [problem('invalid_postcode', 'PLZ'), problem('invalid_phone_number', 'TELEFON')],
  ],
  [{ ...entry, id: 2, code: 'invalid_postcode', hasProblems: true }, [problem('invalid_postcode', 'PLZ')]],
  [{ ...entry, id: 3, code: 'ledger_code_does_not_exist' }, []],
];

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* await Promise.resolve(items);
}

it('counts an account under each of its codes, and says the cause, the column and who must act', async () => {
  const groups = await failureGroups(
    {
      accounts: () => each(known.map(([account]) => account)),
      problems: (id) => each(known.find(([account]) => account.id === id)?.[1] ?? []),
    },
    [{ platform: 'p', supplier: 'S' }],
    [],
  );
  expect(groups.map(failureText)).toEqual([
    "2 rejected before anything was sent: not a valid postcode in its country (invalid_postcode), all from KUNDEN.csv:PLZ. For the data's owner.",
    "1 rejected before anything was sent: not a valid phone number in its country (invalid_phone_number), from KUNDEN.csv:TELEFON. For the data's owner.",
    "1 rejected before anything was sent: a ledger code that the platform does not have (ledger_code_does_not_exist). For the platform's operator.",
  ]);
});
