import { expect, it } from 'vitest';
import { zero } from '../../src/domain/decimal.ts';
import { absent, present, type PlatformAccount } from '../../src/read-back/platform-account.ts';
import type { ExpectedAccount } from '../../src/read-back/expected-account.ts';
import { sideBySide } from '../../src/read-back/side-by-side.ts';

const held: PlatformAccount = {
  number: 'A-1',
  balance: present(zero),
  createdAt: present('2024-01-01T00:00:00Z'),
  ...{ ledgers: present([]), transactions: present([]), notes: present([]), bills: absent },
  ...{ agreements: present([]), paymentInstructions: present([]), metadata: present([]) },
};
const origin = { step: 'notes', path: 'notes.0.body', request: 0 } as const;
const expected = {
  ...{ balance: zero, balanceOrigin: origin, ledgers: [], transactions: [], bills: [], agreements: [] },
  ...{ paymentInstructions: [], metadata: [] },
  notes: [{ values: { body: 'Called' }, isCertain: false, origin }],
} as unknown as ExpectedAccount;
const none = { validate: 'done', stage: 'done', process: 'done' };

it('an uncertain note that the platform lacks is not shown as equal', () => {
  const steps = { ...none, notes: 'uncertain' } as unknown as Parameters<typeof sideBySide>[0]['steps'];
  const rows = sideBySide({ held, steps, expected });
  expect(rows.find(({ part }) => part === 'notes')).toMatchObject({
    ...{ export: '1', held: '0', compared: 'not-compared', sent: { notes: 'uncertain' } },
  });
});
