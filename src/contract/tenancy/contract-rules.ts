import { ofEachExtraStep, type ExtraStepName } from '../../domain/steps.ts';
import { extraStepContract } from '../extra-steps.ts';
import { ruleCodes, type RuleCode } from '../rule-codes.ts';
import { levelOf, type RuleContext, type RuleLevel } from '../rules/rule.ts';
import { accountSubject } from '../schemas/account.ts';
import type { Schema } from '../schemas/schema.ts';
import type { ContractField } from './contract-field.ts';
import { interfaceView } from './interface-view.ts';
import type { TenancyContract } from './contract.ts';

/** Whether a rule is applied to the payloads of a contract, and why it is or is not. */
export interface RuleUnderContract {
  readonly code: string;
  readonly level: RuleLevel | 'platform';
  readonly why: string;
}

type Kind = 'account' | ExtraStepName;

const schemas: Readonly<Record<Kind, Schema>> = {
  account: accountSubject,
  ...ofEachExtraStep((step) => extraStepContract(step).endpoint.request),
};

const inTransactions = (...fields: readonly string[]): string[] =>
  [
    'account.ledgers.current_statement_transactions',
    'account.ledgers.historical_statement_transactions',
    'transactions.transactions',
    'billing-documents.historical_billing_documents.transactions',
    'billing-documents.additional_historical_transactions',
  ].flatMap((list) => fields.map((field) => `${list}.${field}`));

/** The fields that a rule checks, by the interface's names. If a contract has none of them, the rule is off. */
const fieldsOfRules: Readonly<Record<RuleCode, readonly string[] | 'every payload'>> = {
  agreement_starting_before_meter_point_ssd: ['account.supply_addresses.supply_points.supply_start_date'],
  amount_below_minor_unit: inTransactions('amount'),
  balance_mismatch_on_ledger_balance: ['account.ledgers.ledger_balance'],
  billing_documents_ledger_repeated: ['billing-documents.ledger_code'],
  control_character: 'every payload',
  current_statement_transaction_before_last_statement_closing_date: [
    'account.ledgers.last_statement_closing_date',
  ],
  customer_family_name_required: ['account.customers.family_name'],
  customer_given_name_required: ['account.customers.given_name'],
  customer_with_unknown_occupier: ['account.unknown_occupier'],
  document_path_escapes: ['notes.notes.document_paths', 'statements.statements.statement_path'],
  duplicate_customers: ['account.customers.given_name', 'account.customers.family_name'],
  duplicate_ledger_entries_found: ['account.ledgers.ledger_code'],
  duplicate_statement_ids: ['statements.statements.statement_id'],
  duplicate_supply_addresses_found: ['account.supply_addresses.supply_address'],
  duplicate_supply_points: ['account.supply_addresses.supply_points.identifier'],
  duplicate_transaction_ids: inTransactions('transaction_id'),
  external_account_number_differs: 'every payload',
  gaps_or_overlaps_in_agreement_dates: ['account.supply_addresses.supply_points.agreements.effective_from'],
  gaps_or_overlaps_in_periods: inTransactions('line_items.rate_band'),
  historical_statement_transaction_after_current_statement_transaction: [
    'account.ledgers.historical_statement_transactions',
  ],
  historical_statement_transaction_after_last_statement_closing_date: [
    'account.ledgers.last_statement_closing_date',
  ],
  historical_statement_transactions_balance_mismatch: ['account.ledgers.last_statement_balance'],
  historical_statement_transactions_require_last_statement_closing_date: [
    'account.ledgers.last_statement_closing_date',
  ],
  historical_statement_without_last_statement_closing_date: ['account.ledgers.last_statement_closing_date'],
  import_supplier_differs: 'every payload',
  incorrect_line_item_net_amount: inTransactions('line_items.price_per_unit'),
  indistinguishable_notes: ['notes.notes.body'],
  invalid_address: ['account.billing_address', 'account.supply_addresses.supply_address'],
  invalid_phone_number: ['account.customers.landline', 'account.customers.mobile'],
  invalid_postcode: [
    'account.billing_address.postal_code',
    'account.supply_addresses.supply_address.postal_code',
  ],
  ledger_balances_not_equal_to_transfer_balance: ['account.transfer_balance'],
  ledger_code_does_not_exist: ['account.ledgers.ledger_code', 'billing-documents.ledger_code'],
  ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount:
    inTransactions('line_items.net_amount'),
  line_item_units_must_be_two_values: inTransactions('line_items.units'),
  metadata_has_duplicate_keys: ['account.metadata.key'],
  missing_contact_user_email_or_phone: [
    'account.customers.email',
    'account.customers.landline',
    'account.customers.mobile',
  ],
  missing_transaction_id: inTransactions('transaction_id'),
  negative_payment: inTransactions('amount'),
  no_agreement_covering_last_billed_to_date: ['account.supply_addresses.supply_points.last_billed_to_date'],
  not_offered: 'every payload',
  note_body_or_document_path_not_found: ['notes.notes.body', 'notes.notes.document_paths'],
  note_unpin_at_earlier_than_creation_date: ['notes.notes.unpin_at'],
  operations_team_name_does_not_exist: 'every payload',
  path_does_not_exist_in_file_store: ['notes.notes.document_paths', 'statements.statements.statement_path'],
  payment_reference_of_another_account: ['payment-instruction.reference'],
  product_code_does_not_exist: inTransactions('product_code'),
  required: 'every payload',
  row_not_mapped: 'every payload',
  start_date_later_than_end_date: [
    ...inTransactions('line_items.end_date'),
    'billing-documents.historical_billing_documents.bill_period_to_date',
    'statements.statements.bill_period_to_date',
  ],
  statement_id_of_another_account: ['statements.statements.statement_id'],
  supply_point_of_another_account: ['account.supply_addresses.supply_points.identifier'],
  suspicious_text: 'every payload',
  total_row: 'every payload',
  transaction_id_of_another_account: inTransactions('transaction_id'),
  transaction_in_future: inTransactions('transaction_date'),
  unknown_field: 'every payload',
  unknown_transaction_type: inTransactions('type'),
  unknown_value: 'every payload',
};

/**
 * Every rule of the tool under a contract, sorted by code, then the codes that the contract says the platform checks
 * (`x-validators`) and the tool does not know. `levels` are those of the settings.
 */
export function rulesUnder(
  contract: TenancyContract,
  levels: ReadonlyMap<string, RuleLevel>,
): readonly RuleUnderContract[] {
  const ownName = ownNames(contract);
  const own = ruleCodes.map((code): RuleUnderContract => {
    const level = levelOf(code, levels);
    if (levels.has(code)) return { code, level, why: 'set by rules in the settings' };
    const wanted = fieldsOfRules[code];
    if (wanted === 'every payload') return { code, level, why: 'applies to every payload' };
    const found = wanted.flatMap((place) => ownName(place) ?? []);
    if (found.length === 0)
      return {
        code,
        level: 'off',
        why: `the contract does not have ${listed(wanted.map((place) => split(place)[1]))}`,
      };
    return { code, level, why: `the contract has ${listed(found)}` };
  });
  const known: ReadonlySet<string> = new Set(ruleCodes);
  const others = [...checksIn(contract)].filter(([code]) => !known.has(code));
  return [
    ...own,
    ...others
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([code, path]) => ({
        code,
        level: 'platform' as const,
        why: `checked only by the platform: ${path}`,
      })),
  ];
}

/** The levels of the settings, and `off` for the rules that have nothing to read in a contract's payloads. */
export function levelsUnder(contract: TenancyContract, levels: RuleContext['levels']): RuleContext['levels'] {
  const off = rulesUnder(contract, levels).filter(({ level }) => level === 'off');
  return new Map([...off.map(({ code }) => [code, 'off'] as const), ...levels]);
}

function ownNames(contract: TenancyContract): (place: string) => string | undefined {
  const views = new Map(
    Object.entries(schemas).flatMap(([kind, schema]) => {
      const field = contract.field(kind === 'account' ? 'stage' : (kind as ExtraStepName));
      return field === undefined ? [] : [[kind, interfaceView(schema, field)] as const];
    }),
  );
  return (place) => {
    const [kind, path] = split(place);
    const view = views.get(kind);
    const name = view?.ownName(path);
    return name === '' ? view?.ownPath(path, {}) : name;
  };
}

function split(place: string): [Kind, string] {
  const at = place.indexOf('.');
  return [place.slice(0, at) as Kind, place.slice(at + 1)];
}

function listed(names: readonly string[]): string {
  const [first = '', ...others] = new Set(names);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** The codes of the contract's own checks, each with the first place that has it. */
function checksIn(contract: TenancyContract): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<ContractField>();
  const walk = (field: ContractField, path: string): void => {
    for (const code of field.checks) if (!found.has(code)) found.set(code, path);
    if (seen.has(field)) return;
    seen.add(field);
    for (const [name, inner] of field.fields) walk(inner, path === '' ? name : `${path}.${name}`);
    if (field.element !== undefined) walk(field.element, path);
  };
  for (const kind of Object.keys(schemas)) {
    const step = kind === 'account' ? 'stage' : (kind as ExtraStepName);
    const root = contract.field(step);
    if (root !== undefined) walk(root, '');
  }
  return new Map([...found].map(([code, path]) => [code, path === '' ? 'the payload' : path]));
}
