import type { Cell } from '../domain/cell.ts';
import type { JsonObject } from '../domain/json.ts';
import type { AccountPlan } from './plan.ts';
import { sections } from './sections.ts';

/** What the mapping makes, by section; elements of a list section are those of all its requests. */
export function madeSections(plan: AccountPlan): JsonObject {
  const made: JsonObject = { account: plan.payload };
  for (const { name, step, field } of sections) {
    const payloads = plan.extras[step];
    const values = field === undefined ? payloads : payloads.flatMap((payload) => payload[field] ?? []);
    if (values.length > 0) made[name] = [...values];
  }
  return made;
}

/** Where a value of a section was read; its path begins with the section's name. */
export function locateMade(plan: AccountPlan, path: string): Cell | undefined {
  const [name, index = '', ...rest] = path.split('.');
  const section = sections.find((one) => one.name === name);
  if (name === 'account') return plan.locate('stage', path.split('.').slice(1).join('.'));
  if (section === undefined) return undefined;
  const { step, field } = section;
  if (field === undefined) return plan.locate(step, rest.join('.'), Number(index));
  return plan.locate(step, [field, index, ...rest].join('.'));
}
