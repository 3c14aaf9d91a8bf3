import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { graphqlRequest } from '../contract/schemas/token.ts';
import type { Keeper } from './auth/keeper.ts';
import type { Desk } from './desk.ts';
import type { GetEndpoint, PostEndpoint } from './endpoints/endpoint.ts';
import { endpointTable } from './endpoints/table.ts';
import { readJsonBody } from './http/json-body.ts';
import type { Place } from './http/routes.ts';
import type { PayloadCheck } from './payload-check.ts';
import { invalid, problem } from './refusals.ts';
import { answer } from './reply.ts';
import type { Outcome, Turn } from './turn.ts';

export interface Responder {
  readonly desk: Desk;
  readonly keeper: Keeper;
  readonly turn: Turn;
  readonly check: PayloadCheck;
}

/** Answers a request whose path, method, token and size are in order; `bytes` is its whole body. */
export async function respond(place: Place, bytes: Buffer, responder: Responder): Promise<Outcome> {
  if (place.name === 'token') return obtainToken(bytes, responder.keeper);
  const endpoint: GetEndpoint | PostEndpoint = endpointTable[place.name];
  return 'step' in endpoint
    ? answerPost(endpoint, place, bytes, responder)
    : answerGet(endpoint, place, responder);
}

async function answerGet(endpoint: GetEndpoint, place: Place, { desk, turn }: Responder): Promise<Outcome> {
  const key = { supplier: place.supplier, account: place.account };
  // A list is read page by page as it leaves, outside any transaction.
  if (place.account === '') return endpoint.answer(key, desk);
  return turn(
    () => endpoint.answer(key, desk),
    (status) => desk.store.recordRequest(place.name, key, status),
  );
}

async function answerPost(
  endpoint: PostEndpoint,
  { name, query }: Place,
  bytes: Buffer,
  { desk, turn, check }: Responder,
): Promise<Outcome> {
  const read = readJsonBody(bytes);
  if (!read.ok) return invalid([read.problem]);
  const { value: body, text } = read;
  const key = {
    supplier: textAt(body, 'import_supplier') ?? textAt(body, 'import_supplier_code') ?? '',
    account: textAt(body, 'external_account_number') ?? '',
  };
  const problems = check(endpoint.step, key.supplier, body);
  if (problems.length > 0) return invalid(problems);
  const asked = { key, body, text, query };
  const proceed = () =>
    turn(
      () => endpoint.answer(asked, desk),
      (status) => desk.store.recordRequest(name, key, status),
    );
  return endpoint.around === undefined ? proceed() : endpoint.around(asked, desk, proceed);
}

function obtainToken(bytes: Buffer, keeper: Keeper): Outcome {
  const read = readJsonBody(bytes);
  if (!read.ok) return invalid([read.problem]);
  const request = graphqlRequest.safeParse(read.value);
  if (!request.success)
    return invalid([problem('invalid', 'query', 'A GraphQL request with a query is required.')]);
  const { query, variables, operationName } = request.data;
  return answer(
    200,
    keeper.obtain(query, isJsonObject(variables) ? variables : {}, operationName ?? undefined),
  );
}

function textAt(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' ? value : undefined;
}
