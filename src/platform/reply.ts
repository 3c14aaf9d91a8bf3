import type { JsonObject, JsonValue } from '../domain/json.ts';
import { stringifyJson } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';

/** What the platform answers to one request. */
export interface PlatformReply {
  readonly status: number;
  /** JSON text; absent for an empty body. */
  readonly body?: string;
  /** JSON text in pieces, each made when the one before it has left; takes the place of `body`. */
  readonly pieces?: Iterable<string>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How the answer fails on its way, if a fault requires it. */
  readonly corruption?: Corruption;
}

/** How an answer fails on its way: not at all, in part, twice, slowly, or behind interim answers. */
export type Corruption = 'reset' | 'hang' | 'truncate' | 'twice' | Drip | Interim;

/** An answer that comes byte by byte. */
export interface Drip {
  readonly kind: 'drip';
  /** Milliseconds from one byte to the next. */
  readonly everyMs: number;
  /** `body`: the head comes at once. */
  readonly from: 'head' | 'body';
  /** What drips never ends. */
  readonly endless: boolean;
}

/** Unrequested interim answers (1xx). */
export interface Interim {
  readonly kind: 'interim';
  readonly status: 100 | 102 | 103;
  readonly times: number;
  /** They never end, and no answer follows. */
  readonly endless: boolean;
  /** Milliseconds from one to the next. */
  readonly everyMs: number;
}

/** Whether a client can get the whole answer in the end. */
export function isAnsweredWhole({ corruption }: PlatformReply): boolean {
  if (corruption === undefined || corruption === 'twice') return true;
  return typeof corruption === 'object' && !corruption.endless;
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
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function answer(status: number, body: JsonValue): PlatformReply {
  return { status, body: stringifyJson(body) };
}

export function isRefused(outcome: PlatformReply | Refused): outcome is Refused {
  return 'code' in outcome;
}
