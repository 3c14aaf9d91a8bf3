import type { JsonObject, JsonValue } from '../domain/json.ts';
import { stringifyJson } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';

/** What the platform answers to one request. */
export interface Reply {
  readonly status: number;
  /** JSON text; absent for an empty body. */
  readonly body?: string;
  /** JSON text in pieces, each made when the one before it has left; takes the place of `body`. */
  readonly pieces?: Iterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the answer fails on its way, where a fault asks for it. */
  readonly spoil?: 'reset' | 'hang' | 'truncate';
}

/** A 4xx or 5xx before it is written in the operator's dialect. */
export interface Refused {
  readonly status: number;
  /** Top-level machine code (section 7). */
  readonly code: string;
  /** Top-level message, for people. */
  readonly detail: string;
  readonly problems?: readonly PayloadProblem[];
  /** Further members of the body, such as the numbers of an account imported already. */
  readonly more?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answer(status: number, body: JsonValue): Reply {
  return { status, body: stringifyJson(body) };
}

export function isRefused(outcome: Reply | Refused): outcome is Refused {
  return 'code' in outcome;
}
