import type { AccountsTable } from './accounts-table.ts';
import { attachmentsOf, takenOf, type Attachment } from './attached-tables.ts';
import type { Reference } from './references.ts';
import type { TableView } from './table-view.ts';

/**
 * How a table's rows find their accounts. `account`: they are the accounts. `child`: they name the account, or a row of
 * another table that does. `catalogue`: rows of accounts name them, so that a row may be of several accounts or of none. `none`: not at all.
 */
export interface Way {
  readonly table: TableView;
  readonly kind: 'account' | 'child' | 'catalogue' | 'none';
  /** Of a child, its reference to the other table; of a catalogue, that table's reference to it. */
  readonly reference?: Reference;
  /** Of a child whose rows hang on a row that the account refers to: how. Several if accounts of different kinds refer to different rows. */
  readonly attachments?: readonly Attachment[];
  /** Other such ways, which are not taken. */
  readonly others?: readonly Attachment[];
}

/** Below a table that hangs on an account's person, so many more. */
const mostBelow = 2;

/** The way of each table to the accounts, by certain references; the accounts first, then children, then catalogues, each behind those it depends on. */
export function waysIn(
  tables: readonly TableView[],
  accounts: AccountsTable,
  references: readonly Reference[],
): readonly Way[] {
  const usable = references.filter(
    ({ sureness, from, columns }) =>
      sureness !== 'unsure' &&
      // The number of an account refers to nothing.
      !(from === accounts.table && columns.join() === accounts.key.join()),
  );
  const ways: Way[] = [{ table: accounts.table, kind: 'account' }];
  const reached = new Set([accounts.table]);
  const add = (way: Way): void => {
    ways.push(way);
    reached.add(way.table);
  };
  // A table that has several ways takes the shortest.
  const descend = (from: readonly Way[], levels: number): void => {
    for (let level = from, depth = 0; level.length > 0 && depth < levels; depth += 1) {
      const parents = level.map(({ table }) => table);
      const next = tables.flatMap((table): Way[] => {
        if (reached.has(table)) return [];
        const reference = best(
          usable.filter(({ from: own, to }) => own === table && parents.includes(to)),
          accounts,
        );
        return reference === undefined ? [] : [{ table, kind: 'child', reference }];
      });
      next.forEach(add);
      level = next;
    }
  };
  descend(ways, Infinity);
  const attached = tables.flatMap((table): Way[] => {
    const all = reached.has(table) ? [] : attachmentsOf(table, accounts, usable);
    const [first] = all;
    if (first === undefined || first.isUnsure) return [];
    const attachments = takenOf(all);
    const others = all.filter((way) => !attachments.includes(way));
    return [{ table, kind: 'child', reference: first.reference, attachments, others }];
  });
  attached.forEach(add);
  descend(attached, mostBelow);
  for (const { table } of ways) {
    const own = usable.filter(({ from, to }) => from === table && !reached.has(to));
    for (const to of new Set(own.map((reference) => reference.to))) {
      const reference = best(
        own.filter((one) => one.to === to),
        accounts,
      );
      if (reference !== undefined) add({ table: to, kind: 'catalogue', reference });
    }
  }
  return [
    ...ways,
    ...tables.flatMap((table): Way[] => (reached.has(table) ? [] : [{ table, kind: 'none' }])),
  ];
}

/** The reference to the account itself, then the one of which the names say most. */
function best(references: readonly Reference[], accounts: AccountsTable): Reference | undefined {
  const isDirect = ({ to, references: columns }: Reference): number =>
    Number(to === accounts.table && columns.join() === accounts.key.join());
  return [...references].sort((one, other) => isDirect(other) - isDirect(one) || other.rank - one.rank)[0];
}
