import type { Answer, PostEndpoint } from '../../../src/client/platform-client.ts';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import type { TransactionsQuery } from '../../../src/contract/schemas/transactions.ts';
import type { ExtraStepName } from '../../../src/domain/steps.ts';
import { dryRunSuccess, ok, refused } from '../rig.ts';

export type AnyAnswer = Answer<JsonValue | undefined>;

/** What the interface leaves open, and this platform decides. */
export interface Ways {
  /** Of a refused request for transactions, those before the first failing one stay added. */
  readonly keepsEarlierTransactions: boolean;
  /** A statement's id that the account has is refused. */
  readonly refusesKnownStatements: boolean;
  /** A historical agreements request that the account has had already has no second effect. */
  readonly recognisesAgreements: boolean;
  /** A payment instruction that the account has already is refused; else it is accepted again, as one. */
  readonly refusesKnownInstruction: boolean;
}

/** What the platform holds for one account. */
export interface Held {
  staged?: JsonObject;
  number?: string;
  /** The payload that the account was created from, as JSON. */
  createdFrom?: string;
  /** Every effect that any request had, as JSON. */
  readonly effects: Record<ExtraStepName, string[]>;
}

/** A word in a text that this platform refuses. */
export const unwanted = 'UNWANTED';

/**
 * A platform that does what the interface promises and nothing kinder: what it does not say that it recognises, it
 * does again. Every effect is kept, so that a second one shows.
 */
export class ModelPlatform {
  readonly accounts = new Map<string, Held>();
  readonly ways: Ways;
  #numbers = 0;

  constructor(ways: Ways) {
    this.ways = ways;
  }

  /** An account that is not of our making. */
  addForeign(account: string): void {
    this.#held(account).number = `F-${account}`;
  }

  post(endpoint: PostEndpoint, body: JsonObject, query: TransactionsQuery | undefined): AnyAnswer {
    const account = textAt(body, 'external_account_number');
    const held = this.#held(account);
    if (endpoint === 'validate') return refusalOf(body, '') ?? ok(body, 200);
    if (endpoint === 'stage') {
      if (held.number !== undefined) return alreadyImported(held.number);
      const refusal = refusalOf(body, '');
      if (refusal !== undefined) return refusal;
      held.staged = body;
      return ok({});
    }
    if (endpoint === 'process') return this.#process(held, body);
    if (held.number === undefined) return refused('account_not_found');
    return this.#extra[endpoint](held, body, query);
  }

  transferStatus(account: string): AnyAnswer {
    const held = this.accounts.get(account);
    if (held?.number !== undefined) return ok({ status: 'COMPLETED', krakenAccountNumber: held.number }, 200);
    if (held?.staged !== undefined) return ok({ status: 'UNKNOWN' }, 200);
    return {
      kind: 'not-found',
      status: 404,
      refusal: { problems: [], code: '', detail: '', wouldImport: false },
    };
  }

  #held(account: string): Held {
    const known = this.accounts.get(account);
    if (known !== undefined) return known;
    const effects = {
      notes: [],
      transactions: [],
      agreements: [],
      'billing-documents': [],
      statements: [],
      'payment-instruction': [],
    };
    const held: Held = { effects };
    this.accounts.set(account, held);
    return held;
  }

  #process(held: Held, body: JsonObject): AnyAnswer {
    if (held.number !== undefined) return alreadyImported(held.number);
    if (held.staged === undefined) return refused('import_process_does_not_exist');
    if (body['dry_run'] === true) return dryRunSuccess;
    this.#numbers += 1;
    held.number = `A-${this.#numbers}`;
    held.createdFrom = stringifyJson(held.staged);
    return ok({ kraken_account_number: held.number });
  }

  readonly #extra: Record<
    Exclude<PostEndpoint, 'validate' | 'stage' | 'process'>,
    (held: Held, body: JsonObject, query: TransactionsQuery | undefined) => AnyAnswer
  > = {
    notes: ({ effects }, body) => {
      const refusal = refusalOf(body, 'notes');
      if (refusal !== undefined) return refusal;
      const statuses = listAt(body, 'notes').map((note) => {
        const text = stringifyJson(note);
        const isKnown = note['body'] !== undefined && effects.notes.includes(text);
        if (!isKnown) effects.notes.push(text);
        return { ...note, status: isKnown ? 'NOTE_ALREADY_EXISTS' : 'NOTE_CREATION_SUCCESS' };
      });
      return ok(statuses);
    },
    transactions: ({ effects }, body, query) => {
      const before = [...effects.transactions];
      const results: JsonObject[] = [];
      for (const transaction of listAt(body, 'transactions')) {
        const known = effects.transactions
          .map((text) => JSON.parse(text) as JsonObject)
          .find((other) => other['transaction_id'] === transaction['transaction_id']);
        if (query?.checkPreviouslyAdded === true && known !== undefined) {
          results.push({ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: known });
        } else if (isUnwanted(transaction)) {
          if (!this.ways.keepsEarlierTransactions) effects.transactions.splice(0, Infinity, ...before);
          return refused('TRANSACTION_IMPORT_ERROR', 'transactions');
        } else {
          effects.transactions.push(stringifyJson(transaction));
          results.push({ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: transaction });
        }
      }
      return ok({ results });
    },
    agreements: ({ effects }, body) => {
      const text = stringifyJson(body);
      if (!this.ways.recognisesAgreements || !effects.agreements.includes(text))
        effects.agreements.push(text);
      return ok();
    },
    billingDocuments: ({ effects }, body) => {
      const isFinalized = effects['billing-documents'].some((text) => {
        const other = JSON.parse(text) as JsonObject;
        return (
          other['ledger_code'] === body['ledger_code'] &&
          listAt(other, 'historical_billing_documents').length > 0
        );
      });
      if (isFinalized) return refused('ledger_has_finalized_billing_document', 'ledger_code');
      effects['billing-documents'].push(stringifyJson(body));
      return ok();
    },
    statements: ({ effects }, body) => {
      const refusal = refusalOf(body, 'statements');
      if (refusal !== undefined) return refusal;
      const statements = listAt(body, 'statements');
      const ids = new Set(
        effects.statements.map((text) => (JSON.parse(text) as JsonObject)['statement_id'] as string),
      );
      const known = statements.findIndex((statement) => ids.has(textAt(statement, 'statement_id')));
      if (this.ways.refusesKnownStatements && known >= 0)
        return refused('historical_statement_already_exists', `statements.${known}.statement_id`);
      effects.statements.push(...statements.map((statement) => stringifyJson(statement)));
      return ok();
    },
    paymentInstruction: ({ effects }, body) => {
      const refusal = refusalOf(body, '');
      if (refusal !== undefined) return refusal;
      const text = stringifyJson(body);
      const [known] = effects['payment-instruction'];
      if (known !== undefined && (known !== text || this.ways.refusesKnownInstruction))
        return refused('account_has_active_instruction');
      if (known === undefined) effects['payment-instruction'].push(text);
      return ok();
    },
  };
}

function alreadyImported(krakenAccountNumber: string): AnyAnswer {
  return refused('account_import_process_already_imported', '', { krakenAccountNumber });
}

/** The refusal of the first thing that this platform does not want. */
function refusalOf(body: JsonObject, list: string): AnyAnswer | undefined {
  if (list === '') return isUnwanted(body) ? refused('unwanted') : undefined;
  const at = listAt(body, list).findIndex(isUnwanted);
  return at < 0 ? undefined : refused('unwanted', `${list}.${at}`);
}

export function isUnwanted(value: JsonObject): boolean {
  return stringifyJson(value).includes(unwanted);
}

export function listAt(body: JsonObject, key: string): JsonObject[] {
  const list = body[key];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function textAt(body: JsonObject, key: string): string {
  const value = body[key];
  return typeof value === 'string' ? value : '';
}
