import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { Severity } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';
import type { RuleCode } from '../rule-codes.ts';
import { levelOf, type RuleContext } from './rule.ts';
import { forObjects, type Extras } from './account-rules.ts';

/** A value of one account that other accounts of the export are not expected to have. */
export interface OwnValue {
  readonly code: string;
  readonly severity: Severity;
  /** What two accounts would share, as text. */
  readonly what: string;
  readonly value: string;
  /** Its place: in the step's payload, the `request`-th from zero, at this dotted path. */
  readonly step: StepName;
  readonly request: number;
  readonly path: string;
}

type Take = (value: JsonValue | undefined, step: StepName, request: number, path: string) => void;

interface CrossAccountRule {
  readonly code: RuleCode;
  /** What two accounts share, as text. */
  readonly what: string;
  readonly collect: (account: JsonObject, extras: Extras, take: Take) => void;
}

const transactionIds: CrossAccountRule = {
  code: 'transaction_id_of_another_account',
  what: 'this transaction id',
  collect(account, extras, take) {
    const takeAll = (list: JsonValue | undefined, step: StepName, request: number, at: string): void => {
      forObjects(list, ({ transaction_id: id }, index) => {
        take(id, step, request, `${at}.${index}.transaction_id`);
      });
    };
    forObjects(account['ledgers'], (ledger, index) => {
      for (const name of ['current_statement_transactions', 'historical_statement_transactions'])
        takeAll(ledger[name], 'validate', 0, `ledgers.${index}.${name}`);
    });
    for (const [request, payload] of extras.transactions.entries())
      takeAll(payload['transactions'], 'transactions', request, 'transactions');
    for (const [request, payload] of extras['billing-documents'].entries()) {
      const [documents, additional] = ['historical_billing_documents', 'additional_historical_transactions'];
      forObjects(payload[documents], (document, index) => {
        takeAll(document['transactions'], 'billing-documents', request, `${documents}.${index}.transactions`);
      });
      takeAll(payload[additional], 'billing-documents', request, additional);
    }
  },
};

const statementIds: CrossAccountRule = {
  code: 'statement_id_of_another_account',
  what: 'this statement id',
  collect(_account, extras, take) {
    for (const [request, payload] of extras.statements.entries())
      forObjects(payload['statements'], ({ statement_id: id }, index) => {
        take(id, 'statements', request, `statements.${index}.statement_id`);
      });
  },
};

/** The interface's list and its key, and those of published contracts. */
const supplyPointNames = [
  ['supply_points', 'identifier'],
  ['meter_points', 'mpxn'],
] as const;

const supplyPoints: CrossAccountRule = {
  code: 'supply_point_of_another_account',
  what: 'this supply point',
  collect(account, _extras, take) {
    forObjects(account['supply_addresses'], (address, place) => {
      for (const [list, name] of supplyPointNames)
        forObjects(address[list], ({ [name]: identifier, supply_type: type }, index) => {
          // An electricity and a gas meter may well have the same number.
          take(
            typeof identifier === 'string' ? JSON.stringify([type, identifier]) : undefined,
            'validate',
            0,
            `supply_addresses.${place}.${list}.${index}.${name}`,
          );
        });
    });
  },
};

const paymentReferences: CrossAccountRule = {
  code: 'payment_reference_of_another_account',
  what: "this vendor's payment reference",
  collect(_account, extras, take) {
    for (const [request, { vendor, reference }] of extras['payment-instruction'].entries())
      take(
        typeof reference === 'string' ? JSON.stringify([vendor, reference]) : undefined,
        'payment-instruction',
        request,
        'reference',
      );
  },
};

const crossAccountRules = [transactionIds, statementIds, supplyPoints, paymentReferences];

export const crossAccountCodes = crossAccountRules.map(({ code }) => code);

/** Whether any values of accounts are compared. */
export function comparesAccounts(context: RuleContext): boolean {
  return crossAccountCodes.some((code) => levelOf(code, context.levels) !== 'off');
}

/** Whether a shared value stops an account from being sent. */
export function sharingRefuses(context: RuleContext): boolean {
  return crossAccountCodes.some((code) => levelOf(code, context.levels) === 'error');
}

/**
 * The values of one account that no other account should have. Payloads may be malformed; this function does not
 * report that.
 */
export function ownValues(account: JsonObject, extras: Extras, context: RuleContext): OwnValue[] {
  const found: OwnValue[] = [];
  for (const { code, what, collect } of crossAccountRules) {
    const severity = levelOf(code, context.levels);
    if (severity === 'off') continue;
    collect(account, extras, (value, step, request, path) => {
      if (typeof value === 'string' && value !== '')
        found.push({ code, severity, what, value, step, request, path });
    });
  }
  return found;
}
