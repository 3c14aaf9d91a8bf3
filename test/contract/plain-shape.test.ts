import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { endpoints } from '../../src/contract/endpoints.ts';
import { plainShapeOf } from '../../src/contract/plain-shape.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { valid } from './payloads.ts';

const requests: [keyof typeof valid, z.ZodType][] = [
  ['account', endpoints.stage.request],
  ['process', endpoints.process.request],
  ['notes', endpoints.notes.request],
  ['transactions', endpoints.transactions.request],
  ['agreements', endpoints.agreements.request],
  ['documents', endpoints.billingDocuments.request],
  ['statements', endpoints.statements.request],
  ['instruction', endpoints.paymentInstruction.request],
];

const strange = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    true,
    5,
    1e300,
    '',
    ' ',
    ' a',
    '\u00a0',
    '2024-02-30',
    'GB',
    [],
    [null],
    {},
  ),
  fc.constantFrom('x'.repeat(129), '𝒳'.repeat(300), '12345678901', { key: '' }, [[]]),
  fc.string({ unit: 'binary' }),
);
const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'note', 'amount', 'country'));

/** Puts a value into an object or an array somewhere in the payload, in the place of one of its own or beside them. */
function damage(
  payload: JsonObject,
  steps: readonly number[],
  value: unknown,
  name: string | undefined,
): void {
  let at: object = payload;
  for (const step of steps) {
    const inner = Object.values(at).filter((item) => typeof item === 'object' && item !== null);
    at = inner[step % Math.max(inner.length, 1)] ?? at;
  }
  const own = Object.keys(at);
  const key = (Array.isArray(at) ? undefined : name) ?? own[(steps[0] ?? 0) % Math.max(own.length, 1)] ?? '0';
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
}

describe.each(requests)('whether a payload plainly fits: %s', (name, schema) => {
  const fits = plainShapeOf(schema);

  it('is told of one that does', () => {
    expect(fits(valid[name]())).toBe(true);
  });

  it('is never told of one that the schema refuses, or reads as something else', () => {
    let told = 0;
    fc.assert(
      fc.property(
        fc.array(fc.nat(20), { maxLength: 5 }),
        strange,
        fc.option(names, { nil: undefined }),
        (steps, value, key) => {
          const payload = valid[name]();
          damage(payload, steps, value, key);
          if (!fits(payload)) return;
          told += 1;
          expect(schema.safeParse(payload)).toEqual({ success: true, data: payload });
        },
      ),
      { numRuns: 1000 },
    );
    expect(told).toBeGreaterThan(0);
  });
});
