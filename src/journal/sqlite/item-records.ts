import type { Sqlite } from '../../sqlite/open-database.ts';
import { partStates } from '../core/codes.ts';
import { unknownPlatform } from '../core/items.ts';
import type { FoundItemRow, ItemCountRow, ItemReads, ItemRow, ItemWrites } from '../core/statements.ts';

const columns = `identity AS platform, step, item, state, hash, attempt, lost, run, restore, sent_at, took, outcome, status,
  code, words`;
const { sent, done } = partStates.of;

/** The record of the items of steps that a profile adds. */
export function itemStatements(db: Sqlite): ItemReads & ItemWrites {
  const find = db.prepare<[string, string, string], FoundItemRow>(
    `SELECT restores.latest, found.* FROM (SELECT coalesce(max(id), 0) AS latest FROM restore) AS restores
    LEFT JOIN (SELECT ${columns} FROM item JOIN platform ON platform.id = platform
      WHERE identity = ? AND step = ? AND item = ?) AS found`,
  );
  const intend = db.prepare<
    [step: string, item: string, hash: string, run: number, at: number, platform: string]
  >(
    `INSERT INTO item (platform, step, item, state, hash, attempt, lost, run, restore, sent_at)
    SELECT id, ?, ?, ${sent}, ?, 1, 0, ?, (SELECT coalesce(max(id), 0) FROM restore), ? FROM platform WHERE identity = ?
    ON CONFLICT (platform, step, item) DO UPDATE SET state = excluded.state, hash = excluded.hash,
      attempt = attempt + 1, lost = lost + (state = ${sent}), run = excluded.run, restore = excluded.restore,
      sent_at = excluded.sent_at, took = NULL, outcome = NULL, status = NULL, code = NULL, words = NULL`,
  );
  const settle = db.prepare<
    [
      ...[state: number, at: number, outcome: string, status: number | null, code: string | null],
      ...[words: string | null, platform: string, step: string, item: string],
    ]
  >(
    `UPDATE item SET state = ?, took = max(0, ? - sent_at), outcome = ?, status = ?, code = ?, words = ?
    WHERE platform = (SELECT id FROM platform WHERE identity = ?) AND step = ? AND item = ?`,
  );
  const rule = db.prepare<[state: number, at: number, platform: string, step: string, item: string]>(
    `UPDATE item SET state = ?, took = max(0, ? - sent_at), outcome = 'ruling', lost = 0, status = NULL, code = NULL,
      restore = (SELECT coalesce(max(id), 0) FROM restore)
    WHERE platform = (SELECT id FROM platform WHERE identity = ?) AND step = ? AND item = ? AND state <> ${done}`,
  );
  const count = db.prepare<[string | null], ItemCountRow>(
    `SELECT identity AS platform, step, state, count(*) AS items FROM item JOIN platform ON platform.id = platform
    WHERE identity = coalesce(?, identity) GROUP BY identity, step, state ORDER BY identity, step`,
  );
  const page = db.prepare<[string, string, string], ItemRow>(
    `SELECT ${columns} FROM item JOIN platform ON platform.id = platform
    WHERE identity = ? AND step = ? AND item > ? AND state <> ${done} ORDER BY item LIMIT 200`,
  );

  return {
    find: ({ platform, step, item }) => find.get(platform, step, item),
    intend({ platform, step, item }, { hash, run, at }) {
      if (intend.run(step, item, hash, run, at, platform).changes === 0) throw unknownPlatform(platform);
    },
    settle({ platform, step, item }, { state, at, outcome, status, code, words }) {
      settle.run(state, at, outcome, status ?? null, code ?? null, words ?? null, platform, step, item);
    },
    rule: ({ platform, step, item }, state, at) => rule.run(state, at, platform, step, item).changes > 0,
    counts: (platform) => count.all(platform ?? null),
    page: (platform, step, after = '') => page.all(platform, step, after),
  };
}
