import { anyValidate, type ConformanceCheck } from '../check.ts';
import { fieldOf, isFilled, type Trial } from '../trial.ts';
import { refusedPhone } from './payload-rules.ts';

const dryRunMessage = 'Account would successfully import. Rolled back due to Dry Run.';

/** Section 4, rules 1 to 3, and section 3: validate, stage and process. */
export const creationChecks: readonly ConformanceCheck[] = [
  {
    section: '4',
    sentence: 'Validate answers 200 with the validated data, and stores nothing.',
    asks: ['validate', 'transferStatus'],
    account: 'new',
    run: async (trial) => {
      const { platform, account } = trial;
      const answered = await platform.post('validate', trial.payloads.account(account));
      if (!trial.expectSuccess('validate', answered)) return;
      trial.expectField(answered, 'external_account_number', account);
      trial.expectStatus(await platform.status(account), 404, 'for an account that was only validated');
    },
  },
  {
    section: '4',
    sentence: 'Validate refuses invalid data with 400 and a validation error (7).',
    asks: [anyValidate],
    account: 'new',
    run: async (trial) => {
      const wrong = refusedPhone(trial);
      if (wrong !== undefined) trial.expectInvalid(await trial.validate(wrong.payload), wrong.path);
    },
  },
  {
    section: '4',
    sentence: 'Stage answers 201 the first time, and 200 when it replaces staged data.',
    asks: ['stage'],
    account: 'new',
    run: async (trial) => {
      const stage = () => trial.platform.post('stage', trial.payloads.account(trial.account));
      trial.expectStatus(await stage(), 201, 'for data that is staged for the first time');
      trial.expectStatus(await stage(), 200, 'for data that replaces staged data');
    },
  },
  {
    section: '4',
    sentence: 'The response of stage has import_supplier and external_account_number.',
    asks: ['stage'],
    account: 'new',
    run: async (trial) => {
      const { platform, account } = trial;
      const answered = await platform.post('stage', trial.payloads.account(account));
      if (!trial.expectSuccess('stage', answered)) return;
      trial.expectField(answered, 'import_supplier', platform.supplier);
      trial.expectField(answered, 'external_account_number', account);
    },
  },
  {
    section: '4',
    sentence: 'Stage applies the rules of validate before it stores anything.',
    asks: ['stage', 'transferStatus'],
    account: 'new',
    run: async (trial) => {
      const wrong = refusedPhone(trial);
      if (wrong === undefined) return;
      trial.expectInvalid(await trial.platform.post('stage', wrong.payload), wrong.path);
      trial.expectStatus(await trial.platform.status(trial.account), 404, 'for data that was refused');
    },
  },
  {
    section: '4',
    sentence: 'Stage refuses an account that is already imported with 400.',
    asks: ['stage'],
    account: 'shared',
    run: async (trial) => {
      const again = await trial.platform.post('stage', trial.payloads.account(trial.account));
      trial.expectStatus(again, 400, 'for an account that is imported');
    },
  },
  {
    section: '4',
    sentence: 'Process answers 201 with kraken_account_number.',
    asks: ['process'],
    account: 'staged',
    creates: true,
    run: async (trial) => {
      const answered = await trial.platform.post('process', trial.payloads.process(trial.account));
      if (trial.expectSuccess('process', answered))
        trial.expectField(answered, 'kraken_account_number', isFilled, 'the number of the account');
    },
  },
  {
    section: '4',
    sentence: 'Process needs staged data.',
    asks: ['process', 'transferStatus'],
    account: 'new',
    run: async (trial) => {
      const { platform, account } = trial;
      trial.expectStatus(
        await platform.post('process', trial.payloads.process(account)),
        400,
        'for an account that is not staged',
      );
    },
  },
  {
    section: '4',
    sentence: 'Process needs a team that exists.',
    asks: ['process', 'transferStatus'],
    account: 'staged',
    run: async (trial) => {
      if (!trial.needs('process', 'operations_team_name')) return;
      const order = trial.payloads.process(trial.account, { operations_team_name: 'No such team' });
      trial.expectStatus(await trial.platform.post('process', order), 400, 'for a team that does not exist');
      await expectNotCreated(trial);
    },
  },
  {
    section: '4',
    sentence: `A dry run that would succeed is answered with 400 and the message ${dryRunMessage}`,
    asks: ['process'],
    account: 'staged',
    run: async (trial) => {
      if (!trial.needs('process', 'dry_run')) return;
      const answered = await trial.platform.post('process', dryRun(trial));
      if (trial.expectStatus(answered, 400, 'for a dry run'))
        trial.expect(
          JSON.stringify(answered.body ?? '').includes(dryRunMessage),
          'the message of a dry run',
          answered,
        );
    },
  },
  {
    section: '4',
    sentence: 'A dry run creates nothing: the account stays staged.',
    asks: ['process', 'stage', 'transferStatus'],
    account: 'staged',
    run: async (trial) => {
      if (!trial.needs('process', 'dry_run')) return;
      await trial.platform.post('process', dryRun(trial));
      await expectNotCreated(trial);
      const again = await trial.platform.post('stage', trial.payloads.account(trial.account));
      trial.expectStatus(again, 200, 'for data that replaces staged data');
    },
  },
  {
    section: '4',
    sentence:
      'If the account is already imported, process answers with 400, external_account_number and kraken_account_number.',
    asks: ['process', 'transferStatus'],
    account: 'imported',
    creates: true,
    run: async (trial) => {
      const { platform, account } = trial;
      const number = fieldOf((await platform.status(account)).body, 'kraken_account_number');
      const plain = trial.payloads.process(account);
      for (const order of trial.payloads.has('process', 'dry_run') ? [plain, dryRun(trial)] : [plain]) {
        const again = await platform.post('process', order);
        if (!trial.expectStatus(again, 400, 'for an account that is imported')) continue;
        // Some tenancies name the number in their own field, beside the code of the refusal.
        const isOwnForm = fieldOf(again.body, 'account_id') === number && number !== undefined;
        if (isOwnForm) continue;
        trial.expectField(again, 'external_account_number', account);
        trial.expectField(again, 'kraken_account_number', number ?? isFilled, 'the number of the account');
      }
    },
  },
];

/** Section 3, for suppliers that the user names. */
export function supplierChecks(suppliers: {
  readonly paused: string | undefined;
  readonly complete: string | undefined;
}): readonly ConformanceCheck[] {
  return (['paused', 'complete'] as const).map((status) => ({
    section: '3',
    sentence: 'Stage refuses its accounts with 400 while it is Paused or Complete.',
    subject: status,
    asks: ['stage'],
    account: 'new',
    run: async (trial) => {
      const supplier = suppliers[status];
      if (supplier === undefined) {
        trial.notChecked = `Name a supplier of this status with --${status}-supplier.`;
        return;
      }
      const payload = { ...trial.payloads.account(trial.account), import_supplier: supplier };
      const staged = await trial.platform.post('stage', payload);
      trial.expectStatus(staged, 400, `for the ${status} supplier ${supplier}`);
    },
  }));
}

function dryRun({ payloads, account }: Trial) {
  return payloads.process(account, { dry_run: true });
}

async function expectNotCreated(trial: Trial): Promise<void> {
  const answered = await trial.platform.status(trial.account);
  trial.expect(
    !isFilled(fieldOf(answered.body, 'kraken_account_number')),
    'no account to be created',
    answered,
  );
}
