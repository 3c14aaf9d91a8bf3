import { companyNames, fieldWords, plainField, wholeNames } from './field-words.ts';
import type { Reference } from './references.ts';
import type { TableView } from './table-view.ts';
import { wordsOf } from './name-words.ts';

/** Names of columns that only people and companies have: what is called name alone may be that of anything. */
const ofPeople: ReadonlySet<string> = new Set(
  [...fieldWords.customers.family_name, ...fieldWords.customers.email, ...wholeNames, ...companyNames].filter(
    (word) => !/^(?:name|nom|mail|firma)$/.test(word),
  ),
);
const staff =
  /^(?:employees?|staff|sales(?:person|people|rep)|reps?|clerks?|operators?|technicians?|users?|mitarbeiter|sachbearbeiter|dipendent[ei]|medewerkers?|werknemers?|employes?|salaries?|empleados?|funcionarios?|pracowni(?:k|cy|ka))$/i;

/** Whether the rows of a table are people or companies, such as the staff. */
export function hasPeople({ sample }: TableView): boolean {
  return sample.columns.some((name) => ofPeople.has(plainField(name)));
}

/** Whether a table or a column is named as those who work for the company are. */
export function namesStaff(name: string): boolean {
  const words = wordsOf(name.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  return words.some((word) => staff.test(word)) || words.join('').endsWith('salesperson');
}

/**
 * The tables whose rows are people or companies: those with such columns, and those whose primary key is that of such a table,
 * as an employee's is that of a person.
 */
export function peopleIn(
  tables: readonly TableView[],
  references: readonly Reference[],
): ReadonlySet<TableView> {
  const found = new Set(tables.filter(hasPeople));
  const kinds = references.filter(isKindOf);
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { from, to } of kinds) if (found.has(to) && namesStaff(from.label)) found.add(from);
  }
  return found;
}

/** Whether a reference is the primary key of its table: each row is one of the other table's, with more columns. */
export function isKindOf({ from, columns, sureness }: Reference): boolean {
  const key = from.sample.declared?.keys[0];
  return (
    sureness === 'declared' && key?.length === columns.length && key.every((name) => columns.includes(name))
  );
}
