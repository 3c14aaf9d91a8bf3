import { isOnce } from './account-fields.ts';
import { wordsOf } from './name-words.ts';
import { quoted } from './mapping-lines.ts';
import type { GuessedColumn, GuessedTable } from './guessed-table.ts';

/** Columns that say what an address is for. */
const kindName =
  /^(?:type|typ|kind|art|purpose|usage|use|role|rolle|zweck|verwendung|nature|usage|tipo|soort|rodzaj|typ[eo]s?)$/;
/** What addresses of supply are called: every word is at the beginning of a text or of one of its words. */
const ofSupply =
  /^(?:suppl|ship|deliver|liefer|versand|install|service|premise|site$|verbrauch|abnahme|livrais|fournit|consegn|fornitur|entreg|envio|suministr|aflever|lever|dostaw)/;
const ofBilling = /^(?:bill|invoic|rechnung|faktur|factur|fatur|fattur|post|mail|korrespond|corresp)/;
/** More different texts are no kinds. */
const mostKinds = 12;

/** Which rows of a table of addresses are those for bills, as conditions of `where`. */
export interface KindOfAddress {
  readonly column: string;
  readonly where: string;
  /** Whether nearly no account has several rows of this kind. */
  readonly isOnce: boolean;
}

/** The kind of the addresses for bills in a table that has those of places of supply as well; undefined if it has no such kinds. */
export function kindForBills(table: GuessedTable): KindOfAddress | undefined {
  for (const column of table.columns) {
    const kinds = kindsOf(column);
    const supply = kinds.filter((kind) => says(kind, ofSupply));
    if (supply.length === 0 || supply.length === kinds.length) continue;
    // Where another table lists the kinds, some may be used nowhere.
    const isOwn = table.sample.rows.some((row) => row.has(column.name));
    const billing = isOwn ? kinds.filter((kind) => says(kind, ofBilling) && !supply.includes(kind)) : [];
    const rows = table.sample.rows.filter((row) => {
      const text = row.get(column.name) ?? '';
      return billing.length > 0 ? billing.includes(text) : !supply.includes(text);
    });
    const texts = (billing.length > 0 ? billing : supply).map((text) => quoted(text));
    const list = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
    return {
      column: column.name,
      where: `{ ${quoted(column.name)}: ${billing.length > 0 ? list : `{ not: ${list} }`} }`,
      isOnce: isOnce(table, rows),
    };
  }
  return undefined;
}

function kindsOf({ name, texts }: GuessedColumn): readonly string[] {
  const isKind = wordsOf(name).some((word) => kindName.test(word) || /(?:type|typ|kind|art)$/.test(word));
  const kinds = [...new Set(texts)].filter((text) => text !== '');
  return isKind && kinds.length > 1 && kinds.length <= mostKinds ? kinds : [];
}

function says(text: string, pattern: RegExp): boolean {
  return wordsOf(text).some((word) => pattern.test(word));
}
