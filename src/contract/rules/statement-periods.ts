import type { AccountPayload, Ledger } from '../schemas/account.ts';
import type { RuleCode } from '../rule-codes.ts';
import { exact } from './amounts.ts';
import { each } from './guarded.ts';
import type { Report, Rule } from './rule.ts';

/** A rule that looks at one ledger; `at` is the ledger's own path. */
function ledgerRule(
  code: RuleCode,
  check: (ledger: Ledger, at: string, report: Report) => void,
): Rule<AccountPayload> {
  return {
    code,
    check({ ledgers }, report) {
      each(ledgers, (ledger, index) => check(ledger, `ledgers.${index}`, report));
    },
  };
}

const balanceNeedsClosingDate = ledgerRule(
  'historical_statement_without_last_statement_closing_date',
  (ledger, at, report) => {
    const {
      last_statement_balance: balance,
      last_statement_closing_date: closed,
      current_statement_transactions: current = [],
    } = ledger;
    if (closed !== undefined || current.length === 0 || balance === undefined) return;
    if (!exact(balance).eq(0))
      report(
        `${at}.last_statement_closing_date`,
        'This date is required with current transactions and a last statement balance other than zero.',
      );
  },
);

const historyNeedsClosingDate = ledgerRule(
  'historical_statement_transactions_require_last_statement_closing_date',
  (ledger, at, report) => {
    const { last_statement_closing_date: closed, historical_statement_transactions: history = [] } = ledger;
    if (closed === undefined && history.length > 0)
      report(`${at}.last_statement_closing_date`, 'This date is required with historical transactions.');
  },
);

const currentAfterClosing = ledgerRule(
  'current_statement_transaction_before_last_statement_closing_date',
  (ledger, at, report) => {
    const { last_statement_closing_date: closed } = ledger;
    if (closed === undefined) return;
    each(ledger.current_statement_transactions, ({ transaction_date: dated }, index) => {
      if (dated <= closed)
        report(
          `${at}.current_statement_transactions.${index}.transaction_date`,
          `${dated} is not after the last statement's closing date, ${closed}.`,
        );
    });
  },
);

const historyUpToClosing = ledgerRule(
  'historical_statement_transaction_after_last_statement_closing_date',
  (ledger, at, report) => {
    const { last_statement_closing_date: closed } = ledger;
    if (closed === undefined) return;
    each(ledger.historical_statement_transactions, ({ transaction_date: dated }, index) => {
      if (dated > closed)
        report(
          `${at}.historical_statement_transactions.${index}.transaction_date`,
          `${dated} is after the last statement's closing date, ${closed}.`,
        );
    });
  },
);

/**
 * One problem for each ledger, at the latest historical transaction: otherwise one stray date would be reported for
 * all the others.
 */
const historyBeforeCurrent = ledgerRule(
  'historical_statement_transaction_after_current_statement_transaction',
  (ledger, at, report) => {
    const { historical_statement_transactions: history = [], current_statement_transactions: current = [] } =
      ledger;
    let earliest: string | undefined;
    for (const { transaction_date: dated } of current)
      if (earliest === undefined || dated < earliest) earliest = dated;
    let latest = '';
    let where = 0;
    for (const [index, { transaction_date: dated }] of history.entries())
      if (dated > latest) [latest, where] = [dated, index];
    if (earliest !== undefined && latest >= earliest)
      report(
        `${at}.historical_statement_transactions.${where}.transaction_date`,
        `${latest} is not before the earliest current transaction, ${earliest}.`,
      );
  },
);

export const statementPeriodRules = [
  balanceNeedsClosingDate,
  historyNeedsClosingDate,
  currentAfterClosing,
  historyUpToClosing,
  historyBeforeCurrent,
];
