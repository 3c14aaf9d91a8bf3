import type { Clock, Random } from '../domain/clock.ts';
import { proofOf } from '../contract/embedded-proof.ts';
import { contractAnswers } from '../contract/tenancy/contract-answers.ts';
import type { TenancyContract } from '../contract/tenancy/contract.ts';
import type { AddedStep } from '../domain/added-step.ts';
import { AddedPlaces } from './http/added-places.ts';
import { createTokenIssuer } from './auth/token-issuer.ts';
import { writeRefusal } from './dialect.ts';
import { platformTime, type PlatformContext } from './platform-context.ts';
import { createFaultInjection, silence } from './faults/fault-injection.ts';
import { LatestEffects } from './faults/read-faults.ts';
import { QueryResponder } from './graphql/query-responder.ts';
import { createPlatformServer, defaultHttpLimits, type HttpLimits } from './http/server.ts';
import { createLifecycle } from './server-lifecycle.ts';
import { changeOperator } from './read-operator.ts';
import type { OperatorConfig } from './operator.ts';
import { createPayloadRules } from './payload-rules.ts';
import { logEntryOf, type RequestLogEntry } from './request-log.ts';
import { respond, type Responder } from './respond.ts';
import { openStore } from './store/open-store.ts';
import { createTransactionBatcher } from './transaction-batcher.ts';

export interface PlatformOptions {
  /** Where the platform keeps its state, or `:memory:`. */
  readonly stateFile: string;
  readonly operator: OperatorConfig;
  /** The tenancy's contract: what it takes and offers. Absent: the interface document. */
  readonly contract?: TenancyContract | undefined;
  /** Whether it also offers what only published contracts have, such as scheduled import (v2). */
  readonly isExtended?: boolean;
  /** The steps that a profile adds: served where the contract has their paths. */
  readonly added?: readonly AddedStep[] | undefined;
  readonly clock: Clock;
  /** Seed of the faults, if the operator sets none. */
  readonly random: Random;
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  readonly log: (entry: RequestLogEntry) => void;
  /** Opens the operator's own endpoints under /operator/; on a loopback host only. */
  readonly control?: boolean;
  readonly limits?: Partial<HttpLimits>;
}

export interface RunningPlatform {
  /** Base address without a trailing slash: `http://127.0.0.1:4321`. */
  readonly url: string;
  /** API key for the token mutation; kept in the state, the same after a restart. */
  readonly apiKey: string;
  /** Id kept in the state; every answer carries it as `x-platform-id`. */
  readonly platformId: string;
  /** Stops taking connections, ends the open ones and closes the state. */
  close(): Promise<void>;
}

/**
 * Starts the embedded platform: an implementation of the whole interface with its state in SQLite. Rejects with
 * DatabaseRefused if the state file cannot be used, or with the socket's error if it cannot listen.
 */
export async function startPlatform(options: PlatformOptions): Promise<RunningPlatform> {
  const { clock, host } = options;
  if (options.control === true && !isLoopback(host))
    throw new Error(
      `The operator's endpoints can be opened on a loopback address only, and ${host} is not one.`,
    );
  let operator = options.operator;
  const store = openStore(options.stateFile);
  const time = { clock, operator: () => operator };
  const context: PlatformContext = {
    ...time,
    store,
    rules: createPayloadRules(time.operator, () => platformTime(time), options.contract),
    imports: new Set([
      ...(options.contract?.imports ?? (['v1'] as const)),
      ...(options.isExtended === true ? (['v2'] as const) : []),
    ]),
    registers: options.isExtended === true || options.contract?.registers === true,
    offers: (step) => options.contract?.offers(step) ?? true,
    answers: options.contract && contractAnswers(options.contract.documents),
    document: options.contract?.document,
    change: (patch) => {
      const reading = changeOperator(operator, patch);
      if (!reading.ok) return reading.problems;
      operator = reading.operator;
      return [];
    },
    inProgress: new Map(),
    vendorFailures: new Set(),
    closing: () => lifecycle.closing(),
    restart: (downMs) => lifecycle.restart(downMs),
    refuseConnections: (forMs) => lifecycle.refuseConnections(forMs),
  };
  const tokenIssuer = createTokenIssuer({
    secret: store.tokenSecret,
    apiKey: store.apiKey,
    operator: () => operator,
    takesAnyForm: options.isExtended === true || options.contract !== undefined,
    now: () => platformTime(context),
  });
  const responder: Responder = {
    context,
    queries: new QueryResponder({ ...time, store, tokenIssuer, now: () => platformTime(context) }),
    effects: new LatestEffects(() => clock.now()),
    turn: createTransactionBatcher(store.db),
    injectFault: createFaultInjection(context, options.random),
  };
  const added = new AddedPlaces(options.added ?? [], options.contract);
  const makeServer = () =>
    createPlatformServer({
      limits: { ...defaultHttpLimits, ...options.limits },
      platformId: store.platformId,
      prove: (challenge) =>
        [store.apiKey, ...context.operator().apiKeys]
          .map((key) => proofOf(key, store.platformId, challenge))
          .join(),
      write: (refused) => writeRefusal(refused, operator.dialect),
      admits: (door, authorization) => {
        if (door === 'open') return true;
        if (door === 'token') return tokenIssuer.admits(authorization);
        return options.control === true ? tokenIssuer.isOperator(authorization) : undefined;
      },
      findAdded: (path) => added.find(path),
      respond: (place, method, bytes, authorization) =>
        respond(place, method, bytes, responder, authorization).catch((error: unknown) => {
          // If a wait ends because the platform becomes unavailable, the request is not at fault.
          if (lifecycle.closing().aborted) return silence('reset');
          throw error;
        }),
      now: () => clock.now(),
      pause: (ms) =>
        clock.sleep(ms, lifecycle.closing()).then(
          () => true,
          () => false,
        ),
      answered: (heard) => options.log(logEntryOf(heard, clock.now())),
    });
  const lifecycle = createLifecycle(makeServer, host, options.port, clock, () => {
    context.inProgress.clear();
    context.vendorFailures.clear();
  });

  try {
    const port = await lifecycle.begin();
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      apiKey: store.apiKey,
      platformId: store.platformId,
      close: async () => {
        await lifecycle.end();
        store.db.close();
      },
    };
  } catch (error) {
    store.db.close();
    throw error;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
