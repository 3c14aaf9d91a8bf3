import { formatDecimal, zero } from '../../domain/decimal.ts';
import type { AccountPayload, Ledger } from '../schemas/account.ts';
import { balanceAfter, exact } from './amounts.ts';
import { each } from './guarded.ts';
import type { Rule } from './rule.ts';

/**
 * The meaning of an absent amount. A rule needs the total that it checks: without transfer_balance or ledger_balance
 * nothing is compared, nor if one of several ledgers has no balance. An absent last_statement_balance is zero,
 * because the ledger was never billed. A ledger with only a balance, without a last statement and without
 * transactions, cannot be compared with anything. A transaction of a type with unknown sign leaves its
 * ledger's balance undecided.
 */

const ledgersMakeTransferBalance: Rule<AccountPayload> = {
  code: 'ledger_balances_not_equal_to_transfer_balance',
  check({ ledgers = [], transfer_balance }, report) {
    if (transfer_balance === undefined || ledgers.length === 0) return;
    let sum = zero;
    for (const { ledger_balance } of ledgers) {
      if (ledger_balance === undefined) return;
      sum = sum.plus(exact(ledger_balance));
    }
    const stated = exact(transfer_balance);
    if (!sum.eq(stated))
      report(
        'transfer_balance',
        `The ledger balances add up to ${formatDecimal(sum)}, not to ${formatDecimal(stated)}.`,
      );
  },
};

const currentMakesLedgerBalance: Rule<AccountPayload> = {
  code: 'balance_mismatch_on_ledger_balance',
  check({ ledgers }, report) {
    each(ledgers, (ledger, index) => {
      const expected = expectedLedgerBalance(ledger);
      if (ledger.ledger_balance === undefined || expected === undefined) return;
      const stated = exact(ledger.ledger_balance);
      if (!stated.eq(expected))
        report(
          `ledgers.${index}.ledger_balance`,
          `The last statement balance and the current transactions make ${formatDecimal(expected)}, ` +
            `not ${formatDecimal(stated)}.`,
        );
    });
  },
};

function expectedLedgerBalance({
  last_statement_balance: last,
  current_statement_transactions: current = [],
}: Ledger) {
  if (last === undefined && current.length === 0) return undefined;
  return balanceAfter(last === undefined ? zero : exact(last), current);
}

const historyMakesLastStatementBalance: Rule<AccountPayload> = {
  code: 'historical_statement_transactions_balance_mismatch',
  check({ ledgers }, report) {
    each(ledgers, (ledger, index) => {
      const { historical_statement_transactions: history = [], last_statement_balance: last } = ledger;
      if (history.length === 0) return;
      const sum = balanceAfter(zero, history);
      const stated = last === undefined ? zero : exact(last);
      if (sum !== undefined && !sum.eq(stated))
        report(
          `ledgers.${index}.last_statement_balance`,
          `The historical transactions add up to ${formatDecimal(sum)}, not to ${formatDecimal(stated)}.`,
        );
    });
  },
};

export const balanceRules = [
  ledgersMakeTransferBalance,
  currentMakesLedgerBalance,
  historyMakesLastStatementBalance,
];
