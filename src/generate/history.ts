import type { JsonObject } from '../domain/json.ts';
import type { AccountContext } from './account-context.ts';
import { dateText, datetimeText, lastDay, type Day } from './calendar.ts';
import { supplyPointIdentifier, tariffCode } from './supply.ts';
import { amountNumber, ledgerCodesOf, postings, transactionsOf } from './transactions.ts';

const billPeriod = 30;

/** Agreements from before supply began; the interface does not show their shape, so any will do (section 2.10). */
export function historicalAgreementsOf(context: AccountContext): JsonObject[] {
  if (!context.oneIn(3)) return [];
  const { random, opened } = context;
  const change = opened - random.between(100, 300);
  const agreement = (from: Day, to: Day): JsonObject => ({
    supply_point_identifier: supplyPointIdentifier(context, 0),
    agreement: {
      effective_from: dateText(from),
      effective_to: dateText(to),
      tariff_code: tariffCode(random.between(1, 99)),
    },
  });
  return [agreement(change - 365, change), agreement(change, opened)];
}

/** One payload for each ledger, period-based and item-based in turn (interface, section 2.8). */
export function billingDocumentsOf(context: AccountContext): JsonObject[] {
  if (!context.oneIn(3)) return [];
  return ledgerCodesOf(context).map((code, index) => {
    const periodBased = (context.position / 3 + index) % 2 === 0;
    return {
      ledger_code: code,
      ledger_number: `${context.account}-L${index + 1}`,
      billing_document_type: periodBased ? 'PERIOD_BASED' : 'ITEM_BASED',
      historical_billing_documents: Array.from({ length: context.random.between(1, 3) }, (_, document) =>
        billingDocument(context, `${context.account}-B${index + 1}${document + 1}`, periodBased, document),
      ),
      ...(index === 0 && {
        additional_historical_transactions: transactionsOf(
          postings(context, 2, context.opened + billPeriod, context.closing),
        ),
      }),
    };
  });
}

function billingDocument(
  context: AccountContext,
  identifier: string,
  periodBased: boolean,
  index: number,
): JsonObject {
  const from = context.opened + 1 + index * billPeriod;
  const to = from + billPeriod - 1;
  return {
    billing_document_identifier: identifier,
    billing_document_type: periodBased ? 'PERIOD_BASED' : 'ITEM_BASED',
    issued_date: dateText(to + 5),
    ...(periodBased && { bill_period_from_date: dateText(from), bill_period_to_date: dateText(to) }),
    transactions: transactionsOf(postings(context, context.random.between(1, 3), to, to)),
  };
}

/** The months before the last one billed, newest last (interface, section 2.9). */
export function statementsOf(context: AccountContext): JsonObject[] {
  const { account, closing, random, oneIn, position } = context;
  if (position % 4 === 2) return [];
  const count = random.between(1, 4);
  return Array.from({ length: count }, (_, index) => {
    const to = closing - (count - 1 - index) * billPeriod;
    return {
      bill_period_from_date: dateText(to - billPeriod + 1),
      bill_period_to_date: dateText(to),
      statement_id: `${account}-S${index + 1}`,
      issued_date: dateText(to + 3),
      number: String(index + 1),
      gross_amount: amountNumber(random.between(2_000, 30_000)),
      ...(oneIn(2) && { statement_path: `statements/${account}/${index + 1}.pdf` }),
    };
  });
}

const bodies = [
  'Customer asked: "When is the next reading?"',
  'Zahlungsplan vereinbart, Rückruf am Freitag',
  'Left a message;\nno answer, will call again',
  'Prefers letters, large print',
  'Meter in the cellar\nkey with neighbour, flat 3',
] as const;

/** The notes of an account, no two alike in their bodies (interface, section 2.7). */
export function notesOf(context: AccountContext): JsonObject[] {
  const usual = context.position % 7 === 5 ? 0 : 1 + (context.position % 4) + Number(context.oneIn(2));
  const count = context.settings.notesPerAccount ?? usual;
  return Array.from({ length: count }, (_, index) => note(context, index));
}

function note(context: AccountContext, index: number): JsonObject {
  const { account, random, opened, oneIn } = context;
  const day = random.between(opened, lastDay);
  const second = random.between(0, 86_399);
  const pinned = index === 0 && oneIn(2);
  const scanned = index === 1 && oneIn(3);
  return {
    // A note without a body could not be repeated after a lost answer, so a rehearsal has none.
    body: `${index + 1}. ${random.pick(bodies)}`,
    ...(scanned && {
      document_paths: ['letter', 'envelope'].map((name) => ({
        document_path: `notes/${account}/${index + 1}-${name}.pdf`,
      })),
    }),
    ...(!(index === 1 && oneIn(5)) && { created_at: datetimeText(day, second) }),
    ...(pinned && { is_pinned: true, unpin_at: datetimeText(day + random.between(1, 30), second) }),
    ...(index === 1 && { is_pinned: false }),
  };
}

/** Transactions that were made while the account was on its way; one account in ten has an older one among them. */
export function laterTransactionsOf(context: AccountContext): JsonObject[] {
  const { closing, random, oneIn, position, settings } = context;
  const usual = position % 5 === 4 ? 0 : random.between(1, 6);
  const count = settings.transactionsPerAccount ?? usual;
  return transactionsOf(postings(context, count, oneIn(10) ? closing - 10 : closing + 1, lastDay));
}

export function paymentInstructionsOf({ random, position }: AccountContext): JsonObject[] {
  if (position % 6 === 5) return [];
  const type = random.pick(['CARD', 'DIRECT_DEBIT']);
  const number = String(position + 1).padStart(6, '0');
  return [{ vendor: 'EXAMPLE_PAY', reference: `${type.toLowerCase().replace('_', '-')}-${number}`, type }];
}
