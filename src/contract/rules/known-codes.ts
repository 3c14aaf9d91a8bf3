import type { AccountPayload } from '../schemas/account.ts';
import type { BillingDocumentsPayload } from '../schemas/billing-documents.ts';
import type { ProcessPayload } from '../schemas/import-process.ts';
import { each } from './guarded.ts';
import type { Rule } from './rule.ts';
import type { TransactionList } from './transactions.ts';

const ledgerUnknown = 'ledger_code_does_not_exist';
const noSuchLedger = 'The platform does not know this ledger code.';

export const ledgersOfAccountKnown: Rule<AccountPayload> = {
  code: ledgerUnknown,
  check({ ledgers }, report, { ledgerCodes }) {
    if (ledgerCodes === undefined) return;
    each(ledgers, ({ ledger_code }, index) => {
      if (!ledgerCodes.has(ledger_code)) report(`ledgers.${index}.ledger_code`, noSuchLedger);
    });
  },
};

export const ledgerOfDocumentsKnown: Rule<BillingDocumentsPayload> = {
  code: ledgerUnknown,
  check({ ledger_code }, report, { ledgerCodes }) {
    if (ledgerCodes !== undefined && !ledgerCodes.has(ledger_code)) report('ledger_code', noSuchLedger);
  },
};

export const teamKnown: Rule<ProcessPayload> = {
  code: 'operations_team_name_does_not_exist',
  check({ operations_team_name }, report, { operationsTeams }) {
    if (operationsTeams !== undefined && !operationsTeams.has(operations_team_name))
      report('operations_team_name', 'The platform does not know this operations team.');
  },
};

export const productsKnown: Rule<readonly TransactionList[]> = {
  code: 'product_code_does_not_exist',
  check(lists, report, { productCodes }) {
    if (productCodes === undefined) return;
    for (const { at, transactions } of lists)
      each(transactions, ({ product_code }, index) => {
        if (product_code !== undefined && !productCodes.has(product_code))
          report(`${at}.${index}.product_code`, 'The platform does not know this product code.');
      });
  },
};
