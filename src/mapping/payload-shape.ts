import type { FieldKind } from '../contract/schemas/fields.ts';
import type { ContractField } from '../contract/tenancy/contract-field.ts';
import type { TenancyContract } from '../contract/tenancy/tenancy-contract.ts';
import { accountFields, identificationFields, sections, type Section } from './sections.ts';
import type { Fields, Target } from './target.ts';

/** What can be mapped: the fields of the account payload and of each further payload. */
export interface PayloadShape {
  readonly account: Fields;
  readonly sections: readonly Section[];
}

/** The payloads of the interface document (sections 2.3 to 2.11). */
export const interfaceShape: PayloadShape = { account: accountFields, sections };

/**
 * The payloads of a tenancy's contract. A step that it does not offer has the interface's fields, so that its data is
 * read and told.
 */
export function shapeUnder(contract: TenancyContract): PayloadShape {
  const targets = new Targets();
  const account = contract.field('stage');
  return {
    account: account === undefined ? accountFields : withIdentification(targets.fields(account)),
    sections: sections.map((section) => {
      const payload = contract.field(section.step);
      const items = section.field === undefined ? payload : payload?.fields.get(section.field)?.element;
      if (items === undefined) return section;
      const without = section.field === undefined ? identificationFields : [];
      return { ...section, element: targets.of(items, without) };
    }),
  };
}

/** Every account has these, whatever its contract lists. */
function withIdentification(fields: Fields): Fields {
  const own = identificationFields
    .filter((name) => !fields.has(name))
    .map((name): [string, Target] => [name, { type: 'value', kind: 'string' }]);
  return new Map([...fields, ...own]);
}

class Targets {
  readonly #known = new Map<ContractField, Target>();
  /** What is being made: a schema that contains itself is open from the second time on. */
  readonly #open = new Set<ContractField>();

  of(field: ContractField, without: readonly string[] = []): Target {
    const known = without.length === 0 ? this.#known.get(field) : undefined;
    if (known !== undefined) return known;
    if (this.#open.has(field)) return { type: 'open', without: [] };
    this.#open.add(field);
    const made = this.#made(field, without);
    this.#open.delete(field);
    if (without.length === 0) this.#known.set(field, made);
    return made;
  }

  fields(field: ContractField, without: readonly string[] = []): Fields {
    const sent = [...field.fields].filter(([name, { isReadOnly }]) => !isReadOnly && !without.includes(name));
    return new Map(sent.map(([name, inner]) => [name, this.of(inner)]));
  }

  #made(field: ContractField, without: readonly string[]): Target {
    if (field.element !== undefined) return { type: 'list', element: this.of(field.element) };
    if (field.fields.size > 0) return { type: 'object', fields: this.fields(field, without) };
    if (field.types.has('object') || (field.types.size === 0 && field.values === undefined))
      return { type: 'open', without };
    return { type: 'value', kind: kindOf(field) };
  }
}

function kindOf({ types, formats }: ContractField): FieldKind {
  if (types.has('integer') || types.has('number') || formats.has('decimal')) return 'decimal';
  if (types.has('boolean') && !types.has('string')) return 'boolean';
  if (formats.has('date')) return 'date';
  return formats.has('date-time') ? 'datetime' : 'string';
}
