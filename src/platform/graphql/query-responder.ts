import type { AccountKey } from '../../domain/account-key.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import type { ReadFault } from '../faults/read-faults.ts';
import type { OperatorConfig } from '../operator.ts';
import type { TokenIssuer } from '../auth/token-issuer.ts';
import { accountNumber } from '../store/accounts.ts';
import type { Store } from '../store/open-store.ts';
import { ReadableAccount } from './account-view.ts';
import { answerQuery, askedAccount, type GraphqlQuery } from './answer-query.ts';
import { platformError } from './graphql-error.ts';
import { PointsAllowance } from './points.ts';

interface Surroundings {
  readonly store: Store;
  readonly operator: () => OperatorConfig;
  readonly tokenIssuer: TokenIssuer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Answers queries, and the token mutation. */
export class QueryResponder {
  readonly #store: Store;
  readonly #operator: () => OperatorConfig;
  readonly #tokenIssuer: TokenIssuer;
  readonly #points: PointsAllowance;

  constructor({ store, operator, tokenIssuer, now }: Surroundings) {
    this.#store = store;
    this.#operator = operator;
    this.#tokenIssuer = tokenIssuer;
    this.#points = new PointsAllowance(now);
  }

  /** The account that a query is about; without names if it is about none. */
  keyOf(query: GraphqlQuery): AccountKey {
    const position = positionOf(askedAccount(query));
    const held = position === undefined ? undefined : this.#store.findHeld(position);
    return { supplier: held?.supplier ?? '', account: held?.external ?? '' };
  }

  /** `hides`: whether a step's effects on an account are not visible yet; with 'process', the account itself. */
  async answer(
    query: GraphqlQuery,
    authorization: string | undefined,
    fault: ReadFault | undefined,
    hides: (key: AccountKey, step: ExtraStepName | 'process') => boolean,
  ): Promise<JsonObject> {
    const sender = this.#tokenIssuer.bearer(authorization);
    const { graphql: limits } = this.#operator();
    const own = limits.keys[sender?.key ?? ''] ?? {};
    const forbidden = new Set([...limits.forbidden, ...(own.forbidden ?? [])]);
    if (fault?.kind === 'read_forbidden') for (const field of fault.fields) forbidden.add(field);
    const missing = new Set(fault?.kind === 'read_partial' ? fault.fields : []);
    const disabled = new Set(limits.disabled);
    const perHour = own.pointsPerHour ?? limits.pointsPerHour;
    const name = sender?.key ?? '';
    return answerQuery(query, {
      limits,
      spend: (points) =>
        sender === undefined || perHour === undefined || this.#points.take(name, points, perHour),
      guard: (type, field) => {
        const path = `${type}.${field}`;
        if (disabled.has(path)) throw platformError('KT-CT-1113');
        if (forbidden.has(path)) throw platformError('KT-CT-4177');
        if (missing.has(path)) throw platformError('KT-CT-7899');
      },
      root: {
        obtainKrakenToken: ({ input }: { input: JsonObject }) => {
          const token = this.#tokenIssuer.obtain(input);
          if (token === undefined) throw platformError('KT-CT-1139');
          return token;
        },
        account: ({ accountNumber: asked }: { accountNumber: string }) => {
          if (sender === undefined) throw platformError('KT-CT-1112');
          return this.#view(asked, fault, hides);
        },
        rateLimitInfo: (): JsonValue => {
          if (sender === undefined) throw platformError('KT-CT-1112');
          if (perHour === undefined) return { pointsAllowanceRateLimit: null };
          const { points, seconds } = this.#points.left(name, perHour);
          return {
            pointsAllowanceRateLimit: {
              limit: perHour,
              remainingPoints: points,
              ttl: seconds,
              isBlocked: points <= 0,
            },
          };
        },
      },
    });
  }

  #view(
    asked: string,
    fault: ReadFault | undefined,
    hides: (key: AccountKey, step: ExtraStepName | 'process') => boolean,
  ): ReadableAccount | null {
    const own = positionOf(asked);
    if (own === undefined) return null;
    const position = fault?.kind === 'read_wrong_account' ? (this.#store.findAnother(own) ?? own) : own;
    const held = this.#store.findHeld(position);
    if (held === undefined) return null;
    const key = { supplier: held.supplier, account: held.external };
    if (hides(key, 'process')) return null;
    return new ReadableAccount(this.#store, position, held, (step) => hides(key, step));
  }
}

function positionOf(number: string | undefined): number | undefined {
  const position = Number(/^A-(\d{8,15})$/.exec(number ?? '')?.[1] ?? NaN);
  return accountNumber(position) === number ? position : undefined;
}
