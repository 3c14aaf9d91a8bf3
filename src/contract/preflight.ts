import type { JsonValue } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import { definedFields } from '../domain/defined-fields.ts';
import { ofEachExtraStep, type ExtraStepName, type StepName } from '../domain/steps.ts';
import { extraStepContract } from './extra-steps.ts';
import { interfaceContract } from './interface/interface-document.ts';
import { schemaCheck } from './tenancy/payload-check.ts';
import { addressRules } from './rules/addresses.ts';
import { agreementRules } from './rules/agreements.ts';
import { balanceRules } from './rules/balances.ts';
import { findControlCharacters } from './rules/control-characters.ts';
import { customerRules } from './rules/customers.ts';
import { duplicateRules } from './rules/duplicates.ts';
import { ledgersOfAccountKnown, productsKnown, teamKnown } from './rules/known-codes.ts';
import { guarded, isUnread, type Unread } from './rules/guarded.ts';
import { phoneRules } from './rules/phones.ts';
import { applyRules, type Rule, type RuleContext } from './rules/rule.ts';
import { statementPeriodRules } from './rules/statement-periods.ts';
import { findSuspiciousTexts } from './rules/suspicious-texts.ts';
import { supplyChargeRules } from './rules/supply-charges.ts';
import { totalRow } from './rules/total-rows.ts';
import { transactionRules, transactionsOfAccount, type TransactionList } from './rules/transactions.ts';
import { unknownValueCode, unknownValuesOf } from './rules/unknown-values.ts';
import { accountPayload, accountSubject } from './schemas/account.ts';
import { processPayload } from './schemas/import-process.ts';
import type { Schema } from './schemas/schema.ts';
import type { Contract } from './tenancy/contract.ts';
import { interfaceView, sameView, type InterfaceView } from './tenancy/interface-view.ts';

const accountRules = [
  ...balanceRules,
  ...statementPeriodRules,
  ...agreementRules,
  ...customerRules,
  ...phoneRules,
  ...addressRules,
  ...duplicateRules,
  ledgersOfAccountKnown,
  totalRow,
];

const rulesOfTransactions = [...transactionRules, ...supplyChargeRules, productsKnown];

type PayloadCheck = (payload: JsonValue, context: RuleContext, unread: Unread) => PayloadProblem[];

/** All checks of one kind of payload. What depends only on the schema is prepared once. */
function checkOf<Payload>(
  step: StepName,
  schema: Schema<Payload>,
  rules: readonly Rule<Payload>[],
  {
    transactionsOf,
    subject = schema,
  }: {
    readonly transactionsOf?: (payload: Payload) => TransactionList[];
    /** What the rules read beyond the fields of the interface. */
    readonly subject?: Schema<Payload>;
  } = {},
): PayloadCheck {
  const subjectCheck = schemaCheck(subject);
  const findUnknownValues = unknownValuesOf(subject);
  const views = new WeakMap<Contract, InterfaceView>();
  const viewOf = (contract: Contract): InterfaceView | undefined => {
    const field = contract.field(step);
    if (field === undefined) return undefined;
    const view =
      views.get(contract) ?? (contract === interfaceContract() ? sameView : interfaceView(subject, field));
    views.set(contract, view);
    return view;
  };
  const applyAll = (payload: Payload, context: RuleContext, found: PayloadProblem[]): void => {
    applyRules(rules, payload, context, found);
    if (transactionsOf !== undefined)
      applyRules(rulesOfTransactions, transactionsOf(payload), context, found);
  };
  /** The shape is the contract's; the rules read the payload as the interface would write it. */
  return (payload, context, unread) => {
    const contract = context.contract ?? interfaceContract();
    const shape = contract.check(step, payload);
    const misfits = shape.length === 0 ? shape : shape.filter(({ path }) => !isUnread(path, unread.values));
    const view = viewOf(contract);
    if (view === undefined) return leveled(misfits, context);
    const found: PayloadProblem[] = [];
    const read = view.read(payload);
    const faults = [...unread.values, ...misfits.map(({ path }) => path)];
    if (faults.length === 0 && unread.lists.size === 0 && (view === sameView || subjectCheck.fits(read)))
      // What fits the interface's contract is of the type that its schema has.
      applyAll(read as Payload, context, found);
    else {
      const viewed = (paths: Iterable<string>): string[] =>
        [...paths].flatMap((path) => view.viewPath(path) ?? []);
      const values = new Set([
        ...viewed(faults),
        ...(view === sameView ? [] : subjectCheck.problems(read).map(({ path }) => path)),
      ]);
      if (!values.has(''))
        applyAll(guarded<Payload>(read, { values, lists: new Set(viewed(unread.lists)) }), context, found);
    }
    findUnknownValues(read, context, found);
    const own =
      found.length === 0
        ? found
        : found
            .map((problem) => ({ ...problem, path: view.ownPath(problem.path, payload) }))
            .filter(
              ({ code, path }) => code !== unknownValueCode || contract.at(step, path)?.values === undefined,
            );
    findControlCharacters(payload, context, own);
    findSuspiciousTexts(payload, context, own);
    if (misfits.length === 0 && own.length === 0) return own;
    const broken = new Set(faults);
    return [...leveled(misfits, context), ...own.filter(({ path }) => !isUnread(path, broken))];
  };
}

/** Problems of the shape at the levels that the settings give their codes. */
function leveled(problems: readonly PayloadProblem[], { levels }: RuleContext): PayloadProblem[] {
  return problems.flatMap((problem) => {
    const level = levels.get(problem.code);
    if (level === 'off' && !isIdentification(problem.path)) return [];
    return level === undefined || level === 'off' ? [problem] : [{ ...problem, severity: level }];
  });
}

/** Without these, it is not known whose payload it is. */
function isIdentification(path: string): boolean {
  return path === 'import_supplier' || path === 'external_account_number';
}

function extraCheck(step: ExtraStepName): PayloadCheck {
  const { endpoint, rules = [], transactionsOf } = extraStepContract(step);
  return checkOf(step, endpoint.request, rules, definedFields({ transactionsOf }));
}

const account = { transactionsOf: transactionsOfAccount, subject: accountSubject };

const checks: Readonly<Record<StepName, PayloadCheck>> = {
  validate: checkOf('validate', accountPayload, accountRules, account),
  stage: checkOf('stage', accountPayload, accountRules, account),
  process: checkOf('process', processPayload, [teamKnown]),
  ...ofEachExtraStep(extraCheck),
};

/** The unread values of a payload that was read completely: none. */
const wholeRead: Unread = { values: new Set(), lists: new Set() };

/**
 * Checks one request payload of a step as the platform does before it acts: its shape by the tenancy's contract, or else
 * by the interface's (sections 2 and 4), the business rules by their published codes, control characters, and a warning for
 * values that the interface does not show (`unknown_value`). Everything is found in one pass: a rule is
 * skipped only if it needs a value that has the wrong shape or is `unread`, and such a value has no further
 * problems. Nothing found means that the payload can be sent; warnings do not stop it.
 */
export function checkPayload(
  step: StepName,
  payload: JsonValue,
  context: RuleContext,
  unread: Unread = wholeRead,
): PayloadProblem[] {
  return checks[step](payload, context, unread);
}

export { defaultRuleContext } from './rules/rule.ts';
export type { Unread } from './rules/guarded.ts';
export { checkAccountRules, type Extras, type AccountProblem } from './rules/account-rules.ts';
