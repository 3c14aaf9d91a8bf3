import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { interfaceDocument } from '../../../src/contract/interface/interface-document.ts';
import { ContractSchemas } from '../../../src/contract/tenancy/contract-schema.ts';
import { PayloadChecks } from '../../../src/contract/tenancy/payload-check.ts';
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';
import { valid } from '../payloads.ts';
import { ownContract } from './own-contract.ts';

const ofInterface = new PayloadChecks(new ContractSchemas([interfaceDocument()]));
const ofTenancy = new PayloadChecks(new ContractSchemas([parse(ownContract) as JsonObject]));

/** What the tenancy of the tests has otherwise than the interface. */
const tenancyPayload = (): JsonObject => ({
  import_supplier: 'S',
  external_account_number: '1',
  brand: 'FEN',
  sales_channel: null,
  transfer_balance: '12.50',
  customers: [{ family_name: 'Fen', mobile: null, loyalty: { points: 1 } }],
  delivery: { street_address: '1 Bank', postal_code: 'AB1 2CD' },
});

const schemas: [string, PayloadChecks, () => JsonObject][] = [
  ['Account', ofInterface, valid.account],
  ['CreateAccount', ofInterface, valid.process],
  ['Notes', ofInterface, valid.notes],
  ['Transactions', ofInterface, valid.transactions],
  ['HistoricalAgreements', ofInterface, valid.agreements],
  ['BillingDocuments', ofInterface, valid.documents],
  ['Statements', ofInterface, valid.statements],
  ['PaymentInstruction', ofInterface, valid.instruction],
  ['Account', ofTenancy, tenancyPayload],
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

describe.each(schemas)('whether a payload plainly fits: %s', (name, checks, make) => {
  const { fits, errors } = checks.of(`#/components/schemas/${name}`);

  it('is told of one that does, except where the schema says more than is known', () => {
    expect(errors(make())).toEqual([]);
    if (checks === ofInterface) expect(fits(make())).toBe(true);
  });

  it('is never told of one that the schema refuses', () => {
    let told = 0;
    fc.assert(
      fc.property(
        fc.array(fc.nat(20), { maxLength: 5 }),
        strange,
        fc.option(names, { nil: undefined }),
        (steps, value, key) => {
          const payload = make();
          damage(payload, steps, value, key);
          if (!fits(payload)) return;
          told += 1;
          expect(errors(payload as JsonValue)).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
    if (checks === ofInterface) expect(told).toBeGreaterThan(0);
  });
});
