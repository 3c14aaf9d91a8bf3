import type { JsonObject } from '../domain/json.ts';
import { dateText, type Day } from './calendar.ts';
import { ledgerCodesOf } from './ledgers.ts';
import { amountNumber } from './money.ts';
import type { Sheet } from './sheet.ts';
import { supplyPointIdentifier, tariffCode } from './supply.ts';
import { postings, transactionsOf } from './transactions.ts';

const billPeriod = 30;

/** Agreements from before supply began; the interface does not show their shape, so any will do (section 2.10). */
export function historicalAgreementsOf(sheet: Sheet): JsonObject[] {
  if (!sheet.oneIn(3)) return [];
  const { dice, opened } = sheet;
  const change = opened - dice.between(100, 300);
  const agreement = (from: Day, to: Day): JsonObject => ({
    supply_point_identifier: supplyPointIdentifier(sheet, 0),
    agreement: {
      effective_from: dateText(from),
      effective_to: dateText(to),
      tariff_code: tariffCode(dice.between(1, 99)),
    },
  });
  return [agreement(change - 365, change), agreement(change, opened)];
}

/** One payload for each ledger, period-based and item-based in turn (interface, section 2.8). */
export function billingDocumentsOf(sheet: Sheet): JsonObject[] {
  if (!sheet.oneIn(3)) return [];
  return ledgerCodesOf(sheet).map((code, index) => {
    const periodBased = (sheet.position / 3 + index) % 2 === 0;
    return {
      ledger_code: code,
      ledger_number: `${sheet.account}-L${index + 1}`,
      billing_document_type: periodBased ? 'PERIOD_BASED' : 'ITEM_BASED',
      historical_billing_documents: Array.from({ length: sheet.dice.between(1, 3) }, (_, document) =>
        billingDocument(sheet, `${sheet.account}-B${index + 1}${document + 1}`, periodBased, document),
      ),
      ...(index === 0 && {
        additional_historical_transactions: transactionsOf(
          postings(sheet, 2, sheet.opened + billPeriod, sheet.closing),
        ),
      }),
    };
  });
}

function billingDocument(sheet: Sheet, identifier: string, periodBased: boolean, index: number): JsonObject {
  const from = sheet.opened + 1 + index * billPeriod;
  const to = from + billPeriod - 1;
  return {
    billing_document_identifier: identifier,
    billing_document_type: periodBased ? 'PERIOD_BASED' : 'ITEM_BASED',
    issued_date: dateText(to + 5),
    ...(periodBased && { bill_period_from_date: dateText(from), bill_period_to_date: dateText(to) }),
    transactions: transactionsOf(postings(sheet, sheet.dice.between(1, 3), to, to)),
  };
}

/** The months before the last one billed, newest last (interface, section 2.9). */
export function statementsOf(sheet: Sheet): JsonObject[] {
  const { account, closing, dice, oneIn, position } = sheet;
  if (position % 4 === 2) return [];
  const count = dice.between(1, 4);
  return Array.from({ length: count }, (_, index) => {
    const to = closing - (count - 1 - index) * billPeriod;
    return {
      bill_period_from_date: dateText(to - billPeriod + 1),
      bill_period_to_date: dateText(to),
      statement_id: `${account}-S${index + 1}`,
      issued_date: dateText(to + 3),
      number: String(index + 1),
      gross_amount: amountNumber(dice.between(2_000, 30_000)),
      ...(oneIn(2) && { statement_path: `statements/${account}/${index + 1}.pdf` }),
    };
  });
}
