import { graphqlRequest } from '../../contract/schemas/token.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { InjectFault } from '../faults/fault-injection.ts';
import type { LatestEffects } from '../faults/read-faults.ts';
import { readJsonBody } from '../http/json-body.ts';
import { invalid, problem } from '../refusals.ts';
import { answer, type Refused, type PlatformReply } from '../reply.ts';
import { readGraphql } from './answer-query.ts';
import type { QueryResponder } from './query-responder.ts';

const nobody: AccountKey = { supplier: '', account: '' };

/** A GraphQL request, with what it is answered from. */
interface GraphqlRequest {
  readonly bytes: Buffer;
  readonly authorization: string | undefined;
  readonly queries: QueryResponder;
  readonly effects: LatestEffects;
  readonly injectFault: InjectFault;
}

/** Answers a GraphQL request: the token mutation, whose faults are those of `token`, or a query (`graphql`). */
export async function respondGraphql(request: GraphqlRequest): Promise<PlatformReply | Refused> {
  const { bytes, authorization, queries, effects, injectFault } = request;
  const read = readJsonBody(bytes);
  if (!read.ok) return invalid([read.problem]);
  const asked = graphqlRequest.safeParse(read.value);
  if (!asked.success)
    return invalid([problem('invalid', 'query', 'A GraphQL request with a query is required.')]);
  const { query: text, variables, operationName } = asked.data;
  const given: JsonObject = isJsonObject(variables) ? variables : {};
  const reading = readGraphql(text, given, operationName ?? undefined);
  if (!reading.ok) return answer(200, reading.answer);
  const { query } = reading;
  const isQuery = query.isQuery;
  return injectFault(
    isQuery ? 'graphql' : 'token',
    isQuery ? queries.keyOf(query) : nobody,
    async (fault) => {
      const lag = fault?.kind === 'read_lag' ? fault.ms : 0;
      const answered = await queries.answer(query, authorization, fault, (key, step) =>
        effects.isYoung(step, key, lag),
      );
      return answer(200, answered);
    },
    () => Promise.resolve(),
  );
}
