import type { FieldKind } from '../contract/schemas/fields.ts';
import { interfaceContract } from '../contract/interface/interface-contract.ts';
import { singleAgreementFields } from '../contract/schemas/agreements.ts';
import type { Contract } from '../contract/tenancy/contract.ts';
import type { ContractField } from '../contract/tenancy/contract-field.ts';
import type { TenancyContract } from '../contract/tenancy/tenancy-contract.ts';
import { identificationFields, sections, type PlainSection, type Section } from './sections.ts';
import type { Fields, Target } from './target.ts';

/** What can be mapped: the fields of the account payload and of each further payload. */
export interface PayloadShape {
  readonly account: Fields;
  readonly sections: readonly Section[];
}

let known: PayloadShape | undefined;

/** The payloads of the interface document (sections 2.3 to 2.11). */
export function interfaceShape(): PayloadShape {
  if (known !== undefined) return known;
  const shape = shapeOf(interfaceContract(), ({ name }) => {
    throw new Error(`The interface has no ${name}.`);
  });
  const shown = shape.sections.map((section): Section => {
    const { element } = section;
    if (section.step !== 'agreements' || element.type !== 'open') return section;
    return { ...section, element: { ...element, single: singleAgreementFields } };
  });
  known = { ...shape, sections: shown };
  return known;
}

/**
 * The payloads of a tenancy's contract. A step that it does not offer has the interface's fields, so that its data is
 * read and told.
 */
export function shapeUnder(contract: TenancyContract): PayloadShape {
  return shapeOf(contract, ({ name }) => {
    const own = interfaceShape().sections.find((section) => section.name === name);
    if (own === undefined) throw new Error(`The interface has no ${name}.`);
    return own;
  });
}

/** `otherwise`: a section that the contract does not describe. */
function shapeOf(contract: Contract, otherwise: (section: PlainSection) => Section): PayloadShape {
  const targets = new Targets();
  const account = contract.field('stage');
  return {
    account: account === undefined ? interfaceShape().account : withIdentification(targets.fields(account)),
    sections: sections.map((section) => {
      const payload = contract.field(section.step);
      const items = section.field === undefined ? payload : payload?.fields.get(section.field)?.element;
      if (items === undefined) return otherwise(section);
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
    const fields = this.fields(field, without);
    if (fields.size > 0 || (field.fields.size > 0 && field.others === undefined))
      return { type: 'object', fields };
    if (field.types.has('object') || (field.types.size === 0 && field.values === undefined))
      return { type: 'open', without };
    return { type: 'value', kind: kindOf(field) };
  }
}

function kindOf({ types, formats, form }: ContractField): FieldKind {
  if (form !== undefined) return form;
  if (types.has('integer') || types.has('number') || formats.has('decimal')) return 'decimal';
  if (types.has('boolean') && !types.has('string')) return 'boolean';
  if (formats.has('date')) return 'date';
  return formats.has('date-time') ? 'datetime' : 'string';
}
