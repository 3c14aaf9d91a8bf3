import type { KnownEndpointName } from '../contract/endpoints.ts';
import { registrationEndpoints } from '../contract/registration.ts';
import { scheduledEndpoints } from '../contract/scheduled-import.ts';
import type { AccountKey } from '../domain/account-key.ts';
import { isJsonObject, parseJson, stringifyJson, type JsonObject } from '../domain/json.ts';
import { addedTask } from './added-steps.ts';
import type { AddedEndpoint } from './http/added-places.ts';
import { writeRefusal } from './dialect.ts';
import type { PathEndpoint, ServedEndpoint } from './endpoints/endpoint.ts';
import { endpointTable } from './endpoints/table.ts';
import type { InjectFault } from './faults/fault-injection.ts';
import type { LatestEffects } from './faults/read-faults.ts';
import type { QueryResponder } from './graphql/query-responder.ts';
import { respondGraphql } from './graphql/respond-graphql.ts';
import { readJson, readJsonBody, readText } from './http/json-body.ts';
import { notFound } from './http/refusals.ts';
import type { RoutedRequest } from './http/routes.ts';
import { openapiText } from './openapi/document.ts';
import { knownOf } from './known-facts.ts';
import type { PayloadRules } from './payload-rules.ts';
import { platformTime, type PlatformContext } from './platform-context.ts';
import { endDueTasks } from './scheduler.ts';
import { invalid, problem } from './refusals.ts';
import { answer, isRefused, type PlatformReply } from './reply.ts';
import type { Outcome, TransactionBatcher, StateWork } from './transaction-batcher.ts';

export interface Responder {
  readonly context: PlatformContext;
  readonly queries: QueryResponder;
  /** Told of every effect on an account. */
  readonly effects: LatestEffects;
  readonly turn: TransactionBatcher;
  readonly injectFault: InjectFault;
}

/** Answers a request whose path, method, sender and size are valid; `bytes` is its whole body. */
export async function respond(
  place: RoutedRequest,
  method: string,
  bytes: Buffer,
  responder: Responder,
  authorization?: string,
): Promise<PlatformReply> {
  const { context, injectFault } = responder;
  const write = (outcome: Outcome): PlatformReply =>
    isRefused(outcome) ? writeRefusal(outcome, context.operator().dialect) : outcome;
  switch (place.name) {
    case 'openapi':
      return {
        status: 200,
        body: context.document === undefined ? openapiText() : stringifyJson(context.document),
      };
    case 'operator':
    case 'expireTokens':
    case 'restart':
      return write(controlPlatform(place, method, bytes, context));
    case 'token':
      return write(await respondGraphql({ bytes, authorization, ...responder }));
    case 'added':
    case 'addedCheck':
    case 'addedStatus':
      return respondAdded(place.name, place, bytes, responder, write);
  }
  const endpoint: PathEndpoint | ServedEndpoint = endpointTable[place.name];
  if (!isOffered(place.name, endpoint, context)) return write(notFound.nowhere);
  await endTasks(responder);
  const work =
    'step' in endpoint
      ? postWork(endpoint, place, place.name, bytes, responder)
      : pathWork(endpoint, place, place.name, responder);
  if ('status' in work) return write(work);
  const perform = async (): Promise<PlatformReply> => {
    const reply = write(await work.perform());
    if ('step' in endpoint && reply.status < 300) responder.effects.keep(endpoint.step, work.key);
    return reply;
  };
  return await injectFault(place.name, work.key, perform, work.record);
}

/** Answers a request of a step that a profile adds. */
async function respondAdded(
  name: AddedEndpoint,
  { added }: RoutedRequest,
  bytes: Buffer,
  { context, turn, injectFault }: Responder,
  write: (outcome: Outcome) => PlatformReply,
): Promise<PlatformReply> {
  const task = added === undefined ? notFound.nowhere : addedTask(added, bytes, context);
  if ('status' in task) return write(task);
  const key = { supplier: '', account: task.item };
  const { perform, record } = committed(name, key, { run: task.run, refusesFirst: true }, context, turn);
  return injectFault(name, key, async () => write(await perform()), record);
}

/** Whether the tenancy has this endpoint. */
function isOffered(
  name: KnownEndpointName,
  endpoint: PathEndpoint | ServedEndpoint,
  { offers, imports, registers }: PlatformContext,
): boolean {
  if (Object.hasOwn(scheduledEndpoints, name)) return imports.has('v2');
  if (Object.hasOwn(registrationEndpoints, name)) return registers;
  if (name === 'validate' || name === 'stage' || name === 'process') return imports.has('v1') && offers(name);
  return !('step' in endpoint) || offers(endpoint.step);
}

/** Whatever is asked for is as the tasks that have ended left it. */
async function endTasks({ context, turn }: Responder): Promise<void> {
  if (!context.imports.has('v2')) return;
  const next = context.store.nextTaskEnd();
  if (next === undefined || next > platformTime(context)) return;
  const run = (): Outcome => {
    endDueTasks(context);
    return { status: 0 };
  };
  await turn({ run, refusesFirst: true }, () => undefined);
}

/** A request about an account, ready to be worked on. */
interface Task {
  readonly key: AccountKey;
  readonly perform: () => Promise<Outcome>;
  readonly record: (status: number) => Promise<void>;
}

function pathWork(
  endpoint: PathEndpoint,
  place: RoutedRequest,
  name: KnownEndpointName,
  { context, turn }: Responder,
): Task {
  const key = { supplier: place.supplier, account: place.account };
  const facts = (): JsonObject => knownOf(key, context.store.findAccount(key)?.number);
  const read = (): Outcome => asContracted(name, endpoint.answer(key, context), facts, context);
  // A list belongs to no account. It is read page by page while it is sent.
  if (key.account === '')
    return { key, perform: () => Promise.resolve(read()), record: () => Promise.resolve() };
  return committed(name, key, { run: read, refusesFirst: true }, context, turn);
}

function postWork(
  endpoint: ServedEndpoint,
  { query }: RoutedRequest,
  name: KnownEndpointName,
  bytes: Buffer,
  { context, turn }: Responder,
): Task | Outcome {
  const payload = readPayload(endpoint, bytes, context.rules);
  if ('status' in payload) return payload;
  const asked = { query, ...payload };
  const refusesFirst = endpoint.refusesFirst?.(asked) ?? false;
  const { key: account } = payload;
  const facts = (): JsonObject => ({
    ...(payload.body ?? (parseJson(payload.text) as JsonObject)),
    ...knownOf(account, context.store.findAccount(account)?.number),
  });
  const run = (): Outcome => asContracted(name, endpoint.answer(asked, context), facts, context);
  const work = committed(name, payload.key, { run, refusesFirst }, context, turn);
  const { around } = endpoint;
  const { key, record, perform } = work;
  return around === undefined ? work : { key, record, perform: () => around(asked, context, perform) };
}

/** A success as the tenancy's contract has it. A list is written by its records. */
function asContracted(
  name: KnownEndpointName,
  outcome: Outcome,
  facts: () => JsonObject,
  { answers }: PlatformContext,
): Outcome {
  const isSuccess = !isRefused(outcome) && outcome.pieces === undefined && outcome.status < 300;
  if (answers === undefined || !isSuccess) return outcome;
  const body = outcome.body === undefined ? undefined : parseJson(outcome.body);
  const fitted = answers.fitted(name, { status: outcome.status, body }, facts);
  // A body that fits is as the platform wrote it.
  const text = fitted.body === body || fitted.body === undefined ? outcome.body : stringifyJson(fitted.body);
  return { ...outcome, status: fitted.status, ...(text === undefined ? {} : { body: text }) };
}

function committed(
  name: KnownEndpointName | AddedEndpoint,
  key: AccountKey,
  work: StateWork,
  { store }: PlatformContext,
  turn: TransactionBatcher,
): Task {
  const record = (status: number): void => store.recordRequest(name, key, status);
  return {
    key,
    perform: () => turn(work, record),
    record: async (status) => {
      await turn({ run: () => ({ status: 0 }), refusesFirst: true }, () => record(status));
    },
  };
}

/** The operator's requests: read the settings, change them, expire all tokens, restart. */
function controlPlatform(
  place: RoutedRequest,
  method: string,
  bytes: Buffer,
  context: PlatformContext,
): Outcome {
  if (place.name === 'expireTokens') {
    context.store.expireTokens();
    return { status: 204 };
  }
  if (place.name === 'restart') {
    const downMs = Number(place.query.get('down_ms') ?? 0);
    if (!Number.isInteger(downMs) || downMs < 0 || downMs > 3_600_000)
      return invalid([
        problem('invalid', 'down_ms', 'Must be a number of milliseconds, at most 3600000 (one hour).'),
      ]);
    // The answer leaves first.
    setImmediate(() => context.restart(downMs));
    return { status: 202 };
  }
  if (method === 'PATCH') {
    const read = readJsonBody(bytes);
    if (!read.ok) return invalid([read.problem]);
    const problems = context.change(read.value);
    if (problems.length > 0)
      return invalid(problems.map(({ path, detail }) => problem('invalid', path.join('.'), detail)));
  }
  const { apiKeys: _secret, graphql, ...shown } = context.operator();
  const { keys: _secrets, ...shownGraphql } = graphql;
  return answer(200, { ...shown, graphql: shownGraphql } as JsonObject);
}

/** A payload that passed the rules. */
interface Payload {
  readonly key: AccountKey;
  /** The JSON object of the body; absent for an account's payload that was met before. */
  readonly body?: JsonObject;
  /** The body as it was sent. */
  readonly text: string;
  /** The body, if the payload is a field of it. */
  readonly around?: JsonObject;
}

/** Reads the body of a step's request and holds it to the contract and the rules. */
function readPayload(
  { step, field, refused }: ServedEndpoint,
  bytes: Buffer,
  rules: PayloadRules,
): Payload | Outcome {
  const text = readText(bytes);
  if (typeof text !== 'string') return invalid([text]);
  const isAccount = field === undefined && (step === 'validate' || step === 'stage');
  const known = isAccount ? rules.recent().find(text) : undefined;
  if (known !== undefined) return { key: known, text };

  const read = readJson(text);
  if (!read.ok) return invalid([read.problem]);
  const body = field === undefined ? read.value : read.value[field];
  if (!isJsonObject(body))
    return refused ?? invalid([problem('required', field ?? '', 'This field is required.')]);
  const key = {
    supplier: textAt(body, 'import_supplier') ?? textAt(body, 'import_supplier_code') ?? '',
    account: textAt(body, 'external_account_number') ?? '',
  };
  const problems = rules.check(step, key.supplier, body);
  if (problems.length > 0) return refused ?? invalid(problems);
  if (isAccount && step === 'validate') rules.recent().add(text, key);
  return { key, body, text, ...(field === undefined ? {} : { around: read.value }) };
}

function textAt(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' ? value : undefined;
}
