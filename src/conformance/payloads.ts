import type { TenancyContract } from '../contract/tenancy/contract.ts';
import { utcDate } from '../domain/clock.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import type { StepName } from '../domain/steps.ts';

/** Values that the tenancy knows, by step, added steps included: they take the place of the invented ones. */
export type KnownValues = Readonly<Record<string, JsonObject | undefined>>;

export interface PayloadOptions {
  readonly supplier: string;
  /** Undefined: the tenancy allocates teams itself. */
  readonly team: string | undefined;
  readonly contract: TenancyContract | undefined;
  readonly known: KnownValues;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const address = {
  street_address: '1 Test Street',
  locality: 'Sampleton',
  administrative_area: 'Shire',
  postal_code: 'SW1A 1AA',
  country: 'GB',
};

const customer = { given_name: 'Sample', family_name: 'Person', email: 'sample@example.com' };

/** A number that is kept free for examples. */
export const goodPhone = '+442079460123';
export const badPhone = '12';

/** Invented payloads of the interface (2.3 to 2.11), in the form of the tenancy's contract if there is one. */
export class Payloads {
  readonly #options: PayloadOptions;

  constructor(options: PayloadOptions) {
    this.#options = options;
  }

  get contract(): TenancyContract | undefined {
    return this.#options.contract;
  }

  /** Whether the tenancy's contract, if there is one, has the field (a dotted path) in the step's payload. */
  has(step: StepName, path: string): boolean {
    // Process need not be described: the tool makes that payload itself.
    const described = this.contract?.field(step);
    return described === undefined || this.contract?.at(step, path) !== undefined;
  }

  /** What the user has named of added steps. */
  get known(): KnownValues {
    return this.#options.known;
  }

  /** Whether the user has named values for the step. */
  isKnown(step: StepName): boolean {
    return this.#options.known[step] !== undefined;
  }

  /** An account (2.3) that the platform should accept. */
  account(account: string, more: JsonObject = {}): JsonObject {
    return this.#made('stage', {
      import_supplier: this.#options.supplier,
      external_account_number: account,
      account_type: 'DOMESTIC',
      billing_address: address,
      communication_preference: 'ONLINE',
      customers: [customer],
      ledgers: [{ ledger_code: 'ENERGY', ledger_balance: 0 }],
      sales_channel: 'EVENTS',
      sales_subchannel: 'MIGRATION',
      transfer_balance: '0.00',
      unknown_occupier: false,
      ...more,
    });
  }

  /** With one more customer, who has this phone number; undefined if the contract has no phone numbers. */
  withPhone(
    account: string,
    phone: string,
  ): { readonly payload: JsonObject; readonly path: string } | undefined {
    const name = ['landline', 'mobile'].find((one) => this.has('stage', `customers.0.${one}`));
    const payload = this.account(account);
    const { customers } = payload;
    if (name === undefined || !Array.isArray(customers)) return undefined;
    const [first] = customers;
    const more = isJsonObject(first) ? first : customer;
    return {
      payload: { ...payload, customers: [...customers, { ...more, [name]: phone }] },
      path: `customers.${customers.length}.${name}`,
    };
  }

  /** With a ledger whose last statement was closed on this date; undefined if the contract has no such date. */
  withClosing(account: string, date: string): JsonObject | undefined {
    const payload = this.account(account);
    const { ledgers } = payload;
    if (!this.has('stage', 'ledgers.0.last_statement_closing_date') || !Array.isArray(ledgers))
      return undefined;
    const [first, ...others] = ledgers;
    if (!isJsonObject(first)) return undefined;
    const balance = this.has('stage', 'ledgers.0.last_statement_balance') && { last_statement_balance: 0 };
    const closed = { ...first, ...balance, last_statement_closing_date: date };
    return this.#formed('stage', { ...payload, ledgers: [closed, ...others] });
  }

  /** A create-account payload (2.4). */
  process(account: string, more: JsonObject = {}): JsonObject {
    const { supplier, team } = this.#options;
    return {
      import_supplier_code: supplier,
      external_account_number: account,
      ...(team !== undefined &&
        this.has('process', 'operations_team_name') && { operations_team_name: team }),
      ...more,
    };
  }

  /** Their times stay as they are, even if the contract does not allow them: that is what is checked. */
  notes(account: string, notes: JsonObject[]): JsonObject {
    const made = this.#extra('notes', account, { notes });
    if (!Array.isArray(made['notes'])) return made;
    const timed = made['notes'].map((note, at) => {
      const time = notes[at]?.['created_at'];
      const isTimed = isJsonObject(note) && note['created_at'] !== undefined && time !== undefined;
      return isTimed ? { ...note, created_at: time } : note;
    });
    return { ...made, notes: timed };
  }

  transactions(account: string, transactions: JsonObject[]): JsonObject {
    return this.#extra('transactions', account, { transactions });
  }

  /** A transaction of yesterday (2.6). */
  charge(id: string, more: JsonObject = {}): JsonObject {
    return {
      transaction_id: id,
      transaction_date: this.daysAgo(1),
      amount: '10.00',
      type: 'CHARGE',
      reason: 'IMPORTED_CHARGE',
      ...more,
    };
  }

  agreements(account: string): JsonObject {
    return this.#extra('agreements', account, {
      supply_point_identifier: '1200000000000',
      agreement: { effective_from: '2020-01-01', effective_to: '2021-01-01', tariff_code: 'STANDARD' },
    });
  }

  /** One document of a ledger (2.8). */
  billingDocuments(account: string, ledger: string, type: 'ITEM_BASED' | 'PERIOD_BASED'): JsonObject {
    const period = { bill_period_from_date: '2023-01-01', bill_period_to_date: '2023-01-31' };
    return this.#extra('billing-documents', account, {
      ledger_code: 'ENERGY',
      ledger_number: ledger,
      billing_document_type: type,
      historical_billing_documents: [
        {
          billing_document_identifier: `${ledger}-1`,
          billing_document_type: type,
          issued_date: '2023-02-01',
          transactions: [this.charge(`${ledger}-T1`, { transaction_date: '2023-01-15' })],
          ...(type === 'PERIOD_BASED' ? period : {}),
        },
      ],
      additional_historical_transactions: [this.charge(`${ledger}-T2`, { transaction_date: '2023-01-16' })],
    });
  }

  statements(account: string): JsonObject {
    return this.#extra('statements', account, {
      statements: [
        {
          statement_id: `${account}-S1`,
          bill_period_from_date: '2022-01-01',
          bill_period_to_date: '2022-01-31',
          issued_date: '2022-02-02',
          number: '1',
          gross_amount: 100,
        },
      ],
    });
  }

  paymentInstruction(account: string): JsonObject {
    return this.#extra('payment-instruction', account, {
      vendor: 'EXAMPLE_PAY',
      reference: 'card-000001',
      type: 'CARD',
    });
  }

  daysAgo(days: number): string {
    return utcDate(this.#options.now - days * 86_400_000);
  }

  #extra(step: StepName, account: string, more: JsonObject): JsonObject {
    const { supplier } = this.#options;
    return this.#made(step, { import_supplier: supplier, external_account_number: account, ...more });
  }

  #made(step: StepName, payload: JsonObject): JsonObject {
    const { contract, known } = this.#options;
    const identity = {
      import_supplier: payload['import_supplier'] ?? '',
      external_account_number: payload['external_account_number'] ?? '',
    };
    const fitted = contract?.fitted(step, payload) ?? payload;
    const made = { ...fitted, ...known[step], ...identity };
    return this.#formed(step, made);
  }

  #formed(step: StepName, payload: JsonObject): JsonObject {
    return this.contract?.formed(step, payload) ?? payload;
  }
}
