import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Intervention, InterventionEntry } from '../journal.ts';
import type { Actors } from './actors.ts';

const pageSize = 100;

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
  const selectPage = db.prepare<[number], InterventionRow & { id: number }>(`
    SELECT id, command, at, actor, accounts FROM intervention WHERE id < ? ORDER BY id DESC LIMIT ${pageSize}`);
  const selectOn = db.prepare<[number], Omit<InterventionRow, 'accounts'>>(`
    SELECT command, at, actor FROM intervention
    WHERE command = 'restore' OR id IN (SELECT intervention FROM intervened WHERE account = ?) ORDER BY id`);
  let last: { readonly is: string; readonly id: number } | undefined;

  function entryOf({ command, at, actor }: Omit<InterventionRow, 'accounts'>): Intervention {
    return { command, at, by: actors.byOf(actor) };
  }

  function add({ command, at, by }: Intervention): number {
    const accounts = command === 'restore' ? null : 0;
    return Number(insert.run(command, at, actors.numberOf(by), accounts).lastInsertRowid);
  }

  return {
    add,

    /** Records that a command changed an account. The first change of a command creates its row. */
    note(accountId: number, intervention: Intervention): void {
      const { command, at, by } = intervention;
      const is = JSON.stringify([command, at, by?.user, by?.host, by?.version]);
      if (last?.is !== is) last = { is, id: add(intervention) };
      if (addAccount.run(accountId, last.id).changes === 1) countUp.run(last.id);
    },

    /** Those before `before`, newest first; fewer than a page only at the end. */
    page(before: number): { readonly interventions: readonly InterventionEntry[]; readonly next?: number } {
      const rows = selectPage.all(before);
      const interventions = rows.map((row) => ({ ...entryOf(row), accounts: row.accounts ?? undefined }));
      const oldest = rows.length === pageSize ? rows.at(-1) : undefined;
      return oldest === undefined ? { interventions } : { interventions, next: oldest.id };
    },

    on(accountId: number): Intervention[] {
      return selectOn.all(accountId).map(entryOf);
    },
  };
}

interface InterventionRow {
  command: Intervention['command'];
  at: number;
  actor: number | null;
  accounts: number | null;
}
