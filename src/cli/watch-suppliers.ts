import type { Config } from '../config/load-config.ts';
import { withTotal, zeroCounts } from '../domain/account-state.ts';
import type { Clock } from '../domain/clock.ts';
import type { Journal, RunEntry, SupplierOverview } from '../journal/journal.ts';
import { Throughput } from '../report/throughput.ts';
import type { SupplierStatus } from '../report/status-table.ts';
import { recordedSuppliers } from './recorded-suppliers.ts';

/** The rate is taken over so long (ms). */
const paceMs = 60_000;

/** Looks at the journal's suppliers again and again: each look tells how fast they went since the ones before. */
export function watchSuppliers(
  config: Config,
  clock: Clock,
): (journal: Journal) => Promise<readonly SupplierStatus[]> {
  const startedAt = clock.monotonic();
  const paces = new Map<string, { readonly pace: Throughput; readonly from: number }>();

  async function watched(
    journal: Journal,
    overview: SupplierOverview,
    latest: RunEntry | undefined,
  ): Promise<SupplierStatus> {
    const { platform, supplier } = overview;
    const { pending, staged, imported } = { ...zeroCounts(), ...overview.accounts };
    const { total } = withTotal(overview.accounts);
    const begun = pending + staged + imported;
    const done = total - begun;
    const now = clock.monotonic();
    const name = `${platform}\n${supplier}`;
    const known = paces.get(name) ?? { pace: new Throughput(paceMs, now), from: done };
    paces.set(name, known);
    const since = done - known.from;
    const isRunning =
      latest?.end === undefined &&
      latest?.platform === platform &&
      (latest.supplier === undefined || latest.supplier === supplier);
    return {
      ...overview,
      watched: {
        perSecond: known.pace.note(now, since),
        averagePerSecond: now > startedAt ? (since / (now - startedAt)) * 1000 : 0,
        // What the run has not come to is not in the journal.
        rest: begun + (isRunning ? Math.max(0, (latest.named ?? 0) - total) : 0),
        troubles: await journal.lastTroubles(platform, supplier),
        ...(isRunning && latest.pace !== undefined ? { flow: latest.pace } : {}),
      },
    };
  }

  return async (journal) => {
    let latest: RunEntry | undefined;
    for await (const run of journal.runs(1)) latest = run;
    const suppliers = await recordedSuppliers(journal, config);
    return Promise.all(suppliers.map((overview) => watched(journal, overview, latest)));
  };
}
