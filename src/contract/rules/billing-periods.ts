import type { BillingDocumentsPayload } from '../schemas/billing-documents.ts';
import type { StatementsPayload } from '../schemas/statements.ts';
import { each } from './guarded.ts';
import type { Report, Rule } from './rule.ts';

interface BillPeriod {
  readonly bill_period_from_date?: string | undefined;
  readonly bill_period_to_date?: string | undefined;
}

const code = 'start_date_later_than_end_date';

export const statementDatesInOrder: Rule<StatementsPayload> = {
  code,
  check({ statements }, report) {
    each(statements, (statement, index) => checkPeriod(statement, 'statements', index, report));
  },
};

export const documentDatesInOrder: Rule<BillingDocumentsPayload> = {
  code,
  check({ historical_billing_documents: documents }, report) {
    each(documents, (document, index) =>
      checkPeriod(document, 'historical_billing_documents', index, report),
    );
  },
};

function checkPeriod(period: BillPeriod, list: string, index: number, report: Report): void {
  const { bill_period_from_date: from, bill_period_to_date: to } = period;
  if (from !== undefined && to !== undefined && from > to)
    report(`${list}.${index}.bill_period_to_date`, `${to} is before the period's start, ${from}.`);
}
