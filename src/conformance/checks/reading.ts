import { transferStatuses } from '../../contract/answers.ts';
import type { ConformanceCheck } from '../check.ts';
import type { Listed } from '../sandbox.ts';
import { fieldOf, isFilled, type Trial } from '../trial.ts';

const datetime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Sections 2.5 and 2.12, and section 4, rule 4: the status of an account, and the lists. */
export const readingChecks: readonly ConformanceCheck[] = [
  {
    section: '2.12',
    sentence: 'The status of an account that was never staged is 404.',
    asks: ['transferStatus'],
    account: 'new',
    run: async (trial) => {
      trial.expectStatus(
        await trial.platform.status(trial.account),
        404,
        'for an account that was never staged',
      );
    },
  },
  {
    section: '2.12',
    sentence:
      'UNKNOWN: it does not exist; it was never processed, or processing failed. The number is empty text.',
    asks: ['transferStatus'],
    account: 'staged',
    run: async (trial) => {
      const answered = await trial.platform.status(trial.account);
      if (!trial.expectSuccess('transferStatus', answered)) return;
      trial.expectField(answered, 'status', 'UNKNOWN');
      trial.expectField(answered, 'kraken_account_number', '');
    },
  },
  {
    section: '2.12',
    sentence: 'COMPLETED: the account exists, and the response has its number.',
    asks: ['transferStatus'],
    account: 'shared',
    run: async (trial) => {
      const answered = await trial.platform.status(trial.account);
      if (!trial.expectSuccess('transferStatus', answered)) return;
      trial.expectField(answered, 'status', transferStatuses[1]);
      trial.expectField(answered, 'kraken_account_number', isFilled, 'the number of the account');
    },
  },
  {
    section: '2.5',
    sentence: 'The list of all accounts has both pending and imported accounts.',
    asks: ['allProcesses'],
    account: 'staged',
    run: async (trial) => {
      const listed = await trial.platform.list('allProcesses');
      if (!trial.expectSuccess('allProcesses', listed)) return;
      expectPending(trial, listed);
    },
  },
  {
    section: '2.5',
    sentence: 'An imported account has its number and the time of its creation.',
    asks: ['allProcesses'],
    account: 'shared',
    run: async (trial) => {
      const listed = await trial.platform.list('allProcesses');
      if (!trial.expectSuccess('allProcesses', listed)) return;
      const record = recordOf(trial, listed);
      if (!trial.expect(record !== undefined, 'the imported account in the list', listed)) return;
      const answered = { ...listed, body: record };
      trial.expectField(answered, 'kraken_account_number', isFilled, 'the number of the account');
      const isTime = (value: unknown) => typeof value === 'string' && datetime.test(value);
      trial.expectField(answered, 'account_created_at', isTime, 'a datetime (2.1)');
    },
  },
  {
    section: '2.5',
    sentence: 'The last two are null while the account is only staged.',
    asks: ['pendingProcesses'],
    account: 'staged',
    run: async (trial) => {
      const listed = await trial.platform.list('pendingProcesses');
      if (trial.expectSuccess('pendingProcesses', listed)) expectPending(trial, listed);
    },
  },
  {
    section: '2.5',
    sentence: 'The list of pending accounts has no imported accounts.',
    asks: ['pendingProcesses'],
    account: 'shared',
    run: async (trial) => {
      const listed = await trial.platform.list('pendingProcesses');
      if (!trial.expectSuccess('pendingProcesses', listed)) return;
      if (recordOf(trial, listed) !== undefined)
        trial.breaches.push('The list of pending accounts has an account that is imported.');
    },
  },
  {
    section: '4',
    sentence:
      'migrate also asks for the status of one account (2.12), and for the lists of all, pending and imported accounts (2.5).',
    asks: ['importedProcesses'],
    account: 'shared',
    run: async (trial) => {
      const answered = await trial.platform.list('importedProcesses');
      trial.expect(answered.status === 200, '200 from the list of imported accounts', answered);
    },
  },
];

function recordOf({ account }: Trial, { records }: Listed) {
  return records.find((record) => record['external_account_number'] === account);
}

function expectPending(trial: Trial, listed: Listed): void {
  const record = recordOf(trial, listed);
  if (!trial.expect(record !== undefined, 'the staged account in the list', { ...listed, body: [] })) return;
  for (const name of ['kraken_account_number', 'account_created_at'])
    trial.expect(fieldOf(record, name) === null, `${name} to be null`, { ...listed, body: record });
}
