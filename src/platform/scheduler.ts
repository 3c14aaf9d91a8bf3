import type { AccountKey } from '../domain/account-key.ts';
import { utcDatetime } from '../domain/clock.ts';
import { parseJson, stringifyJson, type JsonObject } from '../domain/json.ts';
import type { AccountPayload } from '../contract/schemas/account.ts';
import { seededNumber } from './faults/fault-choice.ts';
import { keyText, platformTime, type PlatformContext } from './platform-context.ts';
import type { StoredTask } from './store/tasks.ts';

/** How a task ends. */
interface Outcome {
  readonly status: 'PROCESSED' | 'ERRORED' | 'CANCELLED' | 'FORGOTTEN';
  readonly code?: string;
  readonly detail?: string;
}

/** A task that is submitted. Times are in ms since the epoch; absent: at once. */
export interface Submitted {
  readonly key: AccountKey;
  readonly payload: string;
  readonly isDryRun: boolean;
  readonly start: number | undefined;
}

/** Puts a task in line. One that comes while another could still create the account is counted, and changes nothing. */
export function submitTask(context: PlatformContext, { key, payload, isDryRun, start }: Submitted): void {
  const { store, rules } = context;
  const now = platformTime(context);
  const before = store.findTask(key);
  if (before?.status === 'WAITING' && before.dryRun === 0) {
    const again = { submissions: before.submissions + 1, doubled: before.doubled + 1 };
    store.putTask(isDryRun ? before : { ...before, ...again });
    return;
  }
  const submissions = (before?.submissions ?? 0) + (isDryRun ? 0 : 1);
  const { fromMs, toMs, speed } = context.operator().scheduler;
  const share = seededNumber(`task/${keyText(key)}/${submissions}`);
  const takesMs = (fromMs + Math.max(0, toMs - fromMs) * share) / speed;
  const beginsAt = Math.max(now, start ?? now);
  const at = utcDatetime(now);
  store.putTask({
    supplier: key.supplier,
    external: key.account,
    status: 'WAITING',
    dryRun: isDryRun ? 1 : 0,
    beginsAt,
    endsAt: Math.round(beginsAt + takesMs),
    outcome: JSON.stringify(outcomeOf(context, key, submissions)),
    createdAt: at,
    modifiedAt: at,
    payload,
    rules: rules.version(key.supplier),
    error: null,
    submissions,
    doubled: before?.doubled ?? 0,
  });
}

function outcomeOf(context: PlatformContext, key: AccountKey, submission: number): Outcome {
  const { outcomes } = context.operator().scheduler;
  const chosen = outcomes.find(
    ({ accounts, submissions, rate }, index) =>
      (accounts?.includes(key.account) ?? true) &&
      (submissions?.includes(submission) ?? true) &&
      (rate === undefined || seededNumber(`outcome/${index}/${keyText(key)}/${submission}`) < rate),
  );
  if (chosen === undefined) return { status: 'PROCESSED' };
  const { status, code, detail } = chosen;
  return { status, code, detail };
}

/** Ends the tasks whose time has come, within a transaction. Nobody can tell it from a scheduler of its own. */
export function endDueTasks(context: PlatformContext): void {
  for (;;) {
    const due = context.store.dueTasks(platformTime(context));
    for (const task of due) endTask(context, task);
    if (due.length === 0) return;
  }
}

function endTask(context: PlatformContext, task: StoredTask): void {
  const { store } = context;
  const { status, code = '', detail = '' } = JSON.parse(task.outcome) as Outcome;
  const at = utcDatetime(Math.min(task.endsAt, platformTime(context)));
  const ends = (as: string, error?: JsonObject): void =>
    store.endTask(task.id, as, error === undefined ? null : stringifyJson(error), at);
  // Only the ledger knows of it.
  if (status === 'FORGOTTEN') ends(status);
  else if (task.dryRun === 1)
    ends(status === 'PROCESSED' ? 'DRY_RUN_SUCCEEDED' : 'DRY_RUN_ERRORED', errorOf(status, code, detail));
  else if (status === 'PROCESSED') {
    const problem = importNow(context, task, at);
    ends(problem === undefined ? 'PROCESSED' : 'ERRORED', problem);
  } else ends(status, errorOf(status, code, detail));
}

function errorOf(status: Outcome['status'], code: string, detail: string): JsonObject | undefined {
  return status === 'ERRORED' ? { code, detail, domain: 'import_process' } : undefined;
}

/** Creates the account; what is wrong if it cannot. */
function importNow(context: PlatformContext, task: StoredTask, at: string): JsonObject | undefined {
  const { store, rules, operator } = context;
  const { supplier, external, payload } = task;
  const key = { supplier, account: external };
  const account = store.findAccount(key);
  if (typeof account?.number === 'number')
    return errorOf('ERRORED', 'account_import_process_already_imported', 'The account was already imported.');
  const isAsBefore = task.rules === rules.version(supplier);
  const [problem] = isAsBefore ? [] : rules.check('stage', supplier, parseJson(payload) as JsonObject);
  if (problem !== undefined) return errorOf('ERRORED', problem.code, `${problem.path}: ${problem.detail}`);
  store.stageAccount(key, account?.processId, { text: payload, rules: rules.version(supplier) });
  const number = store.importAccount(store.findAccount(key)?.processId ?? 0, at, '');
  if (operator().suppliers[supplier]?.sendEmails === true) {
    const { customers = [] } = parseJson(payload) as AccountPayload;
    for (const { email } of customers) if (typeof email === 'string') store.addEmail(number, email);
  }
  return undefined;
}
