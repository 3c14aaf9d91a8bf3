import { holdsAddress } from './account-fields.ts';
import { stemOf } from './name-words.ts';
import type { Reference } from './references.ts';
import type { Keyed } from './guessed-table.ts';

/** More of them would hide the others. */
const mostCopies = 12;

/**
 * The catalogues of addresses once more for each further column that names their rows: an address table may serve customers and supply points,
 * and a table of a mapping has one way to the accounts. `named`: a free name, made of two.
 */
export function secondCatalogues(
  tables: readonly Keyed[],
  references: readonly Reference[],
  named: (catalogue: string, suffix: string) => string,
): readonly Keyed[] {
  const found: Keyed[] = [];
  const follow = (from: Keyed, suffix?: string): void => {
    for (const reference of references) {
      const [column = ''] = reference.columns;
      const [key = ''] = reference.references;
      const catalogue = tables.find(({ way }) => way.table === reference.to);
      const isOwn = reference.from === from.way.table && reference.columns.length === 1;
      if (!isOwn || reference.sureness === 'unsure' || catalogue?.way.kind !== 'catalogue') continue;
      const isFirst = catalogue.via?.table === from.name && catalogue.via.column === column;
      if (isFirst || !holdsAddress(catalogue.sample) || found.length >= mostCopies) continue;
      const isSameTable = catalogue.via?.table === from.name;
      const by = suffix ?? (isSameTable ? stemOf(column) : from.name);
      const copy: Keyed = {
        name: named(catalogue.name, by),
        sample: catalogue.sample,
        way: { table: reference.to, kind: 'catalogue', reference },
        key,
        keyShape: reference.shape,
        via: { table: from.name, column },
      };
      found.push(copy);
      follow(copy, by);
    }
  };
  for (const table of tables) if (table.way.kind !== 'none') follow(table);
  return found;
}
