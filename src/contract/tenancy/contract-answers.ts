import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { knownEndpoints, type KnownEndpointName } from '../endpoints.ts';
import { rootOf, within } from './contract-reference.ts';
import { ContractSchemas } from './contract-schema.ts';
import { FittedAnswers } from './fitted-answer.ts';
import { PayloadChecks, type PayloadCheck } from './payload-check.ts';
import { jsonTypeIn, pathIn } from './request-schemas.ts';

/** Statuses of success that a platform may choose between: clients take either. */
const successes = [201, 200];

export interface ContractAnswer {
  readonly status: number;
  /** Absent if it is empty. */
  readonly body: JsonValue | undefined;
}

/** How a tenancy's contract describes the successes of its endpoints. */
export interface ContractAnswers {
  /**
   * An answer as the contract has it: with the fields that it requires, of `facts` where these have them and made up otherwise.
   * One of which the contract says nothing is unchanged.
   */
  fitted(name: KnownEndpointName, answer: ContractAnswer, facts: () => JsonObject): ContractAnswer;
  /** The same of an element of an answer that is a list. */
  fittedElement(name: KnownEndpointName, element: JsonObject, facts: () => JsonObject): JsonObject;
}

/** Of one endpoint. */
interface Described {
  readonly status: number;
  readonly schema: string;
  readonly check: PayloadCheck;
}

export function contractAnswers(documents: readonly JsonObject[]): ContractAnswers {
  const schemas = new ContractSchemas(documents, false, 'answers');
  const checks = new PayloadChecks(schemas);
  const fitting = new FittedAnswers(schemas);
  const known = new Map<KnownEndpointName, readonly Described[]>();
  const describedOf = (name: KnownEndpointName): readonly Described[] => {
    const found = known.get(name) ?? documents.flatMap((document, file) => answersOf(name, document, file));
    known.set(name, found);
    return found;
  };

  function answersOf(name: KnownEndpointName, document: JsonObject, file: number): Described[] {
    const { path, method } = knownEndpoints[name];
    const key = pathIn(document, path);
    if (key === undefined) return [];
    const item = schemas.resolved(within(within(rootOf(file), 'paths'), key));
    const responses = within(within(item, method.toLowerCase()), 'responses');
    return successes.flatMap((status) => {
      const [response] = [String(status), '2XX', '2xx']
        .map((listed) => within(responses, listed))
        .filter((reference) => schemas.find(reference) !== undefined);
      const schema = response === undefined ? undefined : schemaOf(response);
      return schema === undefined ? [] : [{ status, schema, check: checks.of(schema) }];
    });
  }

  function schemaOf(response: string): string | undefined {
    const content = within(schemas.resolved(response), 'content');
    const types = schemas.find(content);
    const type = isJsonObject(types) ? jsonTypeIn(types) : undefined;
    if (type === undefined) return undefined;
    const schema = within(within(content, type), 'schema');
    return schemas.find(schema) === undefined ? undefined : schema;
  }

  return {
    fitted(name, answer, facts) {
      const described = describedOf(name);
      const own = described.find(({ status }) => status === answer.status) ?? described[0];
      if (own === undefined) return answer;
      const { body = {} } = answer;
      const isSound = answer.body !== undefined && own.check.errors(body).length === 0;
      return { status: own.status, body: isSound ? body : fitting.fit(own.schema, body, facts()) };
    },
    fittedElement(name, element, facts) {
      const [own] = describedOf(name);
      if (own === undefined || own.check.errors([element]).length === 0) return element;
      const fitted = fitting.fit(own.schema, [element], facts());
      const [first] = Array.isArray(fitted) ? fitted : [];
      return isJsonObject(first) ? first : element;
    },
  };
}
