import { parseDecimal, zero, type Decimal } from '../domain/decimal.ts';
import { isJsonObject, numberText, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { MinorUnits } from '../contract/money.ts';
import type { StepState } from '../domain/step-state.ts';
import type { ExtraStepName, StepName } from '../domain/steps.ts';

/** Where a value of an account's payloads is, as `AccountPlan.locate` takes it. */
export interface Origin {
  readonly step: StepName;
  readonly path: string;
  /** One of the step's payloads, from zero. */
  readonly request: number;
}

/** Something that the platform should hold. A value that is undefined is not known, and null is none. */
export interface Expected<Value extends string> {
  readonly values: Readonly<Partial<Record<Value, Expectation>>>;
  /** Whether it must be there; what a step that is not done has sent may be there. */
  readonly isCertain: boolean;
  readonly origin: Origin;
  /** The step may have moved its date, and its answer said that it moved some. */
  readonly mayHaveMoved?: boolean;
}

/** A text, an exact amount, or nothing. */
export type Expectation = string | Decimal | boolean | null;

export interface ExpectedLedger {
  readonly code: string;
  readonly balance: Decimal | undefined;
  readonly origin: Origin;
}

/** What the platform should hold of an account, by what was sent. Amounts add to the balance. */
export interface ExpectedAccount {
  /** Without what was added after the account was created. undefined if that is not known. */
  readonly balance: Decimal | undefined;
  readonly balanceOrigin: Origin;
  readonly ledgers: readonly ExpectedLedger[];
  readonly transactions: readonly Expected<'date' | 'amount' | 'type' | 'document'>[];
  readonly notes: readonly Expected<'body' | 'created' | 'pinned'>[];
  readonly bills: readonly Expected<'identifier' | 'from' | 'to' | 'issued' | 'amount'>[];
  /** undefined if the tenancy's payload does not show what they are. */
  readonly agreements: readonly Expected<'product' | 'from' | 'to' | 'meterPoint'>[] | undefined;
  readonly paymentInstructions: readonly Expected<'type' | 'vendor' | 'reference'>[];
  readonly metadata: readonly Expected<'key' | 'value'>[];
}

/** What was sent of an account, and how far it came. */
export interface SentAccount {
  readonly payload: JsonObject;
  readonly extras: Readonly<Record<ExtraStepName, readonly JsonObject[]>>;
  readonly minorUnits?: MinorUnits | undefined;
  readonly steps: Readonly<Record<StepName, StepState>>;
  /** Whether the platform said that it moved dates of transactions. */
  readonly datesMoved: boolean;
  /** Whether what has this place is known to be there, though its step is not done as a whole. */
  readonly isThere?: ((origin: Origin) => boolean) | undefined;
}

/** What the platform should hold of an account. `decimals`: places of the currency's minor unit. */
export function expectedAccount(sent: SentAccount, decimals: number): ExpectedAccount {
  return new Expectations(sent, decimals).account();
}

class Expectations {
  readonly #sent: SentAccount;
  readonly #decimals: number;

  constructor(sent: SentAccount, decimals: number) {
    this.#sent = sent;
    this.#decimals = decimals;
  }

  account(): ExpectedAccount {
    const { payload } = this.#sent;
    const ledgers = objects(payload['ledgers']).map((ledger, at) => ({
      code: textOf(ledger['ledger_code']) ?? '',
      balance: this.#amount('process.ledger_balance', ledger['ledger_balance']),
      origin: { step: 'process' as const, path: `ledgers.${at}.ledger_balance`, request: 0 },
    }));
    const transfer = this.#amount('process.transfer_balance', payload['transfer_balance']);
    const isSummable = ledgers.length > 0 && ledgers.every(({ balance }) => balance !== undefined);
    const sum = ledgers.reduce<Decimal | undefined>(
      (total, { balance }) => (balance === undefined ? total : (total?.plus(balance) ?? balance)),
      undefined,
    );
    return {
      balance: transfer ?? (isSummable ? sum : undefined),
      balanceOrigin: { step: 'process', path: 'transfer_balance', request: 0 },
      ledgers,
      transactions: [...this.#transactions()],
      notes: [...this.#notes()],
      bills: [...this.#bills()],
      agreements: this.#agreements(),
      paymentInstructions: this.#sent.extras['payment-instruction'].map((payload, request) =>
        this.#one('payment-instruction', request, '', {
          type: textOf(payload['type']),
          vendor: textOf(payload['vendor']),
          reference: textOf(payload['reference']),
        }),
      ),
      metadata: objects(payload['metadata']).map(({ key, value }, at) =>
        this.#one('process', 0, `metadata.${at}.value`, {
          key: textOf(key),
          value: value === undefined ? null : sortedJson(value),
        }),
      ),
    };
  }

  *#transactions(): Generator<Expected<'date' | 'amount' | 'type' | 'document'>> {
    const { payload, extras, datesMoved } = this.#sent;
    for (const [at, ledger] of objects(payload['ledgers']).entries())
      for (const name of ['historical_statement_transactions', 'current_statement_transactions'])
        for (const [index, transaction] of objects(ledger[name]).entries())
          yield this.#transaction('process', 0, `ledgers.${at}.${name}.${index}`, transaction, undefined);
    for (const [request, part] of extras.transactions.entries())
      for (const [index, transaction] of objects(part['transactions']).entries())
        yield {
          ...this.#transaction('transactions', request, `transactions.${index}`, transaction, undefined),
          mayHaveMoved: datesMoved,
        };
    for (const [request, part] of extras['billing-documents'].entries()) {
      for (const [at, document] of objects(part['historical_billing_documents']).entries())
        for (const [index, transaction] of objects(document['transactions']).entries()) {
          const path = `historical_billing_documents.${at}.transactions.${index}`;
          const identifier = textOf(document['billing_document_identifier']) ?? undefined;
          yield this.#transaction('billing-documents', request, path, transaction, identifier);
        }
      for (const [index, transaction] of objects(part['additional_historical_transactions']).entries()) {
        const path = `additional_historical_transactions.${index}`;
        yield this.#transaction('billing-documents', request, path, transaction, undefined);
      }
    }
  }

  #transaction(
    step: StepName,
    request: number,
    path: string,
    { transaction_date: date, amount, type }: JsonObject,
    document: string | undefined,
  ): Expected<'date' | 'amount' | 'type' | 'document'> {
    const name = textOf(type);
    const exact = this.#amount(`${step}.amount`, amount);
    return this.#one(step, request, `${path}.amount`, {
      date: textOf(date),
      amount: exact?.times(adds.has(name ?? '') ? 1 : -1),
      type: name === null ? undefined : kindOf(name),
      document,
    });
  }

  *#notes(): Generator<Expected<'body' | 'created' | 'pinned'>> {
    for (const [request, part] of this.#sent.extras.notes.entries())
      for (const [index, note] of objects(part['notes']).entries())
        yield this.#one('notes', request, `notes.${index}.body`, {
          body: textOf(note['body']),
          // The platform gives others its own time.
          created: textOf(note['created_at']) ?? undefined,
          // The platform unpins it when its time comes.
          pinned: note['unpin_at'] === undefined ? note['is_pinned'] === true : undefined,
        });
  }

  *#bills(): Generator<Expected<'identifier' | 'from' | 'to' | 'issued' | 'amount'>> {
    for (const [request, part] of this.#sent.extras.statements.entries())
      for (const [index, statement] of objects(part['statements']).entries())
        yield this.#one('statements', request, `statements.${index}.statement_id`, {
          identifier: textOf(statement['statement_id']),
          from: textOf(statement['bill_period_from_date']),
          to: textOf(statement['bill_period_to_date']),
          issued: textOf(statement['issued_date']) ?? undefined,
          amount: this.#amount('statements.gross_amount', statement['gross_amount']),
        });
    for (const [request, part] of this.#sent.extras['billing-documents'].entries())
      for (const [index, document] of objects(part['historical_billing_documents']).entries())
        yield this.#one(
          'billing-documents',
          request,
          `historical_billing_documents.${index}.billing_document_identifier`,
          {
            identifier: textOf(document['billing_document_identifier']),
            from: textOf(document['bill_period_from_date']) ?? undefined,
            to: textOf(document['bill_period_to_date']) ?? undefined,
            issued: textOf(document['issued_date']),
          },
        );
  }

  #agreements(): Expected<'product' | 'from' | 'to' | 'meterPoint'>[] | undefined {
    const found: Expected<'product' | 'from' | 'to' | 'meterPoint'>[] = [];
    const { payload, extras } = this.#sent;
    for (const [at, address] of objects(payload['supply_addresses']).entries())
      for (const [point, supplyPoint] of objects(address['supply_points']).entries())
        for (const [index, agreement] of objects(supplyPoint['agreements']).entries()) {
          const path = `supply_addresses.${at}.supply_points.${point}.agreements.${index}.tariff_code`;
          found.push(this.#agreement('process', 0, path, agreement, supplyPoint['identifier']));
        }
    for (const [request, part] of extras.agreements.entries()) {
      const named = [...objects([part['agreement'] ?? null]), ...objects(part['agreements'])];
      for (const [index, agreement] of (named.length === 0 ? [part] : named).entries()) {
        const base = part['agreement'] === undefined ? `agreements.${index}` : 'agreement';
        if (textOf(agreement['tariff_code']) === null) return undefined;
        const path = named.length === 0 ? 'tariff_code' : `${base}.tariff_code`;
        found.push(this.#agreement('agreements', request, path, agreement, part['supply_point_identifier']));
      }
    }
    return found;
  }

  #agreement(
    step: StepName,
    request: number,
    path: string,
    agreement: JsonObject,
    point: JsonValue | undefined,
  ): Expected<'product' | 'from' | 'to' | 'meterPoint'> {
    return this.#one(step, request, path, {
      product: textOf(agreement['tariff_code']),
      from: textOf(agreement['effective_from']),
      // The platform ends an agreement when the next one begins.
      to: textOf(agreement['effective_to']) ?? undefined,
      meterPoint: textOf(point) ?? undefined,
    });
  }

  #one<Value extends string>(
    step: StepName,
    request: number,
    path: string,
    values: Record<Value, Expectation | undefined> | Partial<Record<Value, Expectation | undefined>>,
  ): Expected<Value> {
    const known = Object.entries(values).filter(([, value]) => value !== undefined);
    const origin = { step, path, request };
    return {
      values: Object.fromEntries(known) as Partial<Record<Value, Expectation>>,
      isCertain: this.#sent.steps[step] === 'done' || this.#sent.isThere?.(origin) === true,
      origin,
    };
  }

  /** An amount to the minor unit. */
  #amount(field: string, value: JsonValue | undefined): Decimal | undefined {
    const amount = parseDecimal(numberText(value) ?? '');
    if (amount === undefined) return undefined;
    if (this.#sent.minorUnits?.has(field) !== true) return amount.round(this.#decimals, 2);
    const unit = parseDecimal(this.#decimals === 0 ? '1' : `0.${'0'.repeat(this.#decimals - 1)}1`);
    return unit === undefined ? undefined : amount.times(unit);
  }
}

const adds: ReadonlySet<string> = new Set(['PAYMENT', 'CREDIT']);

/** What published schemas call the types of the interface. */
const kinds: Readonly<Record<string, string>> = {
  CHARGE: 'charge',
  SUPPLY_CHARGE: 'charge',
  CREDIT: 'credit',
  PAYMENT: 'payment',
  REPAYMENT: 'refund',
};

/** The kind of a transaction by its type, on either side. */
export function kindOf(type: string): string {
  return kinds[type] ?? type.toLowerCase();
}

function objects(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** JSON with sorted keys. */
export function sortedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${sortedJson(inner)}`).join(',')}}`;
}

/** The sum of the transactions that were added after the account was created. */
export function addedOf(items: ExpectedAccount['transactions']): Decimal | undefined {
  let sum: Decimal | undefined = zero;
  for (const { origin, values } of items) {
    if (origin.step !== 'transactions') continue;
    const { amount } = values;
    if (typeof amount !== 'object' || amount === null) return undefined;
    sum = sum.plus(amount);
  }
  return sum;
}
