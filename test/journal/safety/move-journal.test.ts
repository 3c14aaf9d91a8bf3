import { describe, expect, it } from 'vitest';
import { DatabaseRefused } from '../../../src/domain/database-refused.ts';
import { journalSpec } from '../../../src/journal/sqlite/schema.ts';
import { openDatabase } from '../../../src/sqlite/open-database.ts';
import { moveJournal } from '../../../src/journal/safety/move-journal.ts';
import {
  recordTables,
  type RecordRow,
  type RecordSource,
  type RecordTable,
  type RecordTarget,
} from '../../../src/journal/safety/records.ts';

/** Records in memory, by table, in the order of their keys. */
class Records {
  readonly rows = new Map<string, RecordRow[]>();
  readonly asked: string[] = [];

  of(name: string): RecordRow[] {
    const rows = this.rows.get(name) ?? [];
    this.rows.set(name, rows);
    return rows;
  }

  page({ name, key }: RecordTable, after: RecordRow | undefined, limit: number): Promise<RecordRow[]> {
    const isAfter = (row: RecordRow) => after === undefined || Number(row[0]) > Number(after[0]);
    if (after !== undefined && after.length !== key.length) throw new Error('no key');
    this.asked.push(`${name} ${after?.join(' ') ?? ''}`.trim());
    return Promise.resolve(this.of(name).filter(isAfter).slice(0, limit));
  }
}

const width = (name: string): number => {
  const { key = [], others = [] } = recordTables.find((one) => one.name === name) ?? {};
  return key.length + others.length;
};
const row = (name: string, id: number): RecordRow => Array.from({ length: width(name) }, () => id);

/** A journal to be moved, and a place for it. */
function move({ accounts = 1, stamp = 'first' } = {}) {
  const [from, to] = [new Records(), new Records()];
  for (let id = 1; id <= accounts; id += 1) from.of('account').push(row('account', id));
  from.of('run').push(row('run', 1), row('run', 2));
  const did: string[] = [];
  const at = { stamp, isUnchanged: true, begun: undefined as string | undefined };
  const source = {
    location: 'here',
    page: (...one: Parameters<Records['page']>) => from.page(...one),
    stamp: () => Promise.resolve(at.stamp),
    markMoved: (target: string, marked: string) => {
      did.push(`moved to ${target} at ${marked}`);
      return Promise.resolve(at.isUnchanged);
    },
  } as unknown as RecordSource;
  const target = {
    location: 'there',
    page: (...one: Parameters<Records['page']>) => to.page(...one),
    begunFrom: () => Promise.resolve(at.begun),
    begin: (begun: string) => {
      to.rows.clear();
      return Promise.resolve(void did.push(`begin ${begun}`));
    },
    lastKey: ({ name, key }: RecordTable) => Promise.resolve(to.of(name).at(-1)?.slice(0, key.length)),
    add: ({ name }: RecordTable, rows: readonly RecordRow[]) =>
      Promise.resolve(void to.of(name).push(...rows)),
    publish: () => Promise.resolve(void did.push('publish')),
  } as unknown as RecordTarget;
  const progress: string[] = [];
  const run = () =>
    moveJournal(source, target, {
      copied: (table, rows) => void progress.push(`copied ${table} ${rows}`),
      compared: (table, rows) => void progress.push(`compared ${table} ${rows}`),
    });
  return { from, to, at, did, progress, target, run };
}

describe('a journal that is moved', () => {
  it('has every record in its new place, which is a journal only then', async () => {
    const { from, to, did, progress, run } = move({ accounts: 2001 });
    expect(await run()).toEqual({ rows: 2003, accounts: 2001, isContinued: false });
    expect(to.rows.get('account')).toEqual(from.rows.get('account'));
    expect(did).toEqual(['begin first', 'moved to there at first', 'publish']);
    expect(progress).toEqual([
      ...['copied run 2', 'copied account 1000', 'copied account 1000', 'copied account 1'],
      ...['compared run 2', 'compared account 1000', 'compared account 1000', 'compared account 1'],
    ]);
  });

  it('goes on after an interruption, with what is not there yet', async () => {
    const { from, to, at, did, run } = move({ accounts: 3 });
    to.of('account').push(...from.of('account').slice(0, 2));
    at.begun = 'first';
    expect(await run()).toEqual({ rows: 5, accounts: 3, isContinued: true });
    expect(did).toEqual(['moved to there at first', 'publish']);
    expect(from.asked.filter((one) => one.startsWith('account'))[0]).toBe('account 2');
    expect(to.of('account')).toHaveLength(3);
  });

  it('begins anew where it was written to since', async () => {
    const { to, at, did, run } = move();
    to.of('account').push(row('account', 9));
    at.begun = 'earlier';
    expect(await run()).toMatchObject({ rows: 3, isContinued: false });
    expect(did[0]).toBe('begin first');
    expect(to.of('account')).toEqual([row('account', 1)]);
  });

  it('is moved by nobody once it changed meanwhile, and nothing is published', async () => {
    const { at, did, run } = move();
    at.isUnchanged = false;
    await expect(run()).rejects.toThrow(
      'The journal here was changed while it was moved, so nothing was moved. End all runs, and run the command again.',
    );
    await expect(run()).rejects.toThrow(expect.objectContaining({ reason: 'locked' }));
    expect(did).not.toContain('publish');
  });

  it.each<[string, (rows: RecordRow[]) => void]>([
    ['a row differs', (rows) => void (rows[0] = row('account', 7))],
    ['a row is missing', (rows) => void rows.pop()],
    ['there is one too many', (rows) => void rows.push(row('account', 9))],
  ])('stays where it is if %s in the copy', async (_what, damage) => {
    const { to, did, target, run } = move({ accounts: 2 });
    const add = target.add.bind(target);
    target.add = async (table, rows) => {
      await add(table, rows);
      if (table.name === 'account') damage(to.of('account'));
    };
    const ended: unknown = await run().catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(DatabaseRefused);
    expect(ended).toMatchObject({
      reason: 'damaged',
      message:
        'The copy of here in there differs in the table account. ' +
        'Nothing was moved. Check the journal with migrate journal check, and the disks.',
    });
    expect(did).toEqual(['begin first']);
  });
});

describe('the records of a journal', () => {
  const db = openDatabase(':memory:', { ...journalSpec, synchronous: 'NORMAL' }, { create: true });
  const namesIn = (sql: string): string[] => db.prepare<[], string>(sql).pluck().all().sort();
  // What matters only while a run is going on.
  const leftBehind = new Map([['lease', ['expires_at', 'host', 'pid', 'process_start', 'since']]]);

  it.each(recordTables)('have every column of $name', ({ name, key, others }) => {
    expect([...key].sort()).toEqual(namesIn(`SELECT name FROM pragma_table_info('${name}') WHERE pk > 0`));
    expect([...key, ...others, ...(leftBehind.get(name) ?? [])].sort()).toEqual(
      namesIn(`SELECT name FROM pragma_table_info('${name}')`),
    );
  });

  it('are in every table but those about one file, after what they refer to', () => {
    const tables = namesIn(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    const moved = recordTables.map(({ name }) => name);
    expect([...moved, 'moved', 'stamp'].sort()).toEqual(tables);
    for (const [place, table] of moved.entries()) {
      const referred = namesIn(`SELECT DISTINCT "table" FROM pragma_foreign_key_list('${table}')`);
      expect(referred.filter((other) => moved.indexOf(other) > place)).toEqual([]);
    }
  });
});
