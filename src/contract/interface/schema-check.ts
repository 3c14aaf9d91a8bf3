import type { JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { Schema } from '../schemas/schema.ts';
import { contractProblems } from '../tenancy/contract-problem.ts';
import { ContractSchemas } from '../tenancy/contract-schema.ts';
import { interfaceWords } from '../tenancy/misfit-words.ts';
import { PayloadChecks } from '../tenancy/payload-check.ts';

/** Holds values to one schema that no endpoint has. */
export interface SchemaCheck<Value> {
  /** Whether the value certainly fits. */
  readonly fits: (value: unknown) => value is Value;
  /** What is wrong with it; of a value that fits, nothing. */
  readonly problems: (value: JsonValue) => readonly PayloadProblem[];
}

export function schemaCheck<Value>(schema: Schema<Value>): SchemaCheck<Value> {
  const { fits, errors } = new PayloadChecks(new ContractSchemas([{ schema }])).of('#/schema');
  return {
    fits: (value): value is Value => fits(value),
    problems: (value) => (fits(value) ? [] : contractProblems(errors(value), interfaceWords)),
  };
}
