import { transactionImportError, transactionsAnswer } from '../../contract/answers.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../domain/json.ts';
import { defaultTransactionsQuery, type TransactionsPayload } from '../../contract/schemas/transactions.ts';
import { platformDatetime, platformDate, type PlatformContext } from '../platform-context.ts';
import { accountNotFound, invalid, problem } from '../refusals.ts';
import { answer } from '../reply.ts';
import type { Transaction } from '../../contract/schemas/transaction.ts';
import type { ServedEndpoint } from './endpoint.ts';
import { utcDate } from '../../domain/clock.ts';
import type { AccountPayload } from '../../contract/schemas/account.ts';

/**
 * Endpoint 9 (section 4, rule 6). All of a request or none: if a transaction fails, 400 with that one only, and those
 * before it are undone.
 */
export const transactions: ServedEndpoint = {
  description: {
    summary: 'Add transactions to an account: all transactions of the request, or none',
    answer: { TransactionResults: transactionsAnswer },
    statuses: ['404'],
    refusals: { TransactionImportError: transactionImportError },
  },
  step: 'transactions',
  answer({ key, body, query }, context) {
    const { store } = context;
    const check = flag(query, 'check_previously_added', defaultTransactionsQuery.checkPreviouslyAdded);
    const force = flag(
      query,
      'force_add_to_current_statement',
      defaultTransactionsQuery.forceAddToCurrentStatement,
    );
    if (typeof check !== 'boolean') return invalid([check]);
    if (typeof force !== 'boolean') return invalid([force]);
    const account = store.findAccount(key);
    if (typeof account?.number !== 'number') return accountNotFound;

    const staged = stagedAccount(store.readPayload(account.processId));
    const period = openPeriod(staged, context);
    const results: JsonObject[] = [];
    for (const transaction of (body as Partial<TransactionsPayload>).transactions ?? []) {
      const { transaction_id: id = '', transaction_date: date } = transaction;
      const sent = transaction as JsonObject;
      const earlier = check
        ? (store.findTransaction(account.number, id) ?? staged.transactions.get(id))
        : undefined;
      if (earlier !== undefined) {
        results.push({ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: echo(earlier) });
        continue;
      }
      const moved = nearestDate(date, period);
      if (moved !== date && !force)
        return answer(400, {
          status: 'TRANSACTION_IMPORT_ERROR',
          error_detail: `The transaction date ${date} is not within the open statement period ${spell(period)}.`,
          transaction_data: sent,
        });
      const added = moved === date ? sent : moveInto(transaction, moved, account.number, context);
      store.addTransaction(account.number, id, stringifyJson(added));
      results.push({ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: added });
    }
    return answer(201, { results });
  },
};

function flag(query: URLSearchParams, name: string, otherwise: boolean) {
  const given = query.getAll(name).map((value) => value.toLowerCase());
  if (given.length === 0) return otherwise;
  const [value = ''] = given;
  if (given.length === 1 && ['true', '1'].includes(value)) return true;
  if (given.length === 1 && ['false', '0'].includes(value)) return false;
  return problem('invalid', name, 'Must be true or false, and may be given only once.');
}

function nearestDate(date: string, { from, to }: Period): string {
  if (from !== undefined && date < from) return from;
  return date > to ? to : date;
}

/** The transaction under its new date, described; the account gets a pinned note that says so. */
function moveInto(sent: Transaction, date: string, to: number, context: PlatformContext): JsonObject {
  const description = `Transaction date changed from ${sent.transaction_date} to ${date}, into the open statement period.`;
  const createdAt = platformDatetime(context);
  const body = `Transaction ${sent.transaction_id ?? ''}: ${description}`;
  const note = { body, created_at: createdAt, is_pinned: true };
  context.store.addNote(to, body, createdAt, JSON.stringify(note));
  return { ...(sent as JsonObject), transaction_date: date, description };
}

function echo(stored: string): JsonObject {
  return { ...(parseJson(stored) as JsonObject), status: 'TRANSACTION_IMPORT_SUCCESS' };
}

function spell({ from, to }: Period): string {
  return from === undefined ? `until ${to}` : `${from} to ${to}`;
}

/** The open statement period (section 4, rule 6), both dates included. */
interface Period {
  /** Absent: no beginning. */
  readonly from?: string;
  readonly to: string;
}

const day = 24 * 3600 * 1000;

/** The operator's period, or from the day after the account's last statement until today. */
function openPeriod({ lastClosed }: StagedAccount, context: PlatformContext): Period {
  const set = context.operator().openStatementPeriod;
  if (set !== undefined) return set;
  const to = platformDate(context);
  if (lastClosed === undefined) return { to };
  const from = utcDate(Date.parse(lastClosed) + day);
  return { from, to: to < from ? from : to };
}

/** What endpoint 9 needs to know of the payload an account was created from. */
interface StagedAccount {
  /** Transactions of its ledgers by their id, as JSON. */
  readonly transactions: ReadonlyMap<string, string>;
  /** The latest date on which a ledger's statement was closed. */
  readonly lastClosed: string | undefined;
}

function stagedAccount(payload: string): StagedAccount {
  const transactions = new Map<string, string>();
  let lastClosed: string | undefined;
  // It passed the contract's check when it was staged.
  for (const ledger of (parseJson(payload) as AccountPayload).ledgers ?? []) {
    const closed = ledger.last_statement_closing_date;
    if (typeof closed === 'string' && (lastClosed === undefined || closed > lastClosed)) lastClosed = closed;
    for (const transaction of [
      ...(ledger.historical_statement_transactions ?? []),
      ...(ledger.current_statement_transactions ?? []),
    ])
      if (transaction.transaction_id !== undefined)
        transactions.set(transaction.transaction_id, stringifyJson(transaction as JsonObject));
  }
  return { transactions, lastClosed };
}
