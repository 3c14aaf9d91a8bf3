import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { saysAbsent } from '../account/contradiction.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import { refusedBy } from '../request/part.ts';
import { saysAlreadyImported, supplierNotOngoing } from './stage.ts';
import { judged, stopped, type StepResult } from './step-result.ts';

/**
 * Processes with dry_run (endpoint 3): its 400 with the defined message is the success (interface, section 7).
 * Nothing is created, so it is repeated freely and not recorded in the journal.
 */
export async function dryRun(
  context: RunContext,
  run: AccountRun,
): Promise<StepResult & { wouldImport?: true }> {
  const { supplier, account } = run.plan.key;
  const body = JSON.stringify({
    external_account_number: account,
    import_supplier_code: supplier,
    operations_team_name: context.settings.team === '' ? undefined : context.settings.team,
    dry_run: true,
  });
  const outcome = await sendWithRetry(context, {
    account,
    supplier,
    step: 'process',
    isProcess: true,
    // It was staged right before.
    contradicts: saysAbsent,
    send: (signal) => context.client.post('process', body, { signal, key: run.plan.key, about: run.sent }),
  });
  if (outcome.kind === 'stopped') return stopped;
  if (outcome.kind !== 'said') return { state: 'failed', code: outcome.cause, problems: [] };
  const { answer } = outcome;
  if (answer.kind === 'ok') {
    context.stop.stop('dry-run-ignored', account);
    return { state: 'uncertain', code: 'dry_run_ignored', problems: [] };
  }
  if (answer.refusal.wouldImport) return { state: 'done', code: '', problems: [], wouldImport: true };
  if (saysAlreadyImported(answer.refusal))
    return { state: 'skipped', code: 'already_imported', problems: [] };
  const verdict = refusedBy(answer);
  if (supplierNotOngoing(context, run, verdict)) return stopped;
  return judged(verdict);
}
