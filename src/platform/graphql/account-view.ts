import type { AccountPayload } from '../../contract/schemas/account.ts';
import { zero, type Decimal } from '../../domain/decimal.ts';
import {
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../domain/json.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import { accountNumber } from '../store/accounts.ts';
import type { HeldAccount, HeldTable } from '../store/held.ts';
import type { Store } from '../store/open-store.ts';
import { connectionOf, type PageArguments } from './connection.ts';
import { amountOf, minorUnits, signOf } from './minor-units.ts';

/** What is added to an account by each step, by the table that has it. */
const tables = {
  notes: 'note',
  transactions: 'posted_transaction',
  agreements: 'agreement',
  'billing-documents': 'billing_import',
  statements: 'statement',
  'payment-instruction': 'payment_instruction',
} as const satisfies Record<ExtraStepName, HeldTable>;

/** An account as it is read back: the values and lists of `AccountType`, each made when it is asked for. */
export class ReadableAccount {
  readonly #store: Store;
  readonly #position: number;
  readonly #held: HeldAccount;
  readonly #hides: (step: ExtraStepName) => boolean;
  #payload: AccountPayload | undefined;
  #posted: readonly Posted[] | undefined;

  /** `hides`: the steps whose effects are not visible yet. */
  constructor(store: Store, position: number, held: HeldAccount, hides: (step: ExtraStepName) => boolean) {
    this.#store = store;
    this.#position = position;
    this.#held = held;
    this.#hides = hides;
  }

  get number(): string {
    return accountNumber(this.#position);
  }

  readonly status = 'ACTIVE';

  get createdAt(): string {
    return this.#held.createdAt;
  }

  get balance(): JsonValue {
    const { transfer_balance: balance, ledgers = [] } = this.#account;
    const start =
      balance === undefined
        ? ledgers.reduce((sum, ledger) => sum.plus(amountOf(ledger.ledger_balance)), zero)
        : amountOf(balance);
    return minorUnits(start.plus(this.#added));
  }

  get overdueBalance(): JsonValue {
    return 0;
  }

  get accountType(): JsonValue {
    return this.#account.account_type ?? null;
  }

  get billingName(): JsonValue {
    const [customer] = this.#account.customers ?? [];
    const name = [customer?.title, customer?.given_name, customer?.family_name].filter(Boolean).join(' ');
    return name === '' ? null : name;
  }

  get billingEmail(): JsonValue {
    return this.#account.customers?.[0]?.email ?? null;
  }

  get billingAddressLine1(): JsonValue {
    return this.#account.billing_address?.street_address ?? null;
  }

  get billingAddressLine2(): JsonValue {
    return this.#account.billing_address?.locality ?? null;
  }

  get billingAddressLine3(): JsonValue {
    return this.#account.billing_address?.administrative_area ?? null;
  }

  get billingPostcode(): JsonValue {
    return this.#account.billing_address?.postal_code ?? null;
  }

  get metadata(): JsonValue {
    return (this.#account.metadata ?? []).map(({ key, value }) => ({
      key,
      value: stringifyJson(value),
    }));
  }

  /** What was added after the account was created counts for its first ledger. */
  get ledgers(): readonly object[] {
    return (this.#account.ledgers ?? []).map((ledger, index) => {
      const code = ledger.ledger_code;
      const added = index === 0 ? this.#added : zero;
      return {
        number: this.#ledgerNumber(index),
        name: code,
        ledgerType: code,
        balance: minorUnits(amountOf(ledger.ledger_balance).plus(added)),
        transactions: (page: PageArguments) =>
          connectionOf(
            this.#transactions.filter((posted) => posted.ledger === index),
            page,
          ),
      };
    });
  }

  get notes(): JsonValue {
    return this.#rows('notes').map((note, at) => ({
      id: `${this.#position}-${at + 1}`,
      body: note['body'] ?? null,
      isPinned: note['is_pinned'] ?? false,
      createdAt: note['created_at'] ?? null,
      unpinAt: note['unpin_at'] ?? null,
    }));
  }

  get agreements(): JsonValue {
    return this.#supplyPoints.flatMap(({ agreements }) => agreements);
  }

  get properties(): readonly object[] {
    const points = this.#supplyPoints;
    return (this.#account.supply_addresses ?? []).map(
      ({ supply_address: address, supply_points = [] }, at) => {
        const named = new Set(supply_points.map(({ identifier }) => identifier));
        return {
          id: `${this.#position}-${at + 1}`,
          address: [address.street_address, address.locality].filter(Boolean).join(', '),
          postcode: address.postal_code ?? null,
          supplyPoints: points.filter(({ identifier }) => named.has(identifier)),
        };
      },
    );
  }

  readonly transactions = (
    page: PageArguments & { fromDate?: string; toDate?: string; ledgerNumber?: string },
  ) => {
    const { fromDate = '', toDate = '9999', ledgerNumber } = page;
    const wanted = this.#transactions.filter(
      ({ postedDate, ledger }) =>
        postedDate >= fromDate &&
        postedDate <= toDate &&
        (ledgerNumber === undefined || this.#ledgerNumber(ledger) === ledgerNumber),
    );
    return connectionOf(wanted, page);
  };

  readonly bills = (
    page: PageArguments & { includeBillsWithoutPDF?: boolean; includeHistoricStatements?: boolean },
  ) => {
    const all = page.includeHistoricStatements === false ? [] : this.#bills;
    return connectionOf(
      all.filter(({ hasPdf }) => page.includeBillsWithoutPDF === true || hasPdf),
      page,
    );
  };

  readonly paymentMethods = (page: PageArguments) => connectionOf(this.#instructions, page);

  readonly directDebitInstructions = (page: PageArguments) =>
    connectionOf(
      this.#instructions.filter(({ instructionType }) => instructionType === 'DIRECT_DEBIT'),
      page,
    );

  get #account(): AccountPayload {
    // It passed the contract's check when it was staged.
    return (this.#payload ??= parseJson(this.#store.readPayload(this.#held.processId)) as AccountPayload);
  }

  #rows(step: ExtraStepName): JsonObject[] {
    if (this.#hides(step)) return [];
    const rows = this.#store
      .listHeld(tables[step], this.#position)
      .map((text) => parseJson(text) as JsonObject);
    return this.#store.isDoubled(this.#position, step) ? rows.flatMap((row) => [row, row]) : rows;
  }

  /** The signed sum of the transactions that were added after the account was created. */
  get #added(): Decimal {
    return this.#rows('transactions').reduce(
      (sum, { type, amount }) => sum.plus(amountOf(amount).times(signOf(type))),
      zero,
    );
  }

  #ledgerNumber(index: number): string {
    return `L-${String(this.#position).padStart(8, '0')}-${index + 1}`;
  }

  get #transactions(): readonly Posted[] {
    return (this.#posted ??= [...this.#ownTransactions(), ...this.#addedTransactions()].sort((a, b) =>
      a.postedDate < b.postedDate ? -1 : a.postedDate > b.postedDate ? 1 : 0,
    ));
  }

  *#ownTransactions(): Generator<Posted> {
    for (const [index, ledger] of (this.#account.ledgers ?? []).entries())
      for (const transaction of [
        ...(ledger.historical_statement_transactions ?? []),
        ...(ledger.current_statement_transactions ?? []),
      ])
        yield posted(transaction as JsonObject, this.createdAt, index);
  }

  *#addedTransactions(): Generator<Posted> {
    for (const row of this.#rows('transactions')) yield posted(row, this.createdAt, 0);
    for (const row of this.#rows('billing-documents')) {
      const index = Math.max(
        0,
        (this.#account.ledgers ?? []).findIndex(({ ledger_code: code }) => code === row['ledger_code']),
      );
      for (const document of objectsIn(row['historical_billing_documents']))
        for (const transaction of objectsIn(document['transactions']))
          yield posted(transaction, this.createdAt, index, document['billing_document_identifier']);
      for (const transaction of objectsIn(row['additional_historical_transactions']))
        yield posted(transaction, this.createdAt, index);
    }
  }

  get #bills(): readonly Bill[] {
    const bills: Bill[] = [];
    const add = (
      from: JsonValue | undefined,
      to: JsonValue | undefined,
      issued: JsonValue | undefined,
      hasPdf: boolean,
    ) =>
      bills.push({
        __typename: 'StatementType',
        id: `${this.#position}-${bills.length + 1}`,
        billType: 'STATEMENT',
        fromDate: from ?? null,
        toDate: to ?? null,
        issuedDate: issued ?? null,
        isExternalBill: true,
        openingBalance: null,
        closingBalance: null,
        hasPdf,
      });
    for (const row of this.#rows('statements'))
      add(
        row['bill_period_from_date'],
        row['bill_period_to_date'],
        row['issued_date'],
        row['statement_path'] !== undefined,
      );
    for (const row of this.#rows('billing-documents'))
      for (const document of objectsIn(row['historical_billing_documents']))
        add(
          document['bill_period_from_date'],
          document['bill_period_to_date'],
          document['issued_date'],
          false,
        );
    return bills;
  }

  get #supplyPoints(): { identifier: string; agreements: JsonObject[] }[] {
    const points = new Map<string, JsonObject[]>();
    const add = (identifier: JsonValue | undefined, agreement: JsonObject): void => {
      const name = typeof identifier === 'string' ? identifier : '';
      const list = points.get(name) ?? [];
      points.set(name, list);
      list.push({
        id: `${this.#position}-${points.size}-${list.length + 1}`,
        validFrom: instant(agreement['effective_from']),
        validTo: instant(agreement['effective_to']),
        product: typeof agreement['tariff_code'] === 'string' ? { code: agreement['tariff_code'] } : null,
        isRevoked: false,
      });
    };
    for (const { supply_points = [] } of this.#account.supply_addresses ?? [])
      for (const { identifier, agreements = [] } of supply_points)
        for (const agreement of agreements) add(identifier, agreement);
    for (const row of this.#rows('agreements')) {
      const found = [...objectsIn([row['agreement'] ?? null]), ...objectsIn(row['agreements'])];
      // The interface does not show this payload: without an agreement object, it is one itself.
      for (const agreement of found.length === 0 ? [row] : found)
        add(row['supply_point_identifier'], agreement);
    }
    return [...points].map(([identifier, agreements]) => ({ identifier, agreements }));
  }

  get #instructions(): JsonObject[] {
    return this.#rows('payment-instruction').map((row, at) => ({
      id: `${this.#position}-${at + 1}`,
      status: 'ACTIVE',
      instructionType: row['type'] ?? null,
      vendor: row['vendor'] ?? null,
      validFrom: this.createdAt,
    }));
  }
}

interface Posted {
  readonly postedDate: string;
  /** Position of its ledger. */
  readonly ledger: number;
}

interface Bill extends JsonObject {
  /** Those without are listed only if they are asked for. */
  hasPdf: boolean;
}

const typeNames: Readonly<Record<string, string>> = {
  CREDIT: 'Credit',
  PAYMENT: 'Payment',
  REPAYMENT: 'Refund',
};

function posted(
  transaction: JsonObject,
  createdAt: string,
  ledger: number,
  document: JsonValue = null,
): Posted {
  const { transaction_id: id, transaction_date: date, type, amount, reason = null } = transaction;
  const shown: JsonObject = {
    __typename: (typeof type === 'string' ? typeNames[type] : undefined) ?? 'Charge',
    // The old system's id is in no field.
    id: Buffer.from(`${ledger}/${typeof id === 'string' ? id : ''}`)
      .toString('base64url')
      .slice(-12),
    createdAt,
    amount: minorUnits(amountOf(amount)),
    title: transaction['display_note'] ?? transaction['payment_type'] ?? null,
    note: transaction['note'] ?? null,
    reasonCode: reason,
    isReversed: false,
    billingDocumentIdentifier: document,
  };
  return { ...shown, postedDate: typeof date === 'string' ? date : '', ledger };
}

function objectsIn(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The start of a day, as a time. */
function instant(date: JsonValue | undefined): JsonValue {
  return typeof date === 'string' ? (date.length === 10 ? `${date}T00:00:00+00:00` : date) : null;
}
