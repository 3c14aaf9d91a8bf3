import { anyValidate, type ConformanceCheck } from '../check.ts';
import { badPhone, goodPhone } from '../payloads.ts';
import { fieldOf, type Trial } from '../trial.ts';

/** Sections 2 to 2.3: what payloads hold. */
export const payloadRuleChecks: readonly ConformanceCheck[] = [
  {
    section: '2.1',
    sentence: 'A date is YYYY-MM-DD.',
    asks: [anyValidate],
    account: 'new',
    run: async (trial) => {
      const { payloads } = trial;
      const dated = (date: string) => payloads.withClosing(trial.account, date);
      const [good, bad] = [dated('2024-02-29'), dated('not a date')];
      if (good === undefined || bad === undefined) {
        trial.notOffered = 'The contract has no last_statement_closing_date.';
        return;
      }
      trial.expectSuccess(trial.validates, await trial.validate(good));
      trial.expectInvalid(await trial.validate(bad), 'ledgers.0.last_statement_closing_date');
    },
  },
  {
    section: '2.1',
    sentence: 'A datetime is YYYY-MM-DDTHH:MM:SSZ, in UTC.',
    asks: ['notes'],
    account: 'shared',
    run: async (trial) => {
      const note = (time: string) =>
        trial.platform.post(
          'notes',
          trial.payloads.notes(trial.account, [{ body: 'Timed.', created_at: time }]),
        );
      trial.expectSuccess('notes', await note('2020-02-01T12:00:00Z'));
      trial.expectStatus(await note('not a time'), 400, 'for a created_at that is not a datetime');
    },
  },
  {
    section: '2.1',
    sentence: 'An amount is a JSON number or a decimal string. Both forms are accepted.',
    asks: [anyValidate],
    account: 'new',
    withoutContract: true,
    run: async (trial) => {
      for (const [balance, total] of [
        [12.5, '12.50'],
        ['12.50', '12.50'],
        [-3, '-3.00'],
      ] as const) {
        const ledgers = [{ ledger_code: 'ENERGY', ledger_balance: balance }];
        const payload = trial.payloads.account(trial.account, { ledgers, transfer_balance: total });
        trial.expectSuccess(trial.validates, await trial.validate(payload));
      }
    },
  },
  {
    section: '2.2',
    sentence: 'Every payload requires the import supplier.',
    asks: ['validate', 'process'],
    account: 'staged',
    run: async (trial) => {
      const { platform, payloads, account } = trial;
      const { import_supplier: _own, ...nameless } = payloads.account(account);
      trial.expectInvalid(await platform.post('validate', nameless), 'import_supplier');
      const { import_supplier_code: code, ...order } = payloads.process(account);
      const misnamed = { ...order, import_supplier: code ?? '' };
      trial.expectStatus(await platform.post('process', misnamed), 400, 'without import_supplier_code');
    },
  },
  {
    section: '2.2',
    sentence: 'An account is created once, however often it is processed.',
    asks: ['process'],
    account: 'staged',
    creates: true,
    run: async (trial) => {
      const { platform, payloads, account } = trial;
      const order = payloads.process(account);
      const racing = await Promise.all(Array.from({ length: 6 }, () => platform.post('process', order)));
      const created = racing.filter(({ status }) => status === 201);
      const numbers = new Set(created.map(({ body }) => fieldOf(body, 'kraken_account_number')));
      if (numbers.size > 1)
        trial.breaches.push(
          `Six process requests for one account at the same time created ${numbers.size} accounts.`,
        );
    },
  },
  {
    section: '2.3',
    sentence: 'An account may have any of these fields.',
    asks: [anyValidate],
    account: 'new',
    withoutContract: true,
    run: async (trial) => {
      const payload = trial.payloads.account(trial.account, {
        account_billing_options: { use_industry_billing: false },
        customers: [
          {
            email: 'sample@example.com',
            family_name: 'Person',
            given_name: 'Sample',
            landline: goodPhone,
            portfolio_roles: ['ADMIN'],
            title: 'Dr',
            unable_to_read_meters: false,
          },
        ],
        metadata: [{ key: 'origin', value: { system: 'old', batch: 7 } }],
      });
      trial.expectSuccess(trial.validates, await trial.validate(payload));
    },
  },
  {
    section: '2.3',
    sentence: 'A phone number is checked.',
    asks: [anyValidate],
    account: 'new',
    run: async (trial) => {
      const found = refusedPhone(trial);
      if (found === undefined) return;
      trial.expectSuccess(trial.validates, await trial.validate(found.accepted));
      trial.expectInvalid(await trial.validate(found.payload), found.path);
    },
  },
];

/** An account whose only fault is a phone number, and the same account without it. */
export function refusedPhone(trial: Trial) {
  const { payloads, account } = trial;
  const [good, bad] = [payloads.withPhone(account, goodPhone), payloads.withPhone(account, badPhone)];
  if (good !== undefined && bad !== undefined) return { accepted: good.payload, ...bad };
  trial.notOffered = 'The contract has no phone number of a customer.';
  return undefined;
}
