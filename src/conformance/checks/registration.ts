import { meterPointStatusesAnswer, noMeterPointsAnswer, registrationAnswer } from '../../contract/answers.ts';
import { pathFor } from '../../contract/endpoints.ts';
import { registrationEndpoints, type RegistrationEndpointName } from '../../contract/registration.ts';
import type { ConformanceCheck } from '../check.ts';
import type { Answered } from '../sandbox.ts';
import type { Trial } from '../trial.ts';

/** Meter points and their registration, which only published contracts have. */
export const registrationChecks: readonly ConformanceCheck[] = [
  {
    section: 'contract',
    sentence:
      'Meter points: the statuses of an account that does not exist are 404, and registration is refused.',
    asks: ['meterPointStatuses', 'sendRegistration'],
    account: 'new',
    run: async (trial) => {
      const statuses = await asked(trial, 'meterPointStatuses');
      if (trial.expectStatus(statuses, 404, 'for an account that does not exist'))
        trial.expect(
          noMeterPointsAnswer.safeParse(statuses.body).success,
          'a JSON object with error',
          statuses,
        );
      trial.expectNoSuccess(await asked(trial, 'sendRegistration'), 'of an account that does not exist');
    },
  },
  {
    section: 'contract',
    sentence:
      'Meter points: registration names the account and each of its meter points, which have statuses.',
    asks: ['meterPointStatuses', 'sendRegistration'],
    account: 'imported',
    run: async (trial) => {
      const before = await asked(trial, 'meterPointStatuses');
      if (before.status === 404) {
        trial.notChecked = 'The account has no meter points. Name some with --payloads, under stage.';
        return;
      }
      const points = identifiersIn(trial, before);
      const marked = await asked(trial, 'sendRegistration');
      if (points === undefined || !trial.expectSuccess('sendRegistration', marked)) return;
      const read = registrationAnswer.safeParse(marked.body);
      const isWhole =
        read.success && points.every((one) => read.data.meter_points.some(({ mpxn }) => mpxn === one));
      const { account, platform } = trial;
      const isNamed =
        read.success &&
        read.data.external_account_number === account &&
        read.data.import_supplier_code === platform.supplier;
      trial.expect(isNamed && isWhole, 'the account, and what became of each of its meter points', marked);
      identifiersIn(trial, await asked(trial, 'meterPointStatuses'));
    },
  },
];

function asked({ platform, account }: Trial, name: RegistrationEndpointName): Promise<Answered> {
  const endpoint = registrationEndpoints[name];
  return platform.send(endpoint.method, pathFor(endpoint, platform.supplier, account));
}

/** undefined, with a breach, if the answer has no statuses. */
function identifiersIn(trial: Trial, answered: Answered): readonly string[] | undefined {
  const read = meterPointStatusesAnswer.safeParse(answered.status === 200 ? answered.body : undefined);
  const isRead = trial.expect(read.success, 'a list of meter points with their statuses', answered);
  return isRead ? read.data?.map(({ mpxn }) => mpxn) : undefined;
}
