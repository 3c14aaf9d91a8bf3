import type { Actor } from '../../domain/actor.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';
import { accountReads } from './account-reads.ts';
import { accountWrites } from './account-writes.ts';
import { actorsOf } from './actors.ts';
import { countersOf } from './counters.ts';
import { historyStatements } from './history.ts';
import { interventionsOf } from './interventions.ts';
import { itemStatements } from './item-records.ts';
import { partsOf } from './parts.ts';
import { problemStatements } from './problems.ts';
import { readBackStatements } from './read-back-records.ts';
import { readingsOf } from './readings.ts';
import { recentFailuresOf } from './recent-failures.ts';
import { restoreMarksOf } from './restore-marks.ts';
import { runStatements } from './runs.ts';
import { sourcesOf } from './sources.ts';
import { stampsOf } from './stamps.ts';
import { suppliersOf } from './suppliers.ts';
import { upgradeStatements } from './upgrade-records.ts';

export type SqliteStatements = ReturnType<typeof statementsOf>;

/** All statements of a journal, prepared. */
export function statementsOf(db: Sqlite) {
  const suppliers = suppliersOf(db);
  const sources = sourcesOf(db);
  const actors = actorsOf(db);
  const interventions = interventionsOf(db, actors);
  const stamps = stampsOf(db);
  const restores = restoreMarksOf(db, interventions, stamps);
  const readings = readingsOf(db, sources);
  const counters = countersOf(db, readings, restores);
  const parts = partsOf(db);
  const troubles = recentFailuresOf(db, suppliers);
  const accounts = accountReads(db, { suppliers, sources, parts, restores, counters, troubles });
  const history = historyStatements(db, parts, interventions);
  const runs = runStatements(db, suppliers, actors, restores);
  const upgrades = upgradeStatements(db, actors);
  const readBack = readBackStatements(db);
  const items = itemStatements(db);

  return {
    suppliers,
    stamps,
    restores,
    tally: counters,
    reads: { accounts, history, runs, upgrades, readBack, items },
    writes: {
      ...{ runs, readings, fixes: history, upgrades, readBack, items },
      markRestored: (at: number, by?: Actor) => restores.markRestored(at, by),
      markDoubted: (at: number) => restores.markDoubted(at),
    },
    accountWrites: {
      ...parts,
      ...problemStatements(db),
      ...accountWrites(db, {
        ...{ reads: accounts, suppliers, sources, readings, restores, troubles, interventions },
        tally: counters.changes,
      }),
    },
  };
}
