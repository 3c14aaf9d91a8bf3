import type { Config } from '../config/load-config.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import type { AccountEntry, Journal } from '../journal/journal.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { changesSinceSent } from '../pipeline/account/changes-since-sent.ts';
import { printOf } from '../pipeline/hash.ts';
import type { SinceSent } from '../report/since-sent.ts';
import type { Printer } from '../report/printer.ts';
import { cuttingOf } from '../run/pipeline-settings.ts';
import { openRecorded } from './open-to-read.ts';
import { platformAhead, recordedPlatforms } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** What of an account is not as it was sent; undefined if the journal has not sent it, or there is none. */
export async function sinceSent(
  { shell, printer, config }: { readonly shell: Shell; readonly printer: Printer; readonly config: Config },
  plan: AccountPlan,
): Promise<SinceSent | undefined> {
  let journal: Journal | undefined;
  try {
    journal = await openRecorded(shell, config, printer);
    const entry = journal && (await sentEntry(journal, config, plan));
    if (entry === undefined) return undefined;
    const { payloadHash, planHash } = printOf(plan);
    const changes = changesSinceSent(plan, payloadHash, entry, cuttingOf(config));
    const run = entry.parts.find(({ step }) => step === 'process')?.run;
    return { run, changes, isAsSent: planHash === entry.planHash && changes.length === 0 };
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    // The payloads are right without the journal.
    printer.warn(`What changed since it was sent is not shown: ${error.message}`);
    return undefined;
  } finally {
    await journal?.close();
  }
}

/** The account as it was created; on the platform that a run would use, if on several. */
async function sentEntry(
  journal: Journal,
  config: Config,
  { key }: AccountPlan,
): Promise<AccountEntry | undefined> {
  const platforms = new Set((await recordedPlatforms(journal, config)).map(({ platform }) => platform));
  const found: { readonly platform: string; readonly entry: AccountEntry }[] = [];
  for (const { platform, supplier } of await journal.overview()) {
    if (!platforms.has(platform) || (key.supplier !== '' && supplier !== key.supplier)) continue;
    const entry = await journal.find(platform, { supplier, account: key.account });
    const isSent = entry?.steps.process === 'done' && entry.parts.some(({ step }) => step === 'process');
    if (entry !== undefined && isSent) found.push({ platform, entry });
  }
  if (found.length < 2) return found[0]?.entry;
  const ahead = await platformAhead(journal, config);
  const own = found.filter(({ platform }) => platform === ahead.platform);
  return own.length === 1 ? own[0]?.entry : undefined;
}
