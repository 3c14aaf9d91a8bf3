import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alreadyImportedCode,
  hasCode,
  readRefusal,
  type RefusedRequest,
} from '../../src/contract/refusal.ts';
import { nothingSent } from '../../src/contract/sent-values.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';

const message = 'Account would successfully import. Rolled back due to Dry Run.';

function problems(body: JsonValue, request?: RefusedRequest): string[] | undefined {
  return readRefusal(body, request)?.problems.map(({ code, path, detail }) => `${code} @ ${path}: ${detail}`);
}

function to(
  endpoint: RefusedRequest['endpoint'],
  payload: JsonObject = {},
  echoes?: readonly string[],
): RefusedRequest {
  return { endpoint, echoes, payload: () => payload, sent: nothingSent };
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
    const others = 'The platform named 99800 more errors for this account. They are not kept.';
    expect(told.at(-1)).toBe(`more_errors @ : ${others}`);
    const exactly = { detail: 'x', code: 'c', errors: errors.slice(0, 200) };
    expect(problems(exactly)).toHaveLength(200);
  });

  it('names no platform number that is none', () => {
    const body = {
      detail: 'x',
      code: 'account_import_process_already_imported',
      errors: [],
      external_account_number: 'A',
    };
    const numberOf = (length: number) =>
      readRefusal({ ...body, kraken_account_number: 'A'.repeat(length) })?.krakenAccountNumber;
    expect(numberOf(3_000_000)).toBeUndefined();
    expect(numberOf(128)).toHaveLength(128);
  });
});

describe('a dry run', () => {
  it.each<[string, JsonValue]>([
    ['the message', { detail: message }],
    ['the message with code 400', { detail: message, code: '400' }],
    ['the message under its other name', { message }],
    ['the message in a list', { detail: [message] }],
    ['an error list that is empty', { detail: message, code: '400', errors: [] }],
    ['a list of other errors that is empty', { detail: message, non_field_errors: [] }],
    ['no error list', { detail: message, errors: null }],
    ['a list of the message', [message]],
    ['the message alone', message],
    ['the message in other letters', { detail: 'ACCOUNT WOULD SUCCESSFULLY IMPORT' }],
  ])('would import the account when the body is %s', (_what, body) => {
    expect(readRefusal(body)).toMatchObject({ wouldImport: true, problems: [], code: '' });
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
    [[5]],
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

const errors = [{ detail: 'No.', code: 'no', attr: 'landline' }];
const unplaced = [{ detail: 'No.', code: 'no', attr: null }];
const dotted = { detail: 'x', code: 'c' };
const failed = { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'No.', transaction_data: {} };
const both = { external_account_number: 'EXT-1', kraken_account_number: 'A-1' };

describe('the forms of a refusal', () => {
  it.each<[string, JsonObject, RefusedRequest | undefined, string[]]>([
    ['an error that names no field', { ...dotted, errors: unplaced, domain: 'd' }, undefined, ['no @ : No.']],
    ['a second message', { ...dotted, errors: unplaced, error_detail: 'x' }, undefined, ['no @ : No.']],
    [
      'what a later version adds beside a field',
      { ...dotted, errors: [...errors, ...unplaced], added: 1 },
      undefined,
      ['no @ landline: No.', 'no @ : No.'],
    ],
    [
      'an error without a code, of the whole payload',
      { ...dotted, errors: [{ detail: 'No.', code: '', attr: 'non_field_errors' }] },
      undefined,
      ['invalid @ : No.'],
    ],
    [
      'a field whose name only begins like one of the whole payload',
      { ...dotted, errors: [{ detail: 'No.', code: 'no', attr: 'a.non_field_errors_of' }] },
      undefined,
      ['no @ a.non_field_errors_of: No.'],
    ],
    [
      'a failed transaction',
      failed,
      to('transactions', { transactions: [] }),
      ['TRANSACTION_IMPORT_ERROR @ transactions: No.'],
    ],
    [
      'a payment instruction that was not taken, with its code',
      { error_detail: 'No.', code: 'payment_vendor_unreachable', reference: 'R' },
      to('paymentInstruction'),
      ['payment_vendor_unreachable @ : No.'],
    ],
    ['a registration', { error_detail: 'No.' }, to('sendRegistration'), ['invalid @ : No.']],
    [
      'an added step, with what it was about',
      { error_detail: 'No.', unit: 'U' },
      to('notes', {}, ['unit']),
      ['invalid @ : No.'],
    ],
    ['a code with its domain', { detail: 'No.', code: 'c', domain: 'd' }, to('stage'), []],
    ['a published code', { detail: 'No.', code: 'invalid', import_supplier_code: 'S' }, to('stage'), []],
    ['a task that is not found', { detail: 'No.', code: 'not_found' }, to('scheduleStatus'), []],
    ['both numbers of an account', both, to('process'), []],
    [
      'a field beside an error list that is empty',
      { landline: ['No.'], errors: [] },
      undefined,
      ['invalid @ landline: No.'],
    ],
    [
      'a required field that the payload lacks',
      { external_account_number: ['No.'] },
      to('stage'),
      ['invalid @ external_account_number: No.'],
    ],
    [
      'a field of the account in a task',
      { external_account_number: ['No.'] },
      to('schedule'),
      ['invalid @ external_account_number: No.'],
    ],
    [
      'a path that begins in the body of a task',
      { ...dotted, errors: [{ detail: 'No.', code: 'no', attr: 'payload.old.payload' }] },
      to('schedule', { old: { payload: 1 } }),
      ['no @ old.payload: No.'],
    ],
    [
      'a path in the account of a task',
      { ...dotted, errors: [{ detail: 'No.', code: 'no', attr: 'old.payload' }] },
      to('schedule', { old: { payload: 1 } }),
      ['no @ old.payload: No.'],
    ],
  ])('are read: %s', (_what, body, request, told) => {
    expect(problems(body, request)).toEqual(told);
  });

  it.each<[string, JsonObject, RefusedRequest?]>([
    ['a dotted error without a message', { code: 'c', errors }],
    ['a dotted error whose code is no text', { detail: 'x', code: 5, errors }],
    ['an error that is a number', { ...dotted, errors: [...errors, 5] }],
    ['an error that is nothing', { ...dotted, errors: [...errors, null] }],
    ['an error without a message', { ...dotted, errors: [...errors, { code: 'c', attr: 'a' }] }],
    ['an error without a code', { ...dotted, errors: [...errors, { detail: 'x', attr: 'a' }] }],
    ['an error at a number', { ...dotted, errors: [{ detail: 'x', code: 'c', attr: 5 }] }],
    ['another member where no field is named', { ...dotted, errors: unplaced, hint: 'x' }],
    [
      'another member where a field is empty',
      { ...dotted, errors: [{ detail: 'x', code: 'c', attr: '' }], hint: 'x' },
    ],
    ['a transaction of another status', { ...failed, status: 'OTHER' }],
    ['a failed transaction without a message', { ...failed, error_detail: 5 }],
    ['a failed transaction with a hint', { ...failed, hint: 'x' }],
    ['a failed transaction of notes', failed, to('notes')],
    ['an empty message', { error_detail: '' }],
    ['a hint beside a message', { error_detail: 'No.', reference: 'R', hint: 'x' }],
    ['a message of a payment instruction to notes', { error_detail: 'No.', reference: 'R' }, to('notes')],
    ['an added step, about something else', { error_detail: 'No.', flat: 'x' }, to('notes', {}, ['unit'])],
    ['a domain without a code', { detail: 'No.', domain: 'd' }],
    ['a hint beside a code', { detail: 'No.', code: 'c', domain: 'd', hint: 'x' }],
    ['a code beside a number that is no text', { detail: 'No.', code: 'c', domain: 'd', reference: 5 }],
    ['a code that nobody published', { detail: 'No.', code: 'c' }, to('scheduleStatus')],
    ['something else that is not found', { detail: 'No.', code: 'not_found' }, to('stage')],
    ['one number of an account', { kraken_account_number: 'A-1' }],
    ['the other number of an account', { external_account_number: 'EXT-1' }],
    ['a hint beside both numbers', { ...both, hint: 'x' }],
    ['a reference that is no text beside both numbers', { ...both, reference: 5 }],
    ['errors that are not of a field', { errors: ['No.'] }],
    ['a message that is not of a field', { message: ['No.'] }],
    ['a field that the endpoint does not have', { hint: ['No.'] }, to('stage')],
    ['a field of an endpoint without a body', { hint: ['No.'] }, to('transferStatus')],
    ['a field of the account to notes', { customers: ['No.'] }, to('notes')],
  ])('do not have %s', (_what, body, request) => {
    expect(readRefusal(body, request)).toBeUndefined();
  });

  it.each<[JsonValue, string]>([
    ['No.', 'No.'],
    [['No.'], 'No.'],
    [['A.', 'B.'], ''],
    [{ detail: 'Deep.' }, ''],
    [5, ''],
  ])('have the message of %j, and no code of their own', (detail, told) => {
    expect(readRefusal({ detail, landline: ['No.'] })).toMatchObject({ detail: told, code: '' });
  });

  it('have a message under its other name', () => {
    expect(readRefusal({ detail: '', message: 'No.', code: 'c', domain: 'd' })).toBeUndefined();
    expect(readRefusal({ ...dotted, detail: '', message: 'No.', errors })?.detail).toBe('No.');
  });
});

it('an account that was imported before is told by a code of the answer, or of an error', () => {
  const code = 'account_import_process_already_imported';
  expect(alreadyImportedCode).toBe(code);
  const refusal = (own: string, ...codes: string[]) => ({
    ...{ detail: '', wouldImport: false, code: own },
    problems: codes.map((one) => ({ code: one, path: '', detail: '', severity: 'error' as const })),
  });
  expect(hasCode(refusal(code), code)).toBe(true);
  expect(hasCode(refusal('x', 'y', code), code)).toBe(true);
  expect(hasCode(refusal('x', 'y'), code)).toBe(false);
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
