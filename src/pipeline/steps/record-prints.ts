import type { JsonObject } from '../../domain/json.ts';
import {
  digitOf,
  eachField,
  hashed,
  nameLength,
  namePrint,
  numberOf,
  start,
  valueLength,
  valuePrint,
} from './field-walk.ts';

/** The longest prints of a request: those of about 400 transactions. */
const longest = 4096;
/** As many as a character counts. */
const mostShapes = 64;

/**
 * The prints of the fields of a request, record by record: many records have fields of the same names, so these are written once.
 * First the shapes (how many; of each, how many names, and their prints), then for each record its name, its shape
 * and the values. undefined if they would be too long.
 */
export function recordPrints(content: JsonObject, levels: number): string | undefined {
  const records = new Map<number, { keys: string; values: string }>();
  eachField(content, levels, ({ record, key, value }) => {
    const own = records.get(record) ?? { keys: '', values: '' };
    records.set(record, own);
    own.keys += keyPrint(key);
    own.values += valuePrint(value);
  });
  const shapes = [...new Set([...records.values()].map(({ keys }) => keys))];
  const isLong = shapes.some((keys) => keys.length >= mostShapes * nameLength);
  if (isLong || shapes.length >= mostShapes) return undefined;
  const prints =
    digitOf(shapes.length) +
    shapes.map((keys) => digitOf(keys.length / nameLength) + keys).join('') +
    [...records]
      .map(([record, { keys, values }]) => namePrint(record) + digitOf(shapes.indexOf(keys)) + values)
      .join('');
  return prints.length > longest ? undefined : prints;
}

/** The name of a field, as `recordPrints` has it: that of its record, and its own there. */
export function nameInRecord(record: number, key: string): string {
  return namePrint(record) + keyPrint(key);
}

function keyPrint(key: string): string {
  return namePrint(hashed(key, start));
}

/** What `recordPrints` wrote, from a position on: the name and the value of each field. */
export function readRecordPrints(prints: string, from: number): readonly (readonly [string, string])[] {
  let at = from;
  const take = (length: number): string => prints.slice(at, (at += length));
  const shapes = Array.from({ length: numberOf(take(1)) }, () =>
    Array.from({ length: numberOf(take(1)) }, () => take(nameLength)),
  );
  const found: (readonly [string, string])[] = [];
  while (at < prints.length) {
    const record = take(nameLength);
    const keys = shapes[numberOf(take(1))];
    if (keys === undefined) return [];
    for (const key of keys) found.push([record + key, take(valueLength)]);
  }
  return found;
}
