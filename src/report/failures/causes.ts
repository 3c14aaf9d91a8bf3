import type { AccountState } from '../../domain/account-state.ts';
import {
  activeInstructionCode,
  changedAfterImport,
  ledgerFinalizedCode,
  statementExistsCode,
  unknownCode,
} from '../../domain/shared-codes.ts';
import type { WhoActs } from '../advice/remedy.ts';

/** Why accounts did not arrive, and who must act. */
export interface Cause {
  /** A few words after "48 rejected:", in lower case; absent: the code says it. */
  readonly words?: string;
  readonly who: WhoActs;
}

const data = (words: string): Cause => ({ words, who: 'data' });
const platform = (words: string): Cause => ({ words, who: 'platform' });
const us = (words: string): Cause => ({ words, who: 'us' });

/** The codes whose names do not say enough, or for which somebody else than the data's owner must act. */
const causes: ReadonlyMap<string, Cause> = new Map([
  ['required', data('a value is missing')],
  ['null', data('a value is missing')],
  ['blank', data('a value is missing')],
  ['invalid_choice', data('not one of the allowed values')],
  ['max_length', data('too long')],
  ['min_length', data('too short')],
  ['max_items', data('too many records')],
  ['min_items', data('too few records')],
  ['invalid_date', data('not a date in the format of the export')],
  ['invalid_datetime', data('not a time in the format of the export')],
  ['invalid_amount', data('not an amount in the format of the export')],
  ['invalid_country', data('not a country code')],
  ['unknown_country', data('a country that the mapping does not know')],
  ['invalid_postcode', data('not a valid postcode in its country')],
  ['invalid_phone_number', data('not a valid phone number in its country')],
  ['invalid_address', data('not a valid address in its country')],
  ['missing_contact_user_email_or_phone', data('neither an email address nor a phone number')],
  ['customer_family_name_required', data('a customer without a family name')],
  ['customer_given_name_required', data('a customer without a given name')],
  ['duplicate_transaction_ids', data('two transactions with one id')],
  ['duplicate_statement_ids', data('two statements with one id')],
  ['duplicate_account', data('the account is in the export twice')],
  ['orphan_row', data('a row of an account that the export does not have')],
  ['ledger_balances_not_equal_to_transfer_balance', data('the balances of the ledgers do not add up')],
  ['balance_mismatch_on_ledger_balance', data('the transactions do not add up to the balance')],
  ['historical_statement_transactions_balance_mismatch', data('a statement does not add up')],
  ['missing_import_supplier', data('no import supplier')],
  ['transaction_in_future', data('a transaction in the future')],
  [changedAfterImport, us('changed after the import, by the export, the mapping or a code table')],
  [statementExistsCode, us('the platform has a statement with this id already')],
  [activeInstructionCode, us('the account has a payment instruction on the platform already')],
  [ledgerFinalizedCode, us('the ledger has billing documents on the platform already')],
  [unknownCode, us('a code that the code table does not have')],
  ['lossy_conversion', us('the mapping would leave something out')],
  ['not_offered', us('data that the tenancy has no endpoint for')],
  ['request_too_large', us('too large for a request')],
  ['account_too_large', us('too large for the memory that is allowed')],
  ['ledger_code_does_not_exist', platform('a ledger code that the platform does not have')],
  ['product_code_does_not_exist', platform('a product code that the platform does not have')],
  ['operations_team_name_does_not_exist', us('the setting team names no team of the platform')],
  ['import_supplier_does_not_exist', platform('an import supplier that the platform does not have')],
  ['import_supplier_migration_not_ongoing', platform('the import supplier is not Ongoing')],
  ['account_failed_validation', platform('refused without a code')],
  ['still_in_progress', platform('the platform is still creating them')],
  ['lost_answer', us('a request got no answer')],
  ['too_many_requests', us('too many requests')],
  ['throttled', platform('the platform refused all tries for the number of requests')],
  ['connection_reset', platform('the connection broke')],
  ['headers_timeout', platform('no answer in time')],
  ['body_timeout', platform('no answer in time')],
  ['request_timeout', platform('no answer in time')],
]);

/** Errors of a server, whatever the data is. */
const serverError = /^(?:gateway_)?http_5\d\d$/;
/** The platform or a gateway denies this account, while it accepts the credentials. */
const denied = /^(?:(?:gateway_)?http_40[13]|unauthorized)$/;

/** The cause of accounts in this state; `code` may be of a later version. */
export function causeOf(state: AccountState, code: string): Cause {
  const known = causes.get(code);
  if (denied.test(code)) return platform('access denied');
  if (state === 'rejected') return known ?? { who: 'data' };
  // Whoever runs the tool tries failed accounts again first, but for those that were tried long enough.
  const words = known?.words ?? (serverError.test(code) ? 'the platform answered with an error' : undefined);
  return { who: code === 'throttled' ? 'platform' : 'us', ...(words === undefined ? {} : { words }) };
}

/** The one who can remove the cause, whoever tries the accounts again first. */
export function whoseFault(state: AccountState, code: string): WhoActs {
  const known = causes.get(code);
  if (known === undefined && (serverError.test(code) || denied.test(code))) return 'platform';
  return known?.who ?? causeOf(state, code).who;
}

/** Who must act for most of the accounts; undefined if there are none. An account counts with each of its codes. */
export function mostConcerned(
  groups: readonly { readonly state: AccountState; readonly code: string; readonly accounts: number }[],
  whoOf: (state: AccountState, code: string) => WhoActs = (state, code) => causeOf(state, code).who,
): WhoActs | undefined {
  const accounts = new Map<WhoActs, number>();
  for (const { state, code, accounts: of } of groups)
    accounts.set(whoOf(state, code), (accounts.get(whoOf(state, code)) ?? 0) + of);
  const [most] = [...accounts].sort(([, one], [, other]) => other - one);
  return most?.[0];
}
