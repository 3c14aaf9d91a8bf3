import { definedFields } from '../domain/defined-fields.ts';
import { interfaceContract } from '../contract/interface/interface-document.ts';
import { singleAgreementFields } from '../contract/schemas/agreements.ts';
import type { FieldKind } from '../contract/schemas/fields.ts';
import type { ContractField } from '../contract/tenancy/contract-field.ts';
import type { Contract } from '../contract/tenancy/contract.ts';
import type { TenancyContract } from '../contract/tenancy/contract.ts';
import { extraStep, extraStepNames, type ExtraStepName, type SectionName } from '../domain/steps.ts';

/** The structure of a field of the interface, as its contract describes it (sections 2.3 to 2.11). */
export type Target =
  | { readonly type: 'value'; readonly kind: FieldKind }
  | { readonly type: 'object'; readonly fields: Fields }
  | { readonly type: 'list'; readonly element: Target }
  /**
   * An object that the interface passes on without showing it: any fields, of any shape, `without` aside. Fields of the
   * names in `single` have one value wherever the interface shows them.
   */
  | { readonly type: 'open'; readonly without: readonly string[]; readonly single?: readonly string[] };

export type Fields = ReadonlyMap<string, Target>;

/** The field of objects with a single field (`document_path`): lists of them are written like plain values. */
export function onlyField(target: Target): readonly [name: string, field: Target] | undefined {
  if (target.type !== 'object' || target.fields.size !== 1) return undefined;
  return [...target.fields][0];
}

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
 * The payloads of a tenancy's contract. A step that it does not offer has the interface's fields, so that its
 * data is read and reported.
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

/** The fields of a payload, as its contract documents them. */
export function fieldsOf(payload: ContractField): Fields {
  return new Targets().fields(payload);
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

/** A part of a mapping, and of an export in the interface's own shape, other than the account itself. */
interface PlainSection {
  readonly name: SectionName;
  readonly step: ExtraStepName;
  /** The payload's array for the elements; absent if each element is a separate payload. */
  readonly field?: string;
}

export interface Section extends PlainSection {
  readonly element: Target;
}

/** The fields that identify a payload's account (section 2.2); the mapping fills them in. */
export const identificationFields = ['import_supplier', 'external_account_number'] as const;

export const sections: readonly PlainSection[] = extraStepNames.map((step) => {
  const { section, array } = extraStep(step);
  return definedFields({ name: section, step, field: array });
});
