import type { z } from 'zod';
import type { JsonValue } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import type { StepName } from '../domain/steps.ts';
import { readShape } from './check.ts';
import { endpoints } from './endpoints.ts';
import { plainShapeOf } from './plain-shape.ts';
import { addressRules } from './rules/addresses.ts';
import { agreementRules } from './rules/agreements.ts';
import { balanceRules } from './rules/balances.ts';
import { documentDatesInOrder, statementDatesInOrder } from './rules/billing-periods.ts';
import { findControlCharacters } from './rules/control-characters.ts';
import { customerRules } from './rules/customers.ts';
import { noteDocumentRules, statementDocumentRules } from './rules/document-paths.ts';
import { duplicateRules } from './rules/duplicates.ts';
import {
  ledgerOfDocumentsKnown,
  ledgersOfAccountKnown,
  productsKnown,
  teamKnown,
} from './rules/known-codes.ts';
import { guarded, isUnread, type Unread } from './rules/guarded.ts';
import { noteRules } from './rules/notes.ts';
import { phoneRules } from './rules/phones.ts';
import { applyRules, type Rule, type RuleContext } from './rules/rule.ts';
import { statementPeriodRules } from './rules/statement-periods.ts';
import { supplyChargeRules } from './rules/supply-charges.ts';
import {
  transactionRules,
  transactionsOfAccount,
  transactionsOfDocuments,
  transactionsOfRequest,
  type TransactionList,
} from './rules/transactions.ts';
import { unknownValuesOf } from './rules/unknown-values.ts';
import { checkWithContract } from './tenancy/check-with-contract.ts';

const rulesOf = {
  account: [
    ...balanceRules,
    ...statementPeriodRules,
    ...agreementRules,
    ...customerRules,
    ...phoneRules,
    ...addressRules,
    ...duplicateRules,
    ledgersOfAccountKnown,
  ],
  transactions: [...transactionRules, ...supplyChargeRules, productsKnown],
  process: [teamKnown],
  notes: [...noteRules, ...noteDocumentRules],
  documents: [ledgerOfDocumentsKnown, documentDatesInOrder],
  statements: [statementDatesInOrder, ...statementDocumentRules],
};

type PayloadCheck = (payload: JsonValue, context: RuleContext, unread: Unread) => PayloadProblem[];

/** All checks of one kind of payload. What depends on the schema alone is prepared once. */
function checkOf<Payload>(
  schema: z.ZodType<Payload>,
  rules: readonly Rule<Payload>[],
  transactionsOf?: (payload: Payload) => TransactionList[],
): PayloadCheck {
  const fits = plainShapeOf(schema);
  const findUnknownValues = unknownValuesOf(schema);
  const applyAll = (subject: Payload, context: RuleContext, found: PayloadProblem[]): void => {
    applyRules(rules, subject, context, found);
    if (transactionsOf !== undefined)
      applyRules(rulesOf.transactions, transactionsOf(subject), context, found);
  };
  return (payload, context, unread) => {
    const found: PayloadProblem[] = [];
    if (unread === wholeRead && fits(payload)) {
      applyAll(payload, context, found);
      findUnknownValues(payload, context, found);
      findControlCharacters(payload, context, found);
      return found;
    }
    const shape = readShape(schema, payload);
    const misfits = shape.ok ? [] : shape.problems.filter(({ path }) => !isUnread(path, unread.values));
    const values = new Set([...unread.values, ...misfits.map(({ path }) => path)]);
    if (!values.has('')) applyAll(guarded<Payload>(payload, { ...unread, values }), context, found);
    findUnknownValues(payload, context, found);
    findControlCharacters(payload, context, found);
    return [...misfits, ...found.filter(({ path }) => !isUnread(path, values))];
  };
}

const account = checkOf(endpoints.stage.request, rulesOf.account, transactionsOfAccount);

const checks: Readonly<Record<StepName, PayloadCheck>> = {
  validate: account,
  stage: account,
  process: checkOf(endpoints.process.request, rulesOf.process),
  notes: checkOf(endpoints.notes.request, rulesOf.notes),
  transactions: checkOf(endpoints.transactions.request, [], transactionsOfRequest),
  agreements: checkOf(endpoints.agreements.request, []),
  'billing-documents': checkOf(
    endpoints.billingDocuments.request,
    rulesOf.documents,
    transactionsOfDocuments,
  ),
  statements: checkOf(endpoints.statements.request, rulesOf.statements),
  'payment-instruction': checkOf(endpoints.paymentInstruction.request, []),
};

/** The unread values of a payload that was read completely: none. */
const wholeRead: Unread = { values: new Set(), lists: new Set() };

/**
 * Checks one request payload of a step as the platform does before it acts: its shape (sections 2 and 4), the
 * business rules by their published codes, control characters, a warning for values that the interface does not show
 * (`unknown_value`), and the tenancy's own contract. Everything is found in one pass: a rule is skipped only if it
 * needs a value that has the wrong shape or is `unread`, and such a value causes no further problem. Without errors
 * the payload can be sent; warnings do not stop it.
 */
export function checkPayload(
  step: StepName,
  payload: JsonValue,
  context: RuleContext,
  unread: Unread = wholeRead,
): PayloadProblem[] {
  const { contract } = context;
  if (contract === undefined) return checks[step](payload, context, unread);
  return checkWithContract(contract, step, payload, (own) => checks[step](own, context, unread)).filter(
    ({ path }) => !isUnread(path, unread.values),
  );
}

/** Every rule at its default level, without knowledge of the platform's codes. `today` is YYYY-MM-DD. */
export function defaultRuleContext(today: string): RuleContext {
  return { today, levels: new Map() };
}

export type { Unread } from './rules/guarded.ts';
export {
  checkAccountRules as checkTogether,
  type Extras,
  type AccountProblem as TogetherProblem,
} from './rules/account-rules.ts';
