import type { RefusedRequest } from '../contract/refusal.ts';
import type { SentValues } from '../contract/sent-values.ts';
import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { WireRequest } from './http-exchange.ts';
import { unreadable, type ReplyReading } from './classify-response.ts';
import type { AddedClient, AddedItem, Answer } from './platform-client.ts';
import type { Reply } from './http-exchange.ts';
import { readJson } from './read-json.ts';
import { isJsonMedia } from './read-success.ts';

/** Statuses of refusals besides those of the interface's further steps. */
const refusals = [409, 422];

type Send = <T>(
  request: Pick<WireRequest, 'method' | 'path' | 'body' | 'signal'> & { readonly fresh?: boolean },
  reading: ReplyReading<T>,
) => Promise<Answer<T>>;

/** The requests of steps that a profile adds. */
export function addedRequests(send: Send): AddedClient {
  return {
    post(path, body, item, { signal, about }) {
      const request = requestOf(about, body, item);
      return send(
        // Its answer may name nothing, and what it does cannot be undone.
        { method: 'POST', path, body, signal, fresh: true },
        { request, success: (reply) => readAccepted(reply, item) },
      );
    },
    check(path, body, item, { signal, about }) {
      const request = requestOf(about, body, item);
      return send(
        { method: 'POST', path, body, signal },
        { request, success: (reply) => readChecked(reply, item) },
      );
    },
    ask(path, item, { signal, about }) {
      const request = requestOf(about, '{}', item);
      return send(
        { method: 'GET', path, signal },
        {
          request,
          success: (reply) => readThere(reply, item),
          // A page of a gateway says nothing about the item.
          anyway: (reply) => (reply.status === 404 ? readAbsent(reply) : undefined),
          isQuestion: true,
        },
      );
    },
  };
}

/** Its payload is as open as that of the agreements, whose forms of refusals therefore apply. */
function requestOf(about: SentValues, body: string, item: AddedItem): RefusedRequest {
  return {
    endpoint: 'agreements',
    refusals,
    echoes: [item.field],
    payload: () => firstItem(readJson(Buffer.from(body))),
    sent: about,
  };
}

function firstItem(body: JsonValue | undefined): JsonObject {
  const item = Array.isArray(body) ? body[0] : body;
  return isJsonObject(item) ? item : {};
}

/** 200 or 201, with an empty body, `{}`, or JSON that names the item and no other. */
function readAccepted(reply: Reply, item: AddedItem): Answer<void> {
  const { status, body: bytes } = reply;
  const isSuccess = status === 200 || status === 201;
  if (isSuccess && reply.fault === undefined && bytes.length === 0)
    return { kind: 'ok', status, body: undefined };
  const body = isSuccess ? jsonIn(reply) : undefined;
  if (body === undefined) return isSuccess ? unreadable(reply) : unrecognised(reply);
  if (isJsonObject(body) && Object.keys(body).length === 0) return { kind: 'ok', status, body: undefined };
  return namedIn(body, item) === 'itself'
    ? { kind: 'ok', status, body: undefined }
    : mismatch(reply, body, item);
}

/** A check has no effect: any JSON that names no other item accepts. */
function readChecked(reply: Reply, item: AddedItem): Answer<void> {
  const body = reply.body.length === 0 && reply.fault === undefined ? {} : jsonIn(reply);
  if (body === undefined) return unreadable(reply);
  const isOther = namedIn(body, item) === 'another';
  return isOther ? mismatch(reply, body, item) : { kind: 'ok', status: reply.status, body: undefined };
}

function readThere(reply: Reply, item: AddedItem): Answer<boolean> {
  const body = reply.status === 200 ? jsonIn(reply) : undefined;
  if (body === undefined) return unreadable(reply);
  if (namedIn(body, item) !== 'itself') return mismatch(reply, body, item);
  return { kind: 'ok', status: reply.status, body: true };
}

/** A refusal has a `code` of its own, which may be what an item's field is called. */
function readAbsent(reply: Reply): Answer<boolean> {
  const body = jsonIn(reply);
  if (!isJsonObject(body)) return unreadable(reply);
  return { kind: 'ok', status: reply.status, body: false };
}

function jsonIn({ fault, body, mediaType }: Reply): JsonValue | undefined {
  return fault === undefined && isJsonMedia(mediaType) ? readJson(body) : undefined;
}

function mismatch(reply: Reply, body: JsonValue, item: AddedItem): Answer<never> {
  if (namedIn(body, item) !== 'another') return unrecognised(reply);
  return { kind: 'unknown', cause: 'answer_mismatch', status: reply.status };
}

function unrecognised({ status }: Reply): Answer<never> {
  return { kind: 'unknown', cause: 'unrecognised_answer', status };
}

/** Answers are no deeper than this where they name what they are about. */
const deepest = 4;

/** Which item an answer names, by the values of the field that identifies it, wherever they are. */
export function namedIn(body: JsonValue, { field, value }: AddedItem): 'itself' | 'another' | 'none' {
  const found: string[] = [];
  const visit = (at: JsonValue | undefined, depth: number): void => {
    if (depth > deepest) return;
    if (Array.isArray(at)) for (const one of at) visit(one, depth + 1);
    else if (isJsonObject(at))
      for (const [name, inner] of Object.entries(at)) {
        const text = name === field && inner !== null ? numberText(inner) : undefined;
        if (text === undefined) visit(inner, depth + 1);
        else found.push(text);
      }
  };
  visit(body, 0);
  if (found.includes(value)) return 'itself';
  return found.length === 0 ? 'none' : 'another';
}
