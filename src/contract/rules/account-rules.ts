import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { extraStepNames, type ExtraStepName } from '../../domain/steps.ts';
import type { RuleCode } from '../rule-codes.ts';
import { isDatetime } from '../schemas/fields.ts';
import { attempt, each } from './guarded.ts';
import { levelOf, type RuleContext } from './rule.ts';

/** The payloads of an account's further steps, in the order of sending. */
export type Extras = Readonly<Record<ExtraStepName, readonly JsonObject[]>>;

/** A problem of a payload that exists only because of another payload of the same account. */
export interface AccountProblem extends PayloadProblem {
  readonly step: ExtraStepName;
  /** Which of the step's payloads, from zero. */
  readonly request: number;
}

type Report = (step: ExtraStepName, request: number, path: string, detail: string) => void;

interface AccountRule {
  readonly code: RuleCode;
  readonly check: (account: JsonObject, extras: Extras, report: Report) => void;
}

/**
 * Checks rules across the payloads of one account: unique transaction and statement ids, notes that the platform
 * could not distinguish, a ledger's billing documents in two payloads, and payloads of another account. The problem
 * is reported at the second of two. Payloads may be malformed or guarded; this function does not report that.
 */
export function checkAccountRules(
  account: JsonObject,
  extras: Extras,
  context: RuleContext,
): AccountProblem[] {
  const found: AccountProblem[] = [];
  if (extraStepNames.every((step) => extras[step].length === 0)) return found;
  for (const { code, check } of accountRules) {
    const severity = levelOf(code, context.levels);
    if (severity === 'off') continue;
    attempt(() =>
      check(account, extras, (step, request, path, detail) =>
        found.push({ step, request, code, path, detail, severity }),
      ),
    );
  }
  return found;
}

/** The payload's own rules check ids within one payload. */
const transactionIds: AccountRule = {
  code: 'duplicate_transaction_ids',
  check(account, extras, report) {
    if (extras.transactions.length === 0 && extras['billing-documents'].length === 0) return;
    const holders = new Map<string, JsonObject>();
    const take = (payload: JsonObject, holder: JsonObject, list: string, clash: (index: number) => void) =>
      eachObject(holder, list, ({ transaction_id: id }, index) => {
        if (typeof id !== 'string') return;
        const first = holders.get(id);
        if (first === undefined) holders.set(id, payload);
        else if (first !== payload) clash(index);
      });
    eachObject(account, 'ledgers', (ledger) => {
      take(account, ledger, 'current_statement_transactions', () => undefined);
      take(account, ledger, 'historical_statement_transactions', () => undefined);
    });
    const takeExtra = (
      step: ExtraStepName,
      request: number,
      payload: JsonObject,
      holder: JsonObject,
      list: string,
      at = list,
    ) =>
      take(payload, holder, list, (index) =>
        report(
          step,
          request,
          `${at}.${index}.transaction_id`,
          'Another payload of this account has a transaction with the same id.',
        ),
      );
    for (const [request, payload] of extras.transactions.entries())
      takeExtra('transactions', request, payload, payload, 'transactions');
    for (const [request, payload] of extras['billing-documents'].entries()) {
      eachObject(payload, 'historical_billing_documents', (document, index) => {
        const at = `historical_billing_documents.${index}.transactions`;
        takeExtra('billing-documents', request, payload, document, 'transactions', at);
      });
      takeExtra('billing-documents', request, payload, payload, 'additional_historical_transactions');
    }
  },
};

/**
 * The platform matches a note on its body, and on created_at if that is sent (section 4, rule 5). A note without
 * created_at is therefore taken for any other with the same body as soon as one of them has to be repeated.
 */
const notesTellApart: AccountRule = {
  code: 'indistinguishable_notes',
  check(_account, extras, report) {
    const creations = new Map<string, (JsonValue | undefined)[]>();
    for (const [request, payload] of extras.notes.entries())
      eachObject(payload, 'notes', ({ body, created_at: created, external_id: id }, index) => {
        // A tenancy may have a note carry an id of its own, by which the platform knows it.
        if (typeof id === 'string' && id !== '') return;
        if (typeof body !== 'string' || (created !== undefined && !isCreation(created))) return;
        const others = creations.get(body);
        if (others === undefined) creations.set(body, [created]);
        else {
          if (created === undefined || others.includes(undefined) || others.includes(created))
            report(
              'notes',
              request,
              `notes.${index}.body`,
              'The platform could not distinguish this note from another with the same body: give each its own created_at.',
            );
          others.push(created);
        }
      });
  },
};

/** An invalid datetime is a separate problem, and it cannot distinguish two notes. */
function isCreation(created: JsonValue): boolean {
  return typeof created === 'string' && isDatetime(created);
}

const statementIds: AccountRule = {
  code: 'duplicate_statement_ids',
  check(_account, extras, report) {
    const seen = new Set<string>();
    for (const [request, payload] of extras.statements.entries())
      eachObject(payload, 'statements', ({ statement_id: id }, index) => {
        if (typeof id !== 'string') return;
        if (seen.has(id))
          report(
            'statements',
            request,
            `statements.${index}.statement_id`,
            'Another statement of this account has the same id.',
          );
        seen.add(id);
      });
  },
};

const documentsOncePerLedger: AccountRule = {
  code: 'billing_documents_ledger_repeated',
  check(_account, extras, report) {
    const seen = new Set<string>();
    each(extras['billing-documents'], (payload, request) => {
      const { ledger_code: code, ledger_number: number } = payload;
      if (typeof code !== 'string') return;
      const ledger = JSON.stringify([code, number]);
      if (seen.has(ledger))
        report(
          'billing-documents',
          request,
          'ledger_code',
          'Another payload has documents of this ledger, but they can be imported only once per ledger.',
        );
      seen.add(ledger);
    });
  },
};

/** Checks that every payload is about the same account (section 2.2). */
function sameAccount(code: RuleCode, field: 'import_supplier' | 'external_account_number'): AccountRule {
  return {
    code,
    check(account, extras, report) {
      for (const step of extraStepNames)
        each(extras[step], (payload, request) => {
          const [mine, theirs] = [payload[field], account[field]];
          if (typeof mine === 'string' && typeof theirs === 'string' && mine !== theirs)
            report(step, request, field, 'This differs from the account payload.');
        });
    },
  };
}

const accountRules: readonly AccountRule[] = [
  sameAccount('import_supplier_differs', 'import_supplier'),
  sameAccount('external_account_number_differs', 'external_account_number'),
  transactionIds,
  notesTellApart,
  statementIds,
  documentsOncePerLedger,
];

/** Runs a check for each object of an array; does nothing if there is no array, or it cannot be read. */
function eachObject(
  holder: JsonObject,
  list: string,
  check: (item: JsonObject, index: number) => void,
): void {
  attempt(() => {
    const items = holder[list];
    if (!Array.isArray(items)) return;
    each(items, (item, index) => {
      if (isJsonObject(item)) check(item, index);
    });
  });
}

/** Passes on the objects of an array with their positions; none if the value is not an array. */
export function forObjects(
  value: JsonValue | undefined,
  take: (item: JsonObject, index: number) => void,
): void {
  if (!Array.isArray(value)) return;
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index];
    if (isJsonObject(item)) take(item, index);
  }
}
