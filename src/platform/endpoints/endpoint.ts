import type { z } from 'zod';
import type { AccountKey } from '../../domain/account-key.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { StepName } from '../../domain/steps.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformReply } from '../reply.ts';
import type { Outcome } from '../transaction-batcher.ts';

/** One request, authenticated, its account named and its body kept to the contract. */
export interface AuthenticatedRequest {
  readonly key: AccountKey;
  /**
   * The JSON object of the body, whose type the endpoint knows because it was checked. Endpoints 1 and 2, which take
   * the account payload, get only its text.
   */
  readonly body?: unknown;
  /** The body as it was sent. */
  readonly text: string;
  readonly query: URLSearchParams;
  /** The body, if the payload is a field of it. */
  readonly around?: JsonObject;
}

/** What the OpenAPI document says of an endpoint beyond the contract's table. */
export interface EndpointDescription {
  readonly summary: string;
  /** The schema of an answer's body, under its name in the document; absent if the body is empty. */
  readonly answer?: 'the request' | Readonly<Record<string, z.ZodType>>;
  /** Refusals beside 400, 401, 413 and 415. */
  readonly statuses?: readonly ('404' | '429' | '500')[];
  /** Bodies of 400 beside the usual ones, each under its name. */
  readonly refusals?: Readonly<Record<string, z.ZodType>>;
}

/** An endpoint that takes a payload (1 to 3, 8 to 13). */
export interface ServedEndpoint {
  readonly description: EndpointDescription;
  /** Whose rules the payload is held to. */
  readonly step: StepName;
  /** The field of the body that is the payload; absent: the body itself. */
  readonly field?: string;
  /** The answer to a payload that breaks the rules; absent: what is wrong with it. */
  readonly refused?: PlatformReply;
  /** What is answered; runs within a transaction, which is undone when the answer is a refusal. */
  readonly answer: (asked: AuthenticatedRequest, context: PlatformContext) => Outcome;
  /** Whether it refuses, if it does, before it has changed anything; absent: it may do so later. */
  readonly refusesFirst?: (asked: AuthenticatedRequest) => boolean;
  /** What takes time, before and after; `proceed` gives the answer, committed. */
  readonly around?: (
    asked: AuthenticatedRequest,
    context: PlatformContext,
    proceed: () => Promise<Outcome>,
  ) => Promise<Outcome>;
}

/** An endpoint that takes no body: the path names what it is about (4 to 7, and registration). */
export interface PathEndpoint {
  readonly description: EndpointDescription;
  readonly answer: (key: AccountKey, context: PlatformContext) => Outcome;
}
