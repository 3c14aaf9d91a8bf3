import type { FinishedRun } from '../journal/journal.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import type { RunResult } from '../pipeline/run/run-migration.ts';
import { runHeld, runUnchanged } from '../pipeline/run/unread-runs.ts';
import { platformOf } from './session/connect.ts';
import type { Environment, Reporter } from '../host/environment.ts';
import type { ExportFingerprint } from './reading/export-fingerprint.ts';
import { journalOf } from './session/journal-of.ts';
import { leaseSettings } from './session/lease-settings.ts';
import { openToChange } from './session/open-to-change.ts';
import { headOf, nameOf } from './run-head.ts';
import type { RunRequest } from './run-request.ts';
import type { RunWatch } from './watch-run.ts';

/** Those who hear of a run. */
export interface Audience {
  readonly reporter: Reporter;
  readonly hear: (event: RunEvent) => void;
  readonly watch: RunWatch;
}

/**
 * A run without anything to read or send, because everything is unchanged since an earlier one; undefined if that is
 * not so, or not certain.
 */
export async function passUnchanged(
  environment: Environment,
  request: RunRequest,
  { reporter, hear, watch }: Audience,
  { print, signal }: { readonly print: ExportFingerprint | undefined; readonly signal: AbortSignal },
): Promise<RunResult | undefined> {
  const { config, checksum = false, problems, rejects } = request;
  const wantsReading = problems !== undefined || rejects !== undefined;
  if (print === undefined || wantsReading || !(await journalOf(environment, config).exists()))
    return undefined;
  // First of all: if the journal cannot be used, that is reported.
  const journal = await openToChange(environment, config, reporter, { create: false, checkAfterCrash: true });
  try {
    const platform = await platformOf(environment, config);
    if (platform === undefined) return undefined;
    const finished = await leftBy(await journal.finishedRuns(platform), print, checksum, signal);
    if (finished === undefined) return undefined;
    const emit = heardBy({ hear, watch });
    const head = headOf(environment, { ...request, dryRun: false }, platform);
    const result = await runUnchanged(head, finished, { journal, clock: environment.clock, emit });
    return result;
  } finally {
    await journal.close();
  }
}

/**
 * A run whose supplier another run holds, if that is known before the export is read, which may take minutes;
 * undefined if the supplier is free, or not known yet.
 */
export async function passHeld(
  environment: Environment,
  request: RunRequest,
  { reporter, hear, watch }: Audience,
  book: string | undefined,
): Promise<RunResult | undefined> {
  const { config } = request;
  const store = journalOf(environment, config);
  if (!(await store.exists())) return undefined;
  const platform = await platformOf(environment, config);
  if (platform === undefined) return undefined;
  const { clock } = environment;
  const { isDead } = leaseSettings(environment, config);
  const wanted = { platform, supplier: config.supplier, export: nameOf(request), book };
  const found = await store.heldSupplier(wanted, { now: clock.now(), isDead });
  if (found === undefined) return undefined;
  const journal = await openToChange(environment, config, reporter, { create: false });
  try {
    const emit = heardBy({ hear, watch });
    return await runHeld(headOf(environment, request, platform), found, { journal, clock, emit });
  } finally {
    await journal.close();
  }
}

/** For a run that reads no account: everybody hears of it. */
export function heardBy({ hear, watch }: Pick<Audience, 'hear' | 'watch'>): (event: RunEvent) => void {
  return (event) => {
    hear(event);
    watch.hear(event);
  };
}

/** The earlier run with the same export: by the metadata of its files, or by their contents. */
async function leftBy(
  runs: readonly FinishedRun[],
  print: ExportFingerprint,
  checksum: boolean,
  signal: AbortSignal,
): Promise<FinishedRun | undefined> {
  const asItLies = runs.find(({ fingerprint }) => fingerprint === print.fingerprint);
  if (asItLies !== undefined && !checksum) return asItLies;
  // With another size the contents differ, so they need not be read.
  const likely = runs.filter(({ content }) => content?.startsWith(`${print.bytes} `));
  if (likely.length === 0) return undefined;
  const held = await print.content(signal);
  return likely.find(({ content }) => content === held);
}
