import { partStates } from '../core/codes.ts';
import { unknownPlatform } from '../core/items.ts';
import type { FoundItemRow, ItemCountRow, ItemReads, ItemRow, ItemWrites } from '../core/statements.ts';
import type { JournalConnection } from './connection.ts';
import type { OpenTransaction } from './write-queue.ts';

const columns = `identity AS platform, step, item, state, hash, attempt, lost, run, restore, sent_at, took, outcome, status,
  code, words`;
const { sent, done } = partStates.of;
const joined = 'item JOIN platform ON platform.id = item.platform';
const ofRef = 'platform = (SELECT id FROM platform WHERE identity = $1) AND step = $2 AND item = $3';

const selectItem = `
  SELECT restores.latest, found.* FROM (SELECT coalesce(max(id), 0) AS latest FROM restore) AS restores
  LEFT JOIN (SELECT ${columns} FROM ${joined} WHERE identity = $1 AND step = $2 AND item = $3) AS found ON true`;
const putIntent = `
  INSERT INTO item (platform, step, item, state, hash, attempt, lost, run, restore, sent_at)
  SELECT id, $2, $3, ${sent}, $4, 1, 0, $5, (SELECT coalesce(max(id), 0) FROM restore), $6 FROM platform WHERE identity = $1
  ON CONFLICT (platform, step, item) DO UPDATE SET state = excluded.state, hash = excluded.hash,
    attempt = item.attempt + 1, lost = item.lost + CASE WHEN item.state = ${sent} THEN 1 ELSE 0 END, run = excluded.run,
    restore = excluded.restore, sent_at = excluded.sent_at, took = NULL, outcome = NULL, status = NULL, code = NULL,
    words = NULL`;
const putOutcome = `
  UPDATE item SET state = $4, took = greatest(0, $5 - sent_at), outcome = $6, status = $7, code = $8, words = $9
  WHERE ${ofRef}`;
const putRuling = `
  UPDATE item SET state = $4, took = greatest(0, $5 - sent_at), outcome = 'ruling', lost = 0, status = NULL, code = NULL,
    restore = (SELECT coalesce(max(id), 0) FROM restore)
  WHERE ${ofRef} AND state <> ${done}`;
const selectCounts = `
  SELECT identity AS platform, step, state, count(*)::bigint AS items FROM ${joined}
  WHERE identity = coalesce($1, identity) GROUP BY identity, step, state ORDER BY identity, step`;
const selectPage = `
  SELECT ${columns} FROM ${joined} WHERE identity = $1 AND step = $2 AND item > $3 AND state <> ${done}
  ORDER BY item LIMIT 200`;

/** The record of the items of steps that a profile adds. */
export function itemReads(connection: JournalConnection): ItemReads {
  return {
    find: async ({ platform, step, item }) =>
      (await connection.query<FoundItemRow>(selectItem, [platform, step, item]))[0],
    counts: (platform) => connection.query<ItemCountRow>(selectCounts, [platform ?? null]),
    page: (platform, step, after = '') => connection.query<ItemRow>(selectPage, [platform, step, after]),
  };
}

export function itemWrites({ connection }: OpenTransaction): ItemWrites {
  return {
    async intend({ platform, step, item }, { hash, run, at }) {
      const added = await connection.change(putIntent, [platform, step, item, hash, run, at]);
      if (added === 0) throw unknownPlatform(platform);
    },

    async settle({ platform, step, item }, { state, at, outcome, status, code, words }) {
      const said = [outcome, status ?? null, code ?? null, words ?? null];
      await connection.change(putOutcome, [platform, step, item, state, at, ...said]);
    },

    async rule({ platform, step, item }, state, at) {
      return (await connection.change(putRuling, [platform, step, item, state, at])) > 0;
    },
  };
}
