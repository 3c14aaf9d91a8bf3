import type { TaskStatusBody } from '../../client/platform-client.ts';
import type { AccountRun } from '../account/account-run.ts';
import { isWordless } from '../request/liveness.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import type { RunContext } from '../run/context.ts';

/** What the platform says of an account's latest task; absent: it knows of none. */
export type AskedTask =
  | { readonly kind: 'told'; readonly task: TaskStatusBody | undefined }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly code: string };

/**
 * Asks for the status of an account's latest task (import v2). `isLost`: an attempt may have had its effect. A 404 that a proxy
 * may have sent counts only if no other answer comes for a long time.
 */
export async function askTask(context: RunContext, run: AccountRun, isLost: boolean): Promise<AskedTask> {
  const { clock, settings, flow, client } = context;
  const { key } = run.plan;
  const { statusPollMs, inProgressMs } = settings.patience;
  const doubtMs = isLost ? inProgressMs : statusPollMs;
  let wordlessSince: number | undefined;
  for (;;) {
    const outcome = await sendWithRetry(context, {
      ...key,
      step: 'process',
      isQuestion: true,
      // The answer does not identify its request, and what is sent next cannot be undone.
      send: (signal) => client.taskStatus(key, { signal, fresh: true, about: run.sent }),
    });
    if (outcome.kind === 'stopped') return { kind: 'stopped' };
    if (outcome.kind !== 'said') return { kind: 'failed', code: outcome.cause };
    const { answer } = outcome;
    if (answer.kind === 'refused') return { kind: 'failed', code: `status_http_${answer.status}` };
    if (answer.kind === 'ok') return { kind: 'told', task: answer.body };
    if (!isWordless(answer)) return { kind: 'told', task: undefined };
    wordlessSince ??= clock.monotonic();
    if (clock.monotonic() >= wordlessSince + doubtMs) return { kind: 'told', task: undefined };
    if (!(await flow.waitAside({ account: key.account, step: 'process' }, statusPollMs)))
      return { kind: 'stopped' };
  }
}
