import type { AccountsTable } from './accounts-table.ts';
import { hasPeople, isKindOf, namesStaff } from './people.ts';
import type { Reference } from './references.ts';
import type { TableView } from './table-view.ts';

/** How the rows of a table find their account by a row that the account refers to, such as its person. */
export interface Attachment {
  /** The table's own reference, to the last table of `owner`. */
  readonly reference: Reference;
  /** The references that lead from the account to that row: one, or two if the first table's key is itself a reference. */
  readonly owner: readonly Reference[];
  /** The accounts' columns that equal those of `reference`, in their order. */
  readonly columns: readonly string[];
  /** Whether too few accounts were read to see that each has a row of its own. */
  readonly isUnsure: boolean;
}

/** Fewer different values are those of any column. */
const fewest = 3;
/** Tables that hold what belongs to a person or a place, whatever their keys are. */
const ofOwner = new RegExp(
  [
    '(?:person|party|parti|partner|business_?entity|member|household|premise|propert|site|installation|meter',
    '(?:service|supply|delivery|metering)_?(?:point|location)',
    // German, French, Spanish and Portuguese, Italian, Dutch, Polish.
    'z(?:ä|ae)hl(?:er|punkt)|(?:liefer|verbrauchs|abnahme|entnahme)_?stelle|m[ae](?:rkt|ss)_?lokation|anlage|haushalt',
    'loca(?:l|is)_?(?:de_?)?consumo|ponto_?(?:de_?)?(?:entrega|consumo|medi[cç][aã]o)',
    'points?_?de_?(?:livraison|comptage)|pdl|compteur|logement|punto_?de_?suministro|suministro|contador|medidor|instala',
    'punt[oi]_?(?:di_?)?(?:fornitura|prelievo)|fornitura|contatore|misuratore|aansluiting|punkt_?(?:poboru|odbioru)|licznik)',
  ].join('|'),
  'i',
);
/** Companies and their shops: two accounts of one have what it has. */
const ofCompany = /(?:shop|store|branch|dealer|compan|organi[sz]ation|business|firma|societe)/i;
const isSecret = /(?:password|passwd|credential|login)/i;

/**
 * The ways of a table to the accounts over a row that an account refers to, and no others or few, by declared foreign keys
 * alone; the best first. A city or a region is of many accounts, so what refers to it is not theirs.
 */
export function attachmentsOf(
  table: TableView,
  accounts: AccountsTable,
  references: readonly Reference[],
): readonly Attachment[] {
  const declared = references.filter(({ sureness }) => sureness === 'declared');
  // A kind of the same row that has rows of its own, such as the employee that a person is, is no part of the account.
  const isKind = declared.some(
    (reference) => reference.from === table && isKindOf(reference) && hasRows(table, declared),
  );
  if (isKind || isSecret.test(table.label)) return [];
  return ownersOf(accounts, declared)
    .flatMap((owner): Attachment[] => {
      const last = owner.at(-1);
      return declared.flatMap((reference) =>
        last !== undefined && reference.from === table && reference.to === last.to && belongs(reference)
          ? (attachment(reference, owner) ?? [])
          : [],
      );
    })
    .sort((one, other) => rankOf(other) - rankOf(one));
}

/** The rows that are an account's own: those that it refers to, and those of which these are a kind. */
function ownersOf({ table, key }: AccountsTable, declared: readonly Reference[]): readonly Reference[][] {
  const firsts = declared.filter(
    ({ from, to, columns }) =>
      from === table &&
      to !== table &&
      columns.join() !== key.join() &&
      !namesStaff(to.label) &&
      !columns.some(namesStaff) &&
      isOfFew(table, columns, to),
  );
  return firsts.flatMap((first) => {
    const kinds = declared.filter(
      (reference) =>
        reference.from === first.to &&
        isKindOf(reference) &&
        reference.columns.every((name) => first.references.includes(name)),
    );
    return [[first], ...kinds.map((kind) => [first, kind])];
  });
}

/** Whether each account that was read has a row of its own; a person or a shop may have two accounts, each with what it has. */
function isOfFew(table: TableView, columns: readonly string[], to: TableView): boolean {
  const texts = textsOf(table, columns);
  const distinct = new Set(texts).size;
  return texts.length > 0 && (distinct === texts.length || (isParty(to) && distinct * 2 >= texts.length));
}

function isParty(table: TableView): boolean {
  return hasPeople(table) || ofCompany.test(table.label);
}

function textsOf({ sample }: TableView, columns: readonly string[]): readonly string[] {
  return sample.rows.flatMap((row) => {
    const texts = columns.map((name) => row.get(name) ?? '');
    return texts.includes('') ? [] : [texts.join('\u0000')];
  });
}

/** Whether a row is part of the one that it refers to, which names it in its key, or is a person or a place. */
function belongs({ from, columns, to }: Reference): boolean {
  const key = from.sample.declared?.keys[0] ?? [];
  return columns.every((name) => key.includes(name)) || mayOwn(to);
}

function hasRows(table: TableView, declared: readonly Reference[]): boolean {
  return declared.some(({ from, to }) => to === table && from !== table);
}

function attachment(reference: Reference, owner: readonly Reference[]): Attachment | undefined {
  const columns = reference.references.map((name) => {
    let at: string | undefined = name;
    for (const step of owner.toReversed())
      at = at === undefined ? at : step.columns[step.references.indexOf(at)];
    return at;
  });
  const known = columns.filter((name) => name !== undefined);
  const [first] = owner;
  if (first === undefined || known.length < columns.length) return undefined;
  const isUnsure = new Set(textsOf(first.from, first.columns)).size < fewest;
  return { reference, owner, columns: known, isUnsure };
}

/** A person before a shop, and the nearest first. */
function rankOf({ owner, isUnsure }: Attachment): number {
  const [first] = owner;
  const isPerson = first !== undefined && hasPeople(first.to);
  return (isUnsure ? 0 : 10) + (isPerson ? 5 : 0) - owner.length;
}

/** Whether the rows of a table are persons, places or devices, which have rows of other tables. */
export function mayOwn(table: TableView): boolean {
  return hasPeople(table) || ofOwner.test(table.label);
}

/** Whether no two of the rows that were read name the same row of the other table, as agreements name a place each. */
export function namesEachOnce({ from, columns }: Reference): boolean {
  const texts = textsOf(from, columns);
  return texts.length >= fewest && new Set(texts).size === texts.length;
}

/**
 * The ways that are taken together, the best first: where accounts that were read have nothing in the columns of one, as shops have no
 * person, the next one that they have.
 */
export function takenOf(attachments: readonly Attachment[]): readonly Attachment[] {
  const [best] = attachments;
  if (best === undefined) return [];
  const taken = [best];
  const rows = best.owner[0]?.from.sample.rows ?? [];
  const isFilled = ({ columns }: Attachment, row: ReadonlyMap<string, string>): boolean =>
    columns.every((name) => (row.get(name) ?? '') !== '');
  for (const other of attachments.slice(1)) {
    const isSame = other.reference === best.reference && !other.isUnsure;
    const left = rows.filter((row) => !taken.some((way) => isFilled(way, row)));
    if (isSame && left.some((row) => isFilled(other, row))) taken.push(other);
  }
  return taken;
}

/** The columns by which a row finds its account, for people. */
export function attachedBy({ reference, owner }: Attachment): string {
  const steps = [...owner, reference].map(({ columns, from }) => `${columns.join(', ')} of ${from.label}`);
  return steps.join(', ').replace(/, ([^,]* of [^,]*)$/, ' and $1');
}
