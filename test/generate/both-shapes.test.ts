import { expect, it } from 'vitest';
import { stringifyJson } from '../../src/domain/json.ts';
import { extraStepNames } from '../../src/domain/steps.ts';
import type { GenerateOptions } from '../../src/generate/generate-export.ts';
import { generatedDirectory } from './read-export.ts';
import { openPlans } from './read-plans.ts';

it.each<Partial<GenerateOptions>>([
  { shape: 'flat' },
  { shape: 'flat', shuffle: true },
  { shape: 'interface', format: 'json', shuffle: true },
])('maps the same accounts to the same payloads, written as %o', async (options) => {
  const expected = await plansOf({ shape: 'interface', accounts: 60, seed: 5 });
  const plans = await plansOf({ accounts: 60, seed: 5, ...options });
  expect(plans).toHaveLength(60);
  expect(plans).toEqual(expected);
});

async function plansOf(options: Partial<GenerateOptions>): Promise<unknown[]> {
  const { faults, plans } = await openPlans(await generatedDirectory(options));
  expect(faults).toEqual([]);
  const found: unknown[] = [];
  for await (const { key, payload, extras, problems } of plans) {
    expect(problems).toEqual([]);
    // As text: their fields are in the same order, too.
    found.push(stringifyJson([{ ...key }, payload, ...extraStepNames.map((step) => [...extras[step]])]));
  }
  return found;
}
