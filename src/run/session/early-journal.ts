import type { Environment } from '../../host/environment.ts';
import type { RowsAsked } from '../../journal/journal.ts';
import { exportPlace } from '../reading/export-place.ts';
import type { RunRequest } from '../run-request.ts';
import type { FindRows } from '../worker/open-ready.ts';
import { platformOf, unlessOutdated } from './connect.ts';
import { journalOf } from './journal-of.ts';

/** Whether every account is to be mapped, changed or not: for the problems that it has, or to be compared with a list. */
export function mapsAll({ problems, rejects, documents, accounts, approved, dryRun }: RunRequest): boolean {
  return (
    [problems, rejects, documents, accounts, approved].some((one) => one !== undefined) || dryRun === true
  );
}

/** Unchanged accounts are mapped too. */
export function mappedAnyway(find: FindRows): FindRows {
  return async (accounts) =>
    (await find(accounts)).map((found) => (found.is === 'unchanged' ? { is: 'same' } : found));
}

/** Counts the completed accounts of which a first reading tells whether they changed. */
export class CompletedSeen {
  /** Completed accounts. */
  seen = 0;
  /** Of these, those that were completed from other rows, or from rows that were mapped otherwise. */
  changed = 0;

  counting(find: FindRows): FindRows {
    return async (accounts) => {
      const found = await find(accounts);
      for (const one of found) {
        const isChanged = 'wasCompleted' in one;
        if (isChanged || one.is === 'unchanged') this.seen += 1;
        if (isChanged) this.changed += 1;
      }
      return found;
    };
  }
}

/**
 * The journal for looking accounts up while the export is first read; undefined if there is none. What it says is asked again
 * when the run holds the accounts.
 */
export async function openEarly(environment: Environment, request: RunRequest, mapping: string) {
  const store = journalOf(environment, request.config);
  if (!(await store.exists())) return undefined;
  const platform = await platformOf(environment, request.config);
  if (platform === undefined) return undefined;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  if (journal === undefined) return undefined;
  const place = await exportPlace(environment, request);
  return {
    mapping,
    find: (accounts: readonly RowsAsked[]) => journal.recognise(platform, place, accounts),
    close: () => journal.close(),
  };
}
