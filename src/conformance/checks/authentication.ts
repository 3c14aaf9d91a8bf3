import { endpoints, type EndpointName } from '../../contract/endpoints.ts';
import { isExtraStep, type StepName } from '../../domain/steps.ts';
import type { ConformanceCheck } from '../check.ts';
import { stepOf } from '../offered.ts';
import type { Answered, Wrong } from '../sandbox.ts';
import { fieldOf, isFilled, type Trial } from '../trial.ts';
import { extraPayload } from './extra-data.ts';

/** Section 5: without a valid token, no request succeeds that would succeed with one. */
export const authenticationChecks: readonly ConformanceCheck[] = [
  ...(Object.keys(endpoints) as EndpointName[]).map((endpoint): ConformanceCheck => {
    const step = stepOf(endpoint);
    return {
      section: '5',
      sentence: 'A request without a valid token is refused.',
      subject: endpoints[endpoint].path,
      asks: [endpoint],
      account: accountFor(step),
      run: async (trial) => {
        for (const wrong of ['none', 'invalid'] as const) {
          const words = wrong === 'none' ? 'without a token' : 'with a token that nobody issued';
          trial.expectNoSuccess(await ask(trial, endpoint, step, wrong), `of a request ${words}`);
        }
        if (endpoint !== 'process' || !trial.offers('transferStatus')) return;
        const status = await trial.platform.status(trial.account);
        const number = fieldOf(status.body, 'kraken_account_number');
        trial.expect(!isFilled(number), 'no account to be created', status);
      },
    };
  }),
  {
    section: '5',
    sentence: 'The token is obtained with the API key that the operator issued',
    asks: [],
    account: 'new',
    run: async (trial) => {
      const answer = await trial.platform.askWithWrongKey();
      if (answer === undefined) trial.notChecked = 'A token is configured, and no API key.';
      if (answer === 'ok') trial.breaches.push('A key that nobody issued was exchanged for a token.');
    },
  },
];

/** The account with which the request would succeed. */
function accountFor(step: StepName | undefined): ConformanceCheck['account'] {
  if (step === 'process') return 'staged';
  return step === undefined || isExtraStep(step) ? 'shared' : 'new';
}

function ask(
  trial: Trial,
  endpoint: EndpointName,
  step: StepName | undefined,
  wrong: Wrong,
): Promise<Answered> {
  const { platform, payloads, account } = trial;
  switch (endpoint) {
    case 'transferStatus':
      return platform.status(account, wrong);
    case 'allProcesses':
    case 'pendingProcesses':
    case 'importedProcesses':
      return platform.list(endpoint, wrong);
    case 'process':
      return platform.post(endpoint, payloads.process(account), '', wrong);
    default: {
      const payload =
        step !== undefined && isExtraStep(step) ? extraPayload(trial, step) : payloads.account(account);
      return platform.post(endpoint, payload, '', wrong);
    }
  }
}
