import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';

/** The body that submits an account (import v2): its payload as it is, and the window, always with its zone. */
export function scheduleBody({ settings, clock }: RunContext, run: AccountRun, isDryRun = false): Buffer {
  const { startAt, endAt } = settings.schedule;
  const params = {
    is_dry_run: isDryRun,
    // A start that has passed would be refused, and nothing is created by a dry run at whatever time.
    ...(isDryRun || startAt === undefined || startAt <= clock.now()
      ? {}
      : { schedule_window_start: written(startAt) }),
    ...(isDryRun || endAt === undefined ? {} : { schedule_window_end: written(endAt) }),
  };
  return Buffer.concat([
    Buffer.from('{"payload":'),
    Buffer.from(run.payloadBody),
    Buffer.from(`,"task_params":${JSON.stringify(params)}}`),
  ]);
}

function written(at: number): string {
  return new Date(at).toISOString();
}
