import { expect, it } from 'vitest';
import { parseJson, type JsonObject } from '../../src/domain/json.ts';
import { ofEachStep } from '../../src/domain/steps.ts';
import { AnswerValues } from '../../src/read-back/answer-values.ts';
import { assembled, type ReadPart } from '../../src/read-back/assemble-account.ts';
import { expectedAccount } from '../../src/read-back/expected-account.ts';
import { likelySettings } from '../../src/read-back/likely-settings.ts';
import { partNames, shapeOf, type ReadSettings } from '../../src/read-back/read-shape.ts';

const answer = `{
  "balance": 20350, "createdAt": "2024-07-01T10:00:00Z",
  "ledgers": [{ "number": "L", "ledgerType": "E", "balance": 20350 }],
  "transactions": [
    { "__typename": "Payment", "postedDate": "2024-04-30T22:00:00Z", "amount": 20450 },
    { "__typename": "Charge", "postedDate": "2024-05-01T22:00:00Z", "amount": 1200 },
    { "__typename": "Charge", "postedDate": "2024-05-01T22:00:00Z", "amount": 100 }
  ],
  "notes": [], "bills": [], "agreements": [], "paymentMethods": [], "metadata": []
}`;
const transaction = (transaction_date: string, amount: string, type: string): JsonObject => ({
  ...{ transaction_id: amount, transaction_date, amount, type },
});
const sent = {
  payload: { transfer_balance: '12.00', ledgers: [{ ledger_code: 'E', ledger_balance: '12.00' }] },
  extras: {
    ...{ notes: [], agreements: [], 'billing-documents': [], statements: [], 'payment-instruction': [] },
    transactions: [
      {
        transactions: [
          transaction('2024-05-01', '204.50', 'PAYMENT'),
          transaction('2024-05-02', '1.00', 'CHARGE'),
          transaction('2024-05-02', '12.00', 'CHARGE'),
        ],
      },
    ],
  },
};

/** The settings that are likely wrong, of an account that is read with these. */
function likely(settings: ReadSettings = {}, timeZone = 'Europe/Berlin', text = answer) {
  const values = new AnswerValues(
    { data: { account: parseJson(text) as JsonObject }, errors: [] },
    new Map(),
  );
  const shape = shapeOf(settings);
  const parts = partNames.map((name): [string, ReadPart] => {
    const { found, hidden } = values.elements(shape.parts[name]?.at ?? '');
    return [name, { elements: found.map((element) => ({ element, values })), hidden }];
  });
  const account = assembled('A-1', Object.fromEntries(parts), { ...shape, timeZone });
  const steps = ofEachStep(() => 'done' as const);
  const expected = expectedAccount({ ...sent, steps, datesMoved: false }, 2);
  return likelySettings(expected, account, { timeZone }).map(({ settings: [first] }) => first);
}

it('nothing is likely wrong where nothing differs', () => {
  expect(likely()).toEqual([]);
});

it.each<[string, ReadSettings, string]>([
  ['readBack.credit', { credit: 'negative' }, 'Europe/Berlin'],
  ['readBack.amounts', { amounts: 'signed' }, 'Europe/Berlin'],
  ['readBack.decimals', { decimals: 0 }, 'Europe/Berlin'],
  ['readBack.decimals', { money: 'major' }, 'Europe/Berlin'],
  ['readBack.decimals', { decimals: 3 }, 'Europe/Berlin'],
  ['timeZone', {}, 'UTC'],
])('%s is likely wrong with %j', (setting, settings, timeZone) => {
  expect(likely(settings, timeZone)).toEqual([setting]);
});

it('a charge with a positive sign is one of another convention', () => {
  const owed = answer.replace('"amount": 20450', '"amount": -20450');
  expect(likely({ amounts: 'signed' }, 'Europe/Berlin', owed)).toEqual(['readBack.amounts']);
  expect(likely({ amounts: 'reversed' }, 'Europe/Berlin', owed)).toEqual([]);
});

it('two can be wrong at once', () => {
  expect(likely({ credit: 'negative', decimals: 0 }).sort()).toEqual([
    'readBack.credit',
    'readBack.decimals',
  ]);
});

it('no setting explains a difference of one value', () => {
  const other = answer.replace('"amount": 1200', '"amount": 1201');
  expect(likely({}, 'Europe/Berlin', other)).toEqual([]);
});
