// Payloads of the interface with one fault each: every value replaced, left out, or joined by a field of an unknown name.
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import type { StepName } from '../../src/domain/steps.ts';
import { changed, valid } from './payloads.ts';

const payloads: readonly [StepName, () => JsonObject][] = [
  ['stage', valid.account],
  ['process', valid.process],
  ['notes', valid.notes],
  ['transactions', valid.transactions],
  ['agreements', valid.agreements],
  ['billing-documents', valid.documents],
  ['statements', valid.statements],
  ['payment-instruction', valid.instruction],
];

const replacements: readonly JsonValue[] = [
  ...[null, true, 7, 0.5, -1, 1e-25, 12345678901, new ExactNumber('1.00000000000000000001'), '', ' \t'],
  ...[new ExactNumber('1234567890.0123456789'), new ExactNumber('12345678901234567890')],
  ...['x', '12.50', '1e3', '1,50', '-.5', '2023-02-29', '2024-02-29', '0000-01-01', '2024-02-29T10:00:00Z'],
  ...[
    '2024-02-29T23:59:60Z',
    '2024-02-29T10:00:00+01:00',
    '2024-02-30T10:00:00Z',
    'gb',
    'G8',
    'Great Britain',
  ],
  ...['PERIOD_BASED', 'ITEM_BASED', 'CHARGE', 'a'.repeat(129), ' '.repeat(300), 'a'.repeat(1025)],
  ...[[], {}, [null], [[]], [{}], { key: '' }],
];

/** One payload, and what was done to it. */
export interface Mutant {
  readonly step: StepName;
  readonly payload: JsonValue;
  readonly change: string;
}

/** Every mutant, made anew; the first of each step is the payload as it should be. */
export function* mutants(): Generator<Mutant> {
  for (const [step, make] of payloads) {
    yield { step, payload: make(), change: 'none' };
    for (const value of [null, 'text', [], 5]) yield { step, payload: value, change: `= ${text(value)}` };
    for (const path of pathsIn(make())) {
      yield { step, payload: changed(make(), { [path]: undefined }), change: `${path} left out` };
      for (const value of replacements)
        yield {
          step,
          payload: changed(make(), { [path]: structuredCopy(value) }),
          change: `${path} = ${text(value)}`,
        };
    }
    for (const path of ['', ...objectsIn(make())])
      for (const name of ['more', 'constructor', '__proto__', 'mobile'])
        yield { step, payload: joined(make(), path, name), change: `${path} with ${name}` };
  }
}

function text(value: JsonValue): string {
  if (value instanceof ExactNumber) return `${value.value} (exact)`;
  const written = JSON.stringify(value);
  return written.length > 40 ? `${written.slice(0, 4)} of ${written.length}` : written;
}

function structuredCopy(value: JsonValue): JsonValue {
  return value instanceof ExactNumber ? value : structuredClone(value);
}

function pathsIn(value: JsonValue, at = ''): string[] {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...pathsIn(inner, path)];
  });
}

function objectsIn(payload: JsonObject): string[] {
  return pathsIn(payload).filter((path) => isJsonObject(valueIn(payload, path)));
}

function valueIn(payload: JsonObject, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>(
      (at, name) =>
        at === undefined
          ? undefined
          : (Object.entries(at ?? {}).find(([key]) => key === name)?.[1] as JsonValue),
      payload,
    );
}

function joined(payload: JsonObject, path: string, name: string): JsonObject {
  const at = path === '' ? payload : valueIn(payload, path);
  if (isJsonObject(at))
    Object.defineProperty(at, name, { value: 'x', enumerable: true, configurable: true, writable: true });
  return payload;
}
