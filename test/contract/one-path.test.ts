// The interface document is a contract like a tenancy's: without --contract it says the same as its own published document,
// and as another validator of that document.
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { endpointOf, endpoints } from '../../src/contract/endpoints.ts';
import { checkPayload, defaultRuleContext } from '../../src/contract/preflight.ts';
import { readTenancyContract } from '../../src/contract/tenancy/tenancy-contract.ts';
import { stringifyJson } from '../../src/domain/json.ts';
import type { StepName } from '../../src/domain/steps.ts';
import { openapiText } from '../../src/platform/openapi/document.ts';
import { mutants, type Mutant } from './mutants.ts';
import { today } from './payloads.ts';

const context = defaultRuleContext(today);
const published = { ...context, contract: readTenancyContract(openapiText()) };

/** Historical agreements have fields in the platform's document that the interface does not show (section 2.10). */
const shared = [...mutants()].filter(({ step }, at) => step !== 'agreements' && at % 5 < 2);

describe('a payload with one fault', () => {
  test('has the same problems, in the same order, with --contract docs/openapi.json and without', () => {
    const different = shared.flatMap(({ step, payload, change }) => {
      const [own, other] = [context, published].map((rules) =>
        checkPayload(step, payload, rules).map(({ code, path, severity }) => `${severity} ${code} ${path}`),
      );
      return own?.join() === other?.join() ? [] : [[`${step}: ${change}`, own, other]];
    });
    expect(different).toEqual([]);
    expect(shared.length).toBeGreaterThan(4000);
  });

  test('is refused for its shape if, and only if, another validator of the document refuses it', () => {
    const judges = new Map<StepName, Validator>();
    const judgeOf = (step: StepName): Validator => {
      const judge =
        judges.get(step) ?? new Validator({ ...endpoints[endpointOf[step]].request }, '2020-12', false);
      judges.set(step, judge);
      return judge;
    };
    const different = shared.filter(isExpressible).flatMap(({ step, payload, change }) => {
      const isRefused = published.contract.check(step, payload).length > 0;
      const plainPayload: unknown = JSON.parse(stringifyJson(payload));
      return judgeOf(step).validate(plainPayload).valid === isRefused ? [`${step}: ${change}`] : [];
    });
    expect(different).toEqual([]);
  });
});

/** What JSON Schema cannot say: how many digits a number has; and what the other validator does not hold formats to. */
function isExpressible({ change }: Mutant): boolean {
  return !/exact|1e-25|0000-01-01|23:59:60/.test(change);
}
