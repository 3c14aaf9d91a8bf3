import type { PostEndpoint } from '../../../src/client/platform-client.ts';
import { utcDatetime } from '../../../src/domain/clock.ts';
import { isJsonObject, stringifyJson, type JsonObject } from '../../../src/domain/json.ts';
import type { TransactionsQuery } from '../../../src/contract/schemas/transactions.ts';
import type { ExtraStepName } from '../../../src/domain/steps.ts';
import type { Dialect } from '../../../src/platform/dialect.ts';
import { empty, json, refusal, type HttpReply, type Refused } from './http.ts';

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
  /** How it words a refusal. */
  readonly dialect: Dialect;
}

/** What the platform holds for one account. */
export interface Held {
  staged?: JsonObject;
  number?: string;
  /** ISO 8601, in whole seconds. */
  createdAt?: string;
  /** The payload that the account was created from, as JSON. */
  createdFrom?: string;
  /** Every effect that any request had, as JSON. */
  readonly effects: Record<ExtraStepName, string[]>;
}

type Imported = Held & { readonly number: string };

/** A word in a text that this platform refuses. */
export const unwanted = 'UNWANTED';

/** How the numbers of accounts begin that are not of our making. */
const foreign = 'F-';

export function isForeignNumber(number: string): boolean {
  return number.startsWith(foreign);
}

/**
 * A platform that does what the interface promises and nothing kinder: what it does not say that it recognises, it
 * does again. Every effect is kept, so that a second one shows.
 */
export class ModelPlatform {
  readonly accounts = new Map<string, Held>();
  readonly ways: Ways;
  readonly #now: () => number;
  readonly #passed: () => number;
  /** What it held of an account after each request, with the time that had passed then, in ms. */
  readonly #past: { readonly at: number; readonly account: string; readonly held: Held }[] = [];
  #numbers = 0;

  /** `now`: what its clock shows, in ms since the epoch; `passed`: the time that has passed, in ms. */
  constructor(ways: Ways, now: () => number, passed = now) {
    this.ways = ways;
    this.#now = now;
    this.#passed = passed;
  }

  /** What it held of the account with this number at a moment; undefined if there was none. */
  heldAt(number: string, at: number): Held | undefined {
    return this.#past.findLast((one) => one.at <= at && one.held.number === number)?.held;
  }

  /** An account that is not of our making. */
  addForeign(account: string): void {
    const held = this.#held(account);
    held.number = `${foreign}${account}`;
    held.createdAt = '2020-01-01T00:00:00Z';
  }

  isForeign(account: string): boolean {
    return isForeignNumber(this.accounts.get(account)?.number ?? '');
  }

  post(endpoint: PostEndpoint, body: JsonObject, query: TransactionsQuery | undefined): HttpReply {
    const account = textAt(body, 'external_account_number');
    const held = this.#held(account);
    if (endpoint === 'validate') return this.#refusalOf(body, '') ?? json(200, body);
    if (endpoint === 'stage') {
      if (held.number !== undefined) return this.#alreadyImported(account, held.number);
      const refused = this.#refusalOf(body, '');
      if (refused !== undefined) return refused;
      const status = held.staged === undefined ? 201 : 200;
      held.staged = body;
      const { import_supplier = '', external_account_number = '' } = body;
      return json(status, { import_supplier, external_account_number });
    }
    if (endpoint === 'process') return this.#process(account, held, body);
    if (endpoint === 'scheduleValidate' || endpoint === 'schedule') return json(404, {});
    if (held.number === undefined) return this.#refused({ status: 404, code: 'account_not_found' });
    const reply = this.#extra[endpoint]({ ...held, number: held.number }, body, query);
    this.#note(account, held);
    return reply;
  }

  #note(account: string, held: Held): void {
    const effects = Object.fromEntries(
      Object.entries(held.effects).map(([step, texts]) => [step, [...texts]]),
    ) as Held['effects'];
    this.#past.push({ at: this.#passed(), account, held: { ...held, effects } });
  }

  transferStatus(account: string): HttpReply {
    const held = this.accounts.get(account);
    if (held?.number !== undefined)
      return json(200, { status: 'COMPLETED', kraken_account_number: held.number });
    if (held?.staged !== undefined) return json(200, { status: 'UNKNOWN', kraken_account_number: '' });
    return json(404, { detail: 'No.', code: 'import_process_does_not_exist' });
  }

  /** Accounts by their state, as endpoints 5 to 7 list them. */
  list(which: 'all' | 'pending' | 'imported'): HttpReply {
    const records = [...this.accounts]
      .filter(([, { staged, number }]) => staged !== undefined || number !== undefined)
      .filter(([, { number }]) => which === 'all' || (which === 'imported') === (number !== undefined))
      .map(([account, { number, createdAt }]) => ({
        external_account_number: account,
        kraken_account_number: number ?? null,
        account_created_at: createdAt ?? null,
      }));
    return json(200, records);
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

  #process(account: string, held: Held, body: JsonObject): HttpReply {
    if (held.number !== undefined) return this.#alreadyImported(account, held.number);
    if (held.staged === undefined) return this.#refused({ code: 'import_process_does_not_exist' });
    if (body['dry_run'] === true)
      return json(400, { detail: 'Account would successfully import. Rolled back due to Dry Run.' });
    this.#numbers += 1;
    held.number = `A-${this.#numbers}`;
    held.createdAt = utcDatetime(this.#now());
    held.createdFrom = stringifyJson(held.staged);
    this.#note(account, held);
    return json(201, { kraken_account_number: held.number });
  }

  #refused(refused: Refused): HttpReply {
    return refusal(refused, this.ways.dialect);
  }

  #alreadyImported(account: string, number: string): HttpReply {
    const more = { external_account_number: account, kraken_account_number: number };
    return this.#refused({ code: 'account_import_process_already_imported', more });
  }

  /** The refusal of the first thing that this platform does not want. */
  #refusalOf(body: JsonObject, list: string): HttpReply | undefined {
    if (list === '') return isUnwanted(body) ? this.#refused({ code: 'unwanted' }) : undefined;
    const at = listAt(body, list).findIndex(isUnwanted);
    return at < 0 ? undefined : this.#refused({ code: 'unwanted', path: `${list}.${at}` });
  }

  readonly #extra: Record<
    Exclude<PostEndpoint, 'validate' | 'stage' | 'process' | 'scheduleValidate' | 'schedule'>,
    (held: Imported, body: JsonObject, query: TransactionsQuery | undefined) => HttpReply
  > = {
    notes: ({ effects }, body) => {
      const refused = this.#refusalOf(body, 'notes');
      if (refused !== undefined) return refused;
      const statuses = listAt(body, 'notes').map((note) => {
        const text = stringifyJson(note);
        const isKnown = note['body'] !== undefined && effects.notes.includes(text);
        if (!isKnown) effects.notes.push(text);
        return { ...note, status: isKnown ? 'NOTE_ALREADY_EXISTS' : 'NOTE_CREATION_SUCCESS' };
      });
      return json(201, statuses);
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
          const failed = {
            status: 'TRANSACTION_IMPORT_ERROR',
            error_detail: 'No.',
            transaction_data: transaction,
          };
          return json(400, failed);
        } else {
          effects.transactions.push(stringifyJson(transaction));
          results.push({ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: transaction });
        }
      }
      return json(201, { results });
    },
    agreements: ({ effects }, body) => {
      const text = stringifyJson(body);
      if (!this.ways.recognisesAgreements || !effects.agreements.includes(text))
        effects.agreements.push(text);
      return empty(201);
    },
    billingDocuments: ({ effects }, body) => {
      const isFinalized = effects['billing-documents'].some((text) => {
        const other = JSON.parse(text) as JsonObject;
        return (
          other['ledger_code'] === body['ledger_code'] &&
          listAt(other, 'historical_billing_documents').length > 0
        );
      });
      if (isFinalized)
        return this.#refused({ code: 'ledger_has_finalized_billing_document', path: 'ledger_code' });
      effects['billing-documents'].push(stringifyJson(body));
      return empty(201);
    },
    statements: ({ effects }, body) => {
      const refused = this.#refusalOf(body, 'statements');
      if (refused !== undefined) return refused;
      const statements = listAt(body, 'statements');
      const ids = new Set(
        effects.statements.map((text) => (JSON.parse(text) as JsonObject)['statement_id'] as string),
      );
      const known = statements.findIndex((statement) => ids.has(textAt(statement, 'statement_id')));
      if (this.ways.refusesKnownStatements && known >= 0)
        return this.#refused({
          code: 'historical_statement_already_exists',
          path: `statements.${known}.statement_id`,
        });
      effects.statements.push(...statements.map((statement) => stringifyJson(statement)));
      return json(201, body);
    },
    paymentInstruction: ({ effects, number }, body) => {
      const refused = this.#refusalOf(body, '');
      if (refused !== undefined) return refused;
      const text = stringifyJson(body);
      const [known] = effects['payment-instruction'];
      if (known !== undefined && (known !== text || this.ways.refusesKnownInstruction))
        return this.#refused({ code: 'account_has_active_instruction' });
      if (known === undefined) effects['payment-instruction'].push(text);
      return json(201, { kraken_account_number: number, reference: textAt(body, 'reference') });
    },
  };
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
