import type { Sqlite } from '../../sqlite/open-database.ts';
import { commandKey, type InterventionRow } from '../core/history-rows.ts';
import { pageSizes } from '../core/pages.ts';
import type { Intervention } from '../journal.ts';
import type { Actors } from './actors.ts';

export type Interventions = ReturnType<typeof interventionsOf>;

/** Manual commands: one row for each, and the accounts that it changed. */
export function interventionsOf(db: Sqlite, actors: Actors) {
  const insert = db.prepare<[string, number, number | null, number | null]>(
    'INSERT INTO intervention (command, at, actor, accounts) VALUES (?, ?, ?, ?)',
  );
  const addAccount = db.prepare<[number, number]>(
    'INSERT INTO intervened (account, intervention) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const countUp = db.prepare<[number]>('UPDATE intervention SET accounts = accounts + 1 WHERE id = ?');
  const select = `
    SELECT intervention.id, command, at, accounts, actor.user AS login, actor.host, actor.version
    FROM intervention LEFT JOIN actor ON actor.id = intervention.actor`;
  const selectPage = db.prepare<[number], InterventionRow>(
    `${select} WHERE intervention.id < ? ORDER BY intervention.id DESC LIMIT ${pageSizes.history}`,
  );
  const selectOn = db.prepare<[number], InterventionRow>(`
    ${select} WHERE command = 'restore'
      OR intervention.id IN (SELECT intervention FROM intervened WHERE account = ?)
    ORDER BY intervention.id`);
  let last: { readonly is: string; readonly id: number } | undefined;

  function add({ command, at, by }: Intervention): number {
    const accounts = command === 'restore' ? null : 0;
    return Number(insert.run(command, at, actors.numberOf(by), accounts).lastInsertRowid);
  }

  return {
    add,

    /** Records that a command changed an account. The first change of a command creates its row. */
    note(accountId: number, intervention: Intervention): void {
      const is = commandKey(intervention);
      if (last?.is !== is) last = { is, id: add(intervention) };
      if (addAccount.run(accountId, last.id).changes === 1) countUp.run(last.id);
    },

    page: (before = Number.MAX_SAFE_INTEGER) => selectPage.all(before),

    on: (accountId: number) => selectOn.all(accountId),
  };
}
