import { stringifyJson, type JsonObject } from '../../../src/domain/json.ts';
import type { ExtraStepName } from '../../../src/domain/steps.ts';
import type { AccountPlan } from '../../../src/mapping/plan.ts';
import { planOf } from '../harness.ts';
import { unwanted } from './model-platform.ts';

/** One thing that an account has in its export: a note, a transaction, a ledger's documents. */
export interface Item {
  readonly id: number;
  /** Grows when somebody changes it in the export. */
  readonly version: number;
  /** The platform refuses it. */
  readonly isUnwanted: boolean;
  /** Without what a platform could know it by: a note without a body, a ledger without a document. */
  readonly isPlain: boolean;
}

/** An account as a schedule has it. */
export interface AccountSpec {
  readonly version: number;
  readonly isUnwanted: boolean;
  /** A local rule finds fault with it. */
  readonly isFaulty: boolean;
  /** The platform has it from somebody else. */
  readonly isForeign: boolean;
  readonly items: Readonly<Record<ExtraStepName, readonly Item[]>>;
}

/** External account number of the n-th account. Whatever names something of an account begins with it. */
export function nameOf(n: number): string {
  return `E${n}`;
}

const shapes: Record<ExtraStepName, (item: Item, account: string) => JsonObject> = {
  notes: ({ id, version, isUnwanted, isPlain }, account) => {
    const text = `${account}n${id} version ${version} ${isUnwanted ? unwanted : ''}`;
    return isPlain ? { document_paths: [{ document_path: text }] } : { body: text };
  },
  transactions: ({ id, version, isUnwanted }, account) => ({
    transaction_id: `${account}t${id}`,
    transaction_date: '2024-01-01',
    amount: `${version}.00`,
    type: 'CHARGE',
    note: isUnwanted ? unwanted : 'fine',
  }),
  agreements: ({ id, version }, account) => ({ agreement: { tariff_code: `${account}a${id}-${version}` } }),
  'billing-documents': ({ id, version, isPlain }, account) => ({
    ledger_code: `${account}l${id}`,
    billing_document_type: 'ITEM_BASED',
    historical_billing_documents: isPlain
      ? []
      : [
          {
            billing_document_identifier: `${account}d${id}-${version}`,
            billing_document_type: 'ITEM_BASED',
            issued_date: '2024-01-01',
          },
        ],
    ...(isPlain
      ? {
          additional_historical_transactions: [
            {
              transaction_id: `${account}b${id}`,
              transaction_date: '2023-01-01',
              amount: `${id + 1}${version}.00`,
              type: 'CHARGE',
            },
          ],
        }
      : {}),
  }),
  statements: ({ id, version, isUnwanted }, account) => ({
    statement_id: `${account}s${id}`,
    bill_period_from_date: '2024-01-01',
    bill_period_to_date: '2024-02-01',
    number: `${version} ${isUnwanted ? unwanted : ''}`,
  }),
  'payment-instruction': ({ version, isUnwanted }, account) => ({
    vendor: 'V',
    reference: `${account}r${version}${isUnwanted ? unwanted : ''}`,
    type: 'CARD',
  }),
};

/** Steps whose things travel in one array. */
const arrays: Partial<Record<ExtraStepName, string>> = {
  notes: 'notes',
  transactions: 'transactions',
  statements: 'statements',
};

/** What the export has of the account today, as the mapping gives it. */
export function planOfSpec(account: string, spec: AccountSpec): AccountPlan {
  const extras: Partial<Record<ExtraStepName, JsonObject[]>> = {};
  for (const [step, items] of Object.entries(spec.items) as [ExtraStepName, readonly Item[]][]) {
    const objects = items.map((item) => shapes[step](item, account));
    const array = arrays[step];
    extras[step] = array === undefined || objects.length === 0 ? objects : [{ [array]: objects }];
  }
  const channel = `V${spec.version}${spec.isUnwanted ? unwanted : ''}`;
  const plan = planOf(account, extras, { sales_channel: channel });
  if (!spec.isFaulty) return plan;
  const problem = { account, code: 'faulty', path: '', detail: 'No.', severity: 'error' as const };
  return { ...plan, problems: [problem] };
}

/** Each effect that the platform should have of a step, as JSON; beside it, what the platform refuses. */
export function effectsOf(
  plan: AccountPlan,
  step: ExtraStepName,
): { readonly wanted: readonly string[]; readonly unwanted: readonly string[] } {
  const array = arrays[step];
  const payloads = plan.extras[step];
  const effects =
    array === undefined ? payloads : payloads.flatMap((payload) => payload[array] as JsonObject[]);
  const texts = effects.map((effect) => stringifyJson(effect));
  return {
    wanted: texts.filter((text) => !text.includes(unwanted)),
    unwanted: texts.filter((text) => text.includes(unwanted)),
  };
}

/** Whether the platform has an effect; a transaction is known by its id, amount and type. */
export function has(held: readonly string[], step: ExtraStepName, effect: string): boolean {
  if (step !== 'transactions') return held.includes(effect);
  const [id, amount] = idAndAmount(effect);
  return held.some((other) => {
    const [otherId, otherAmount] = idAndAmount(other);
    return otherId === id && otherAmount === amount;
  });
}

function idAndAmount(effect: string): unknown[] {
  const { transaction_id: id, amount } = JSON.parse(effect) as JsonObject;
  return [id, amount];
}

/** A part's effects as the journal's fingerprints name them: the texts of its items, or of its whole payload. */
export function effectsIn(body: JsonObject, step: ExtraStepName): readonly string[] {
  const array = arrays[step];
  return array === undefined
    ? [stringifyJson(body)]
    : (body[array] as JsonObject[]).map((item) => stringifyJson(item));
}
