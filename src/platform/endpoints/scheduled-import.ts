import { alreadyImportedCode } from '../../contract/refusal.ts';
import { failedValidationCode, furthestWindowMs, type TaskParams } from '../../contract/scheduled-import.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { platformTime } from '../platform-context.ts';
import { invalid, problem, tooManyRequests } from '../refusals.ts';
import { answer } from '../reply.ts';
import { submitTask } from '../scheduler.ts';
import { accountNumber } from '../store/accounts.ts';
import { notOpen, validate } from './creation.ts';
import type { PathEndpoint, ServedEndpoint } from './endpoint.ts';

/** v2: validates the account payload, and stores nothing. */
export const scheduleValidate: ServedEndpoint = {
  ...validate,
  description: { summary: 'Check account data without storing it (v2)' },
  field: 'payload',
  answer(asked, context) {
    const checked = validate.answer(asked, context);
    return checked.status === 200 ? answer(200, {}) : checked;
  },
};

/** v2: makes a task that creates the account within a window. */
export const schedule: ServedEndpoint = {
  description: { summary: 'Schedule the import of an account (v2)', statuses: ['429'] },
  step: 'stage',
  field: 'payload',
  refused: answer(400, {
    code: failedValidationCode,
    detail: 'The account data is not valid. Ask the validate endpoint for the particulars.',
    domain: 'import_process',
  }),
  refusesFirst: () => true,
  answer({ key, body, around = {} }, context) {
    const { store } = context;
    const closed = notOpen(context.operator(), key.supplier, key.account, 'import_supplier');
    if (closed !== undefined) return invalid([closed]);
    const imported = store.findAccount(key)?.number;
    if (typeof imported === 'number')
      return answer(400, {
        non_field_errors: { detail: 'The account was already imported.', code: alreadyImportedCode },
        account_id: accountNumber(imported),
      });
    const params = (around['task_params'] ?? {}) as TaskParams;
    const start = timeOf(params.schedule_window_start);
    const wrong = windowProblem(start, timeOf(params.schedule_window_end), platformTime(context));
    if (wrong !== undefined) return invalid([wrong]);
    const { cap } = context.operator().scheduler;
    if (cap !== undefined && store.waitingTasks() >= cap) return tooManyRequests();
    const isDryRun = params.is_dry_run === true;
    submitTask(context, { key, payload: stringifyJson(body as JsonObject), isDryRun, start });
    return { status: 201 };
  },
};

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** Clocks may differ by this much, in ms. */
const toleranceMs = 60_000;

function windowProblem(
  start: number | undefined,
  end: number | undefined,
  now: number,
): PayloadProblem | undefined {
  const at = (name: string): string => `task_params.schedule_window_${name}`;
  if (start !== undefined && !(start >= now - toleranceMs))
    return problem('invalid', at('start'), 'Must be a time that is not in the past.');
  if (end !== undefined && !(end > Math.max(now, start ?? now)))
    return problem('invalid', at('end'), 'Must be a time after the start.');
  if (end !== undefined && end > now + furthestWindowMs + toleranceMs)
    return problem('invalid', at('end'), 'Must be at most four days ahead.');
  return undefined;
}

/** v2: the latest task of an account. */
export const scheduleStatus: PathEndpoint = {
  description: {
    summary: 'The status of the import of an account (v2)',
    statuses: ['404'],
  },
  answer(key, context) {
    const task = context.store.findTask(key);
    if (task === undefined || task.status === 'FORGOTTEN')
      return answer(404, { detail: 'The requested resource was not found.', code: 'not_found' });
    const isBefore = platformTime(context) < task.beginsAt;
    const waits = isBefore ? context.operator().scheduler.pendingWord : 'IN_PROGRESS';
    const status = task.status === 'WAITING' ? waits : task.status;
    const number = status === 'PROCESSED' ? context.store.findAccount(key)?.number : undefined;
    const event = task.status === 'WAITING' ? 'CREATED' : status;
    return answer(200, {
      status,
      kraken_identifier: typeof number === 'number' ? accountNumber(number) : null,
      created_at: task.createdAt,
      modified_at: task.modifiedAt,
      latest_event: {
        event: `EVENT_ACCOUNT_IMPORT_PROCESS_${event}`,
        occurred_at: task.modifiedAt,
        data: null,
      },
      latest_error: task.error === null ? null : parseJson(task.error),
    });
  },
};
