import { fieldsOf, isOnce, namesAccount } from './account-fields.ts';
import { quoted } from './mapping-lines.ts';
import type { GuessedTable } from './guessed-table.ts';

/** Tables of what people can be reached by. */
const ofContacts = /(?:mail|phone|telef|contact|kontakt|communicat|kommunik|coordonn|contatt|recapit)/i;

/** The value of a customer's field in a table of its own, as the mapping writes it. */
export interface ContactGuess {
  readonly field: string;
  readonly value: string;
}

/** The customer's email and phone in other tables: one row for each account, or rows of several kinds. `known`: fields found elsewhere. */
export function contactsIn(
  tables: readonly GuessedTable[],
  known: ReadonlySet<string>,
): readonly ContactGuess[] {
  const seen = new Set(known);
  return tables.slice(1).flatMap((table) => {
    if (!ofContacts.test(table.name) || !namesAccount(table)) return [];
    return (isOnce(table) ? single(table, tables) : []).concat(byKind(table)).filter(({ field }) => {
      const isNew = !seen.has(field);
      seen.add(field);
      return isNew;
    });
  });
}

function single(table: GuessedTable, tables: readonly GuessedTable[]): readonly ContactGuess[] {
  return fieldsOf(table, tables)
    .filter(({ field }) => field === 'email' || field === 'landline')
    .map(({ field, column }) => ({ field, value: `{ from: ${table.name}, each: ${quoted(column)} }` }));
}

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const phone = /^[+(\d][\d\s()/.-]{5,}$/;
const phoneKind = /(?:tel|phon|mob|cell|handy|fest|landline|portable|fixe)/i;
/** More different texts are no kinds. */
const mostKinds = 12;

/** Fields in a column that has emails in the rows of one kind, and phone numbers in those of others. */
function byKind(table: GuessedTable): readonly ContactGuess[] {
  const { rows, columns } = table.sample;
  const values = columns.filter((name) => rows.some((row) => email.test(row.get(name) ?? '')));
  for (const kind of columns) {
    const kinds = [...new Set(rows.map((row) => row.get(kind) ?? ''))].filter((text) => text !== '');
    const isKind = kinds.length > 1 && kinds.length <= mostKinds && kinds.length * 2 <= rows.length;
    // Numbers are rather positions: the first of each customer may be an email by chance.
    if (!isKind || !kinds.every((text) => /\p{L}/u.test(text))) continue;
    for (const value of values) {
      const all = (known: string, pattern: RegExp): boolean =>
        rows.every((row) => row.get(kind) !== known || pattern.test(row.get(value) ?? ''));
      const found = {
        email: kinds.filter((known) => all(known, email)),
        landline: kinds.filter((known) => phoneKind.test(known) && all(known, phone)),
      };
      if (value === kind || found.email.length === 0 || found.email.length === kinds.length) continue;
      return Object.entries(found).flatMap(([field, known]): ContactGuess[] =>
        known.length === 0 ? [] : [{ field, value: chosen(table.name, kind, known, value) }],
      );
    }
  }
  return [];
}

function chosen(table: string, kind: string, known: readonly string[], value: string): string {
  const texts = known.map((text) => quoted(text));
  const text = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
  return `{ from: ${table}, where: { ${quoted(kind)}: ${text} }, take: first, each: ${quoted(value)} }`;
}
