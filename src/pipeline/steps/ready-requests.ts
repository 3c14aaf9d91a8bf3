import { moneyIn } from '../../contract/money.ts';
import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import { writeMoney } from '../../domain/money.ts';
import { extraStepNames, type ExtraStepName } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { fingerprint } from '../hash.ts';
import type { Settings, Tenancy } from '../settings.ts';
import { ItemList, type ItemsStep } from './item-list.ts';
import { notes } from './notes.ts';
import { statements } from './statements.ts';
import { transactions } from './transactions.ts';

/** A request of a further step as it is sent where nothing of the step was sent before. */
export interface ReadyRequest {
  /** Serialised JSON, as text or in UTF-8. */
  readonly body: string | Buffer;
  /** What the journal knows it by. */
  readonly hash: string;
  /** What it carries, as `writeMoney` has it. */
  readonly money: string | undefined;
  /** How many items of the step's array it holds; 1 where a payload is sent whole. */
  readonly items: number;
}

/** By step; empty where a step has nothing to send. */
export type ReadyRequests = Readonly<Record<ExtraStepName, readonly ReadyRequest[]>>;

/** What decides how the items of a step are cut into requests. */
export interface Cutting extends Pick<Settings, 'requestSizes' | 'transactionsQuery'> {
  readonly tenancy: Pick<Tenancy, 'statementsRefuseKnownIds'>;
}

const itemsSteps: Partial<Readonly<Record<ExtraStepName, (cutting: Cutting) => ItemsStep>>> = {
  notes,
  transactions,
  statements,
};

/** The requests of each further step, serialised once. */
export function readyRequests(plan: AccountPlan, cutting: Cutting): ReadyRequests {
  const requests = (step: ExtraStepName): readonly ReadyRequest[] => {
    if (plan.extras[step].length === 0) return [];
    const items = itemsSteps[step]?.(cutting);
    if (items === undefined) return plan.extras[step].map((payload) => wholeRequest(step, payload));
    const list = new ItemList(items, plan, []);
    return list.outstanding().requests.map((range) => list.requestOf(range));
  };
  return {
    notes: requests('notes'),
    transactions: requests('transactions'),
    agreements: requests('agreements'),
    'billing-documents': requests('billing-documents'),
    statements: requests('statements'),
    'payment-instruction': requests('payment-instruction'),
  };
}

/** A payload that is sent as it is. */
export function wholeRequest(step: ExtraStepName, payload: JsonObject): ReadyRequest {
  const body = stringifyJson(payload);
  return { body, hash: fingerprint(body), money: writeMoney(moneyIn(step, payload)), items: 1 };
}

/** As `extraTexts` of `printOf` wants them: what was serialised for a request is not serialised again. */
export function extraTextsOf(plan: AccountPlan, requests: ReadyRequests): readonly string[] {
  return extraStepNames.map((step) => {
    const payloads = plan.extras[step];
    const bodies = requests[step].map(({ body }) => body.toString());
    const isWhole = itemsSteps[step] === undefined || (bodies.length === 1 && isAsSent(step, plan));
    return isWhole ? `[${bodies.join(',')}]` : stringifyJson([...payloads]);
  });
}

/** Whether a payload of items has nothing in it but what its one request has, in the same order. */
function isAsSent(step: ExtraStepName, { key, extras }: AccountPlan): boolean {
  const [payload, ...others] = extras[step];
  if (payload === undefined || others.length > 0) return false;
  const [first, second, array, more] = Object.keys(payload);
  return (
    first === 'import_supplier' &&
    second === 'external_account_number' &&
    Array.isArray(payload[array ?? '']) &&
    more === undefined &&
    payload[first] === key.supplier &&
    payload[second] === key.account
  );
}
