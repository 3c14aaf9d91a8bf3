import { commandKey } from '../core/history-rows.ts';
import type { AccountIntervention, Intervention } from '../journal.ts';
import type { JournalConnection } from './connection.ts';
import { numberOfActor } from './names.ts';

/** The number of an advisory lock: two runs may notice a loss at once. */
const lossLock = 7_235_422;

/** The command that the last change belonged to: its row is made by its first change. */
export interface Noting {
  last?: { readonly is: string; readonly id: number } | undefined;
}

/** Adds a command; returns its number. */
export async function addIntervention(
  connection: JournalConnection,
  { command, at, by }: Intervention,
): Promise<number> {
  const [row] = await connection.query<{ id: number }>(
    'INSERT INTO intervention (command, at, actor, accounts) VALUES ($1, $2, $3, $4) RETURNING id',
    [command, at, await numberOfActor(connection, by), command === 'restore' ? null : 0],
  );
  return row?.id ?? 0;
}

/**
 * Records that the journal lost records, so that all accounts are in doubt. Each machine that used it finds the same loss: the history
 * has it once. `lastUse`: when this one knew the journal to be whole, in ms since the epoch; absent if that is not known.
 */
export async function noteLoss(connection: JournalConnection, at: number, lastUse = at): Promise<void> {
  // One after another, so that each sees what the others have noted.
  await connection.query(`SELECT pg_advisory_xact_lock(${lossLock})`);
  await connection.change('INSERT INTO restore (at) VALUES ($1)', [at]);
  const [noted] = await connection.query(
    "SELECT id FROM intervention WHERE command = 'restore' AND actor IS NULL AND at > $1 LIMIT 1",
    [lastUse],
  );
  if (noted === undefined) await addIntervention(connection, { command: 'restore', at });
}

/** Records that a command changed an account. */
export async function noteIntervention(
  connection: JournalConnection,
  noting: Noting,
  account: number,
  intervention: AccountIntervention,
): Promise<void> {
  const is = commandKey(intervention);
  if (noting.last?.is !== is) noting.last = { is, id: await addIntervention(connection, intervention) };
  const added = await connection.change(
    'INSERT INTO intervened (account, intervention) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [account, noting.last.id],
  );
  if (added === 1)
    await connection.change('UPDATE intervention SET accounts = accounts + 1 WHERE id = $1', [
      noting.last.id,
    ]);
}
