import type { JsonObject } from '../domain/json.ts';
import type { ExtraStepName } from '../domain/steps.ts';
import type { AccountContext } from './account-context.ts';
import {
  billingDocumentsOf,
  historicalAgreementsOf,
  laterTransactionsOf,
  notesOf,
  paymentInstructionsOf,
  statementsOf,
} from './history.ts';
import { transactionColumns } from './transactions.ts';

/** How the data of a step that adds to an account is made and written. */
export interface ExtraRecords {
  /** The items of the payload's array, or the payloads themselves, without the fields that identify the account. */
  readonly make: (context: AccountContext) => readonly JsonObject[];
  /**
   * The columns of the step's file in the flat shape, as dotted paths into what `make` gives; absent if its files are
   * described in `flat-tables.ts`.
   */
  readonly columns?: readonly string[];
}

const rows: Readonly<Record<ExtraStepName, ExtraRecords>> = {
  agreements: {
    make: historicalAgreementsOf,
    columns: [
      'supply_point_identifier',
      'agreement.effective_from',
      'agreement.effective_to',
      'agreement.tariff_code',
    ],
  },
  'billing-documents': { make: billingDocumentsOf },
  statements: {
    make: statementsOf,
    columns: [
      'bill_period_from_date',
      'bill_period_to_date',
      'statement_id',
      'issued_date',
      'number',
      'gross_amount',
      'statement_path',
    ],
  },
  'payment-instruction': { make: paymentInstructionsOf, columns: ['vendor', 'reference', 'type'] },
  notes: { make: notesOf },
  transactions: { make: laterTransactionsOf, columns: transactionColumns },
};

/** In the order of making: each takes the next random numbers, so another order would make other accounts. */
export const extraRecords = Object.entries(rows) as readonly [ExtraStepName, ExtraRecords][];
