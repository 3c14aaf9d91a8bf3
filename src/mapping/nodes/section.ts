import type { Cell } from '../../domain/cell.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { SourceRecord } from '../../source/export.ts';
import { identificationFields } from '../payload-shape.ts';
import type { ListNode } from './list.ts';
import { cellAt, prefixFindings, type Gap, type Scope } from './run.ts';
import { spelled } from './spelled.ts';

/** The fields that identify a payload's account (interface, section 2.2). */
export interface Identification extends JsonObject {
  import_supplier: string;
  external_account_number: string;
}

/** Makes the request payloads of one step. */
export interface SectionNode {
  build(account: Scope, identification: Identification): readonly JsonObject[];
  /** Where the value at this path of the `request`-th payload was read; undefined if the account gave it. */
  locate(account: Scope, request: number, path: readonly string[]): Cell | undefined;
}

const none: readonly JsonObject[] = [];

/** Starts empty: adding keys to a spread copy is slow. */
function identified(identification: Identification, fields: JsonObject): JsonObject {
  return Object.assign({}, identification, fields);
}

/** One payload with the list under `field`; or one payload for each of its elements. */
export function listSection(list: ListNode, field: string | undefined): SectionNode {
  return {
    build(account, identification) {
      const { run } = account;
      const before = run.findings.length;
      const elements = list.build(account);
      if (elements === undefined) return none;
      if (field === undefined) {
        for (const finding of run.findings.slice(before)) {
          const [request = '', ...path] = finding.path.split('.');
          finding.path = path.join('.');
          // The missing payloads of a list say nothing about the present ones.
          finding.request = request === '' ? -1 : Number(request);
        }
        return elements.map((element) => identified(identification, isJsonObject(element) ? element : {}));
      }
      prefixFindings(run, before, field);
      return [identified(identification, { [field]: elements })];
    },
    locate(account, request, path) {
      if (isIdentification(path[0])) return undefined;
      if (field === undefined) return list.locate(account, [String(request), ...path]);
      const [name, ...rest] = path;
      return name === field ? list.locate(account, rest) : cellAt(account.record, '');
    },
  };
}

/** The interface's own payloads unchanged; joined into one if an array, `field`, makes that possible. */
export function recordSection(table: string, field: string | undefined): SectionNode {
  return {
    build(account, identification) {
      const records = account.run.bundle.records(table);
      if (records.length === 0) return none;
      if (field !== undefined && account.run.incomplete.has(table))
        account.run.findings.push({ isList: true, path: field });
      account.run.findings.push(...gapsOf(records, field));
      if (field === undefined)
        return records.map(({ fields }) =>
          spelled(identified(identification, fields), account.run.bundle.account),
        );
      const joined = identified(identification, {});
      for (const { fields } of records) Object.assign(joined, fields);
      const elements = records.flatMap(({ fields }) => elementsOf(fields[field]));
      const isThere = records.some(({ fields }) => Object.hasOwn(fields, field));
      return [spelled(isThere ? { ...joined, [field]: elements } : joined, account.run.bundle.account)];
    },
    locate(account, request, path) {
      const all = account.run.bundle.records(table);
      const records = field === undefined ? all.slice(request, request + 1) : all;
      const [name, position, ...rest] = path;
      if (field === undefined || name !== field || position === undefined) {
        const holder = records.find(({ fields }) => name !== undefined && Object.hasOwn(fields, name));
        if (holder === undefined && isIdentification(name)) return undefined;
        return cellIn(holder ?? records[0], account, path);
      }
      let index = Number(position);
      for (const record of records) {
        const value = record.fields[field];
        const count = elementsOf(value).length;
        if (index < count) {
          const within = Array.isArray(value) ? [field, String(index), ...rest] : [field];
          return cellAt(record, within.join('.'));
        }
        index -= count;
      }
      return cellIn(records.at(-1), account, [field]);
    },
  };
}

/** The values of the records that cannot be read, at their places in the payloads. */
function gapsOf(records: readonly SourceRecord[], field: string | undefined): Gap[] {
  let before = 0;
  return records.flatMap((record, request) => {
    const first = before;
    before += field === undefined ? 0 : elementsOf(record.fields[field]).length;
    return (record.unreadable ?? []).map((path): Gap => {
      if (field === undefined) return { isList: false, path, request };
      const [name, index, ...rest] = path.split('.');
      const place = name === field && index !== undefined ? [field, first + Number(index), ...rest] : [path];
      return { isList: false, path: place.join('.') };
    });
  });
}

/** A value that should be an array and is not stays as one element, so that the strict check finds it. */
function elementsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function cellIn(record: SourceRecord | undefined, account: Scope, path: readonly string[]): Cell {
  return record === undefined ? cellAt(account.record, '') : cellAt(record, path.join('.'));
}

function isIdentification(name: string | undefined): boolean {
  return identificationFields.some((field) => field === name);
}
