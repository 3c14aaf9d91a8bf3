import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRefusal } from '../../src/contract/refusal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';

const message = 'Account would successfully import. Rolled back due to Dry Run.';

function problems(body: JsonValue): string[] | undefined {
  return readRefusal(body)?.problems.map(({ code, path, detail }) => `${code} @ ${path}: ${detail}`);
}

describe('a refusal without an end', () => {
  it('keeps the first 200 errors, and says how many there were', () => {
    const errors = Array.from({ length: 100_000 }, (_, at) => ({
      detail: `No. ${at}`,
      code: 'invalid',
      attr: 'x',
    }));
    const told = problems({ detail: 'x', code: 'account_failed_validation', errors }) ?? [];
    expect(told).toHaveLength(201);
    expect(told.at(-2)).toBe('invalid @ x: No. 199');
    expect(told.at(-1)).toContain('named 99800 more errors');
  });

  it('names no platform number that is none', () => {
    const body = {
      detail: 'x',
      code: 'account_import_process_already_imported',
      errors: [],
      external_account_number: 'A',
    };
    const number = 'A'.repeat(3_000_000);
    expect(readRefusal({ ...body, kraken_account_number: number })?.krakenAccountNumber).toBeUndefined();
  });
});

describe('a dry run', () => {
  it.each<[string, JsonValue]>([
    ['the message', { detail: message }],
    ['the message with code 400', { detail: message, code: '400' }],
    ['the message under its other name', { message }],
    ['the message in a list', { detail: [message] }],
    ['an error list that is empty', { detail: message, code: '400', errors: [] }],
    ['a list of the message', [message]],
    ['the message alone', message],
    ['the message in other letters', { detail: 'ACCOUNT WOULD SUCCESSFULLY IMPORT' }],
  ])('would import the account when the body is %s', (_what, body) => {
    expect(readRefusal(body)).toMatchObject({ wouldImport: true, problems: [] });
  });

  it.each<[string, JsonValue]>([
    ['a field', { detail: message, customers: { 0: { landline: ['No.'] } } }],
    ['an error', { detail: message, code: '400', errors: [{ detail: 'No.', code: 'invalid', attr: 'x' }] }],
    ['non_field_errors', { detail: message, non_field_errors: ['No.'] }],
    ['the message as a non_field_error', { non_field_errors: [message] }],
    ['another message', { detail: 'Could not validate account data.', code: '400' }],
    ['an account number', { detail: message, code: '400', kraken_account_number: 'A-1' }],
  ])('failed when the body holds %s', (_what, body) => {
    expect(readRefusal(body)).toMatchObject({ wouldImport: false });
  });

  it.each<[JsonValue | undefined]>([
    [undefined],
    [null],
    [5],
    [true],
    ['<html>'],
    [{}],
    [[]],
    [{ data: {} }],
    [{ code: '400' }],
    [{ error: 'No.' }],
    [{ detail: message, landline: 'No.' }],
    [{ detail: message, errors: [5] }],
    [{ detail: message, kraken_account_number: 'A-1' }],
    [{ detail: message, external_account_number: 'EXT-1' }],
    [[message, 'No.']],
    [['A.', 'B.']],
  ])('is not recognised when the body is %j', (body) => {
    expect(readRefusal(body)).toBeUndefined();
  });
});

describe('the dotted dialect', () => {
  it('is read as it stands', () => {
    const body = {
      detail: 'Could not validate account data.',
      code: 'account_failed_validation',
      errors: [
        { detail: 'Not a phone number.', code: 'invalid_phone_number', attr: 'customers.0.landline' },
        { detail: 'Sums differ.', code: 'ledger_balances_not_equal_to_transfer_balance', attr: null },
        { detail: 'Twice.', code: 'duplicate', attr: 'ledgers.0.non_field_errors' },
      ],
    };
    expect(readRefusal(body)).toEqual({
      code: 'account_failed_validation',
      detail: 'Could not validate account data.',
      wouldImport: false,
      problems: [
        {
          code: 'invalid_phone_number',
          path: 'customers.0.landline',
          detail: 'Not a phone number.',
          severity: 'error',
        },
        {
          code: 'ledger_balances_not_equal_to_transfer_balance',
          path: '',
          detail: 'Sums differ.',
          severity: 'error',
        },
        { code: 'duplicate', path: 'ledgers.0', detail: 'Twice.', severity: 'error' },
      ],
    });
  });

  it('may carry remarks beside its message, which are no errors', () => {
    expect(problems({ code: 'failed', detail: 'No.', domain: 'import_process' })).toEqual([]);
  });
});

describe('the field-shaped dialect', () => {
  it.each<[string, JsonValue, string[]]>([
    [
      'a nested field',
      { billing_address: { postal_code: ['No.'] } },
      ['invalid @ billing_address.postal_code: No.'],
    ],
    [
      'positions as keys',
      { transactions: { '0': { reason: ['No.', 'Nor this.'] } } },
      ['invalid @ transactions.0.reason: No.', 'invalid @ transactions.0.reason: Nor this.'],
    ],
    [
      'positions as a list',
      { customers: [{}, { landline: ['No.'] }] },
      ['invalid @ customers.1.landline: No.'],
    ],
    [
      'messages with codes',
      { ledgers: { 1: { ledger_code: [{ detail: 'No.', code: 'ledger_code_does_not_exist' }] } } },
      ['ledger_code_does_not_exist @ ledgers.1.ledger_code: No.'],
    ],
    ['non_field_errors as strings', { non_field_errors: ['A.', 'B.'] }, ['invalid @ : A.', 'invalid @ : B.']],
    [
      'non_field_errors as an object',
      { non_field_errors: { detail: 'A.', code: 'account_not_found' } },
      ['account_not_found @ : A.'],
    ],
    [
      'non_field_errors as a code',
      { non_field_errors: { code: 'account_not_found' } },
      ['account_not_found @ : '],
    ],
    [
      'non_field_errors within a field',
      { ledgers: { 0: { non_field_errors: ['A.'] } } },
      ['invalid @ ledgers.0: A.'],
    ],
    [
      'the identification as a field',
      { external_account_number: ['Too long.'], import_supplier: ['Unknown.'] },
      ['invalid @ external_account_number: Too long.', 'invalid @ import_supplier: Unknown.'],
    ],
  ])('is folded: %s', (_what, body, expected) => {
    expect(problems(body)).toEqual(expected);
  });

  it('is read only as deep as a payload can be', () => {
    let body: JsonValue = ['No.'];
    for (let depth = 0; depth < 100_000; depth += 1) body = { a: body };
    expect(readRefusal(body)).toBeUndefined();
  });
});

describe('an account that was imported before', () => {
  it.each<[string, JsonObject]>([
    [
      'kraken_account_number',
      { external_account_number: 'EXT-1', kraken_account_number: 'A-1', non_field_errors: ['Imported.'] },
    ],
    [
      'account_id',
      {
        account_id: 'A-1',
        non_field_errors: { detail: 'Imported.', code: 'account_import_process_already_imported' },
      },
    ],
    ['account_number', { account_number: 'A-1', non_field_errors: ['Imported.'] }],
    [
      'the dotted dialect',
      {
        detail: 'Imported.',
        code: 'account_failed_validation',
        errors: [],
        kraken_account_number: 'A-1',
        external_account_number: 'EXT-1',
      },
    ],
  ])('is known by its number in %s', (_where, body) => {
    expect(readRefusal(body)).toMatchObject({ krakenAccountNumber: 'A-1', wouldImport: false });
  });
});

describe('other refusals', () => {
  it('name the transaction’s failure, and not what is echoed', () => {
    const body = {
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: 'Outside the period.',
      transaction_data: { transaction_id: '1', type: 'PAYMENT' },
    };
    expect(problems(body)).toEqual(['TRANSACTION_IMPORT_ERROR @ transactions: Outside the period.']);
  });

  it('name why a payment instruction was not taken', () => {
    const body = {
      error_detail: 'Already has one.',
      external_account_number: 'EXT-1',
      import_supplier: 'S',
      reference: 'R',
    };
    expect(problems(body)).toEqual(['invalid @ : Already has one.']);
  });
});

describe('both dialects', () => {
  const reserved = new Set(['status', 'reference', 'errors', 'detail', 'code', 'message']);
  const name = fc.stringMatching(/^[a-z][a-z_]{3,8}$/).filter((key) => !reserved.has(key));
  const steps = fc.array(fc.oneof(name, fc.nat({ max: 20 }).map(String)), { maxLength: 4 });
  const path = fc.tuple(name, steps).map(([first, rest]) => [first, ...rest]);
  const words = fc.string({ minLength: 1 });

  it('say the same of the same errors', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(path, words), { selector: ([at]) => at[0]! }), (errors) => {
        fc.pre(errors.length > 0);
        const dotted = errors.map(([at, detail]) => ({ attr: at.join('.'), code: 'invalid', detail }));
        const shaped: JsonObject = {};
        for (const [at, detail] of errors) place(shaped, at, [detail]);
        const sorted = (body: JsonValue) => problems(body)?.sort();
        expect(sorted(shaped)).toEqual(sorted({ detail: '', code: '', errors: dotted }));
      }),
    );
  });
});

function place(body: JsonObject, path: readonly string[], value: JsonValue): void {
  let at = body;
  for (const name of path.slice(0, -1)) {
    const next = at[name];
    const made = isJsonObject(next) ? next : {};
    at[name] = made;
    at = made;
  }
  at[path.at(-1)!] = value;
}
