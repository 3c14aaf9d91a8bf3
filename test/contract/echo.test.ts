import { describe, expect, it } from 'vitest';
import {
  contradicts,
  echoes,
  refusesAnother,
  repeatsPayload,
  type EchoedRequest,
} from '../../src/contract/echo.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';

/** A request about account A-1 of supplier S, which the platform knows as K-1. */
function asked(payload: JsonObject = {}, more: Partial<EchoedRequest> = {}): EchoedRequest {
  return {
    key: { supplier: 'S', account: 'A-1' },
    krakenAccountNumber: 'K-1',
    payload: () => payload,
    ...more,
  };
}

describe('a success', () => {
  it.each<[string, JsonValue]>([
    ['nothing', {}],
    ['no object', 'ok'],
    ['the account and its supplier', { import_supplier: 'S', external_account_number: 'A-1' }],
    ['the supplier by its other name', { import_supplier_code: 'S' }],
    ['the platform number', { kraken_account_number: 'K-1' }],
    ['the platform number by both names', { kraken_account_number: 'K-1', account_number: 'K-1' }],
    ['names that are empty', { import_supplier: null, external_account_number: null, account_number: null }],
    ['other fields', { created_at: '2024-01-01T00:00:00Z', status: 'x' }],
  ])('that names %s is about the request', (_what, answer) => {
    expect(contradicts('validate', answer, asked())).toBe(false);
  });

  it.each<[string, JsonValue]>([
    ['another account', { external_account_number: 'A-2' }],
    ['the account with a blank', { external_account_number: 'A-1 ' }],
    ['another supplier', { import_supplier: 'T' }],
    ['another supplier by its other name', { import_supplier_code: 'T' }],
    ['another platform number', { kraken_account_number: 'K-2' }],
    ['another platform number by its other name', { account_number: 'K-2' }],
    ['another one beside the own one', { import_supplier: 'S', external_account_number: 'A-2' }],
    ['a number in place of the account', { external_account_number: 1 }],
  ])('that names %s is not', (_what, answer) => {
    expect(contradicts('validate', answer, asked())).toBe(true);
  });

  it('that names a platform number is about the request where none is known yet', () => {
    const first = asked({}, { krakenAccountNumber: undefined });
    expect(contradicts('process', { kraken_account_number: 'K-9' }, first)).toBe(false);
    expect(contradicts('process', { kraken_account_number: 'K-9', account_number: 'K-8' }, first)).toBe(true);
    expect(contradicts('process', { kraken_account_number: 'K-9', account_number: 'K-9' }, first)).toBe(
      false,
    );
  });

  it('that names no number of the tenancy is not, by either name; a blank one says nothing', () => {
    const formed = asked({}, { krakenAccountNumber: undefined, isNumber: (text) => text.startsWith('K-') });
    expect(contradicts('process', { kraken_account_number: 'X-9' }, formed)).toBe(true);
    expect(contradicts('process', { account_number: 'X-9' }, formed)).toBe(true);
    expect(contradicts('process', { kraken_account_number: 'K-9' }, formed)).toBe(false);
    expect(contradicts('process', { kraken_account_number: ' ' }, formed)).toBe(false);
    expect(contradicts('process', { kraken_account_number: 5 }, formed)).toBe(false);
  });

  it('that repeats other notes than ours is not', () => {
    const notes = asked({ notes: [{ body: 'Called.' }] });
    expect(contradicts('notes', [{ body: 'Called.' }], notes)).toBe(false);
    expect(contradicts('notes', [{ body: 'Wrote.' }], notes)).toBe(true);
    expect(contradicts('notes', [], notes)).toBe(true);
  });
});

describe('a refusal', () => {
  it.each<[string, JsonValue | undefined]>([
    ['nothing', undefined],
    ['no object', ['no']],
    ['the account beside a message', { external_account_number: 'A-1', detail: 'No.' }],
    ['an error of the field alone', { external_account_number: 'This is not one.' }],
    ['an identifier alone, as the error of a field', { external_account_number: 'A-2' }],
    ['a sentence about the account', { external_account_number: 'This is not one.', detail: 'No.' }],
    ['the platform number', { external_account_number: 'A-1', kraken_account_number: 'K-1' }],
  ])('that names %s may be about the request', (_what, answer) => {
    expect(refusesAnother('validate', answer, asked())).toBe(false);
  });

  it.each<[string, JsonValue]>([
    ['another account beside a message', { external_account_number: 'A-2', detail: 'No.' }],
    ['another supplier beside a message', { import_supplier: 'T', detail: 'No.' }],
    [
      'another account that was imported before',
      { external_account_number: 'A-2', kraken_account_number: 'K-1' },
    ],
    ['another platform number', { external_account_number: 'A-1', kraken_account_number: 'K-2' }],
    ['another account with a blank before it', { external_account_number: ' A-2', detail: 'No.' }],
    ['two platform numbers', { kraken_account_number: 'K-1', account_number: 'K-2' }],
  ])('that names %s is about another one', (_what, answer) => {
    expect(refusesAnother('validate', answer, asked())).toBe(true);
  });

  it('with a sentence counts where an account of the old system has blanks itself', () => {
    const spaced = asked({}, { key: { supplier: 'S', account: 'A 1' } });
    expect(refusesAnother('validate', { external_account_number: 'A 2', detail: 'No.' }, spaced)).toBe(true);
    expect(refusesAnother('validate', { external_account_number: 'A 1', detail: 'No.' }, spaced)).toBe(false);
  });

  it('may be a sentence where the account begins with a blank, or its number is not known', () => {
    const blank = asked({}, { key: { supplier: 'S', account: ' A-1' } });
    const sentence = { external_account_number: 'This is not one.', detail: 'No.' };
    expect(refusesAnother('validate', sentence, blank)).toBe(false);
    const first = asked({}, { krakenAccountNumber: undefined });
    const noNumber = { kraken_account_number: 'This is not one.', detail: 'No.' };
    expect(refusesAnother('validate', noNumber, first)).toBe(false);
  });

  it('of a transaction is about one that was sent, by a request with transactions', () => {
    const sent = asked({ transactions: [{ transaction_id: 'T-1' }, { transaction_id: 'T-2' }] });
    const of = (id: JsonValue): JsonObject => ({ transaction_data: { transaction_id: id } });
    expect(refusesAnother('transactions', of('T-2'), sent)).toBe(false);
    expect(refusesAnother('transactions', of('T-3'), sent)).toBe(true);
    expect(refusesAnother('transactions', of(3), sent)).toBe(false);
    expect(refusesAnother('transactions', { transaction_data: 'T-3' }, sent)).toBe(false);
    expect(refusesAnother('notes', of('T-1'), sent)).toBe(true);
  });
});

describe('an answer', () => {
  it('repeats the request where it names the account, or has one of its fields', () => {
    const sent = asked({ customers: [], balance: '1.00' });
    for (const name of [
      'import_supplier',
      'import_supplier_code',
      'external_account_number',
      'account_number',
    ])
      expect(echoes({ [name]: 'x' }, sent)).toBe(true);
    expect(echoes({ balance: null }, sent)).toBe(true);
    expect(echoes({ other: 1, balance: null }, sent)).toBe(true);
    expect(echoes({ other: 1 }, sent)).toBe(false);
    expect(echoes({ external_account_number: 1 }, sent)).toBe(false);
    expect(echoes({}, sent)).toBe(false);
    expect(echoes('balance', sent)).toBe(false);
    expect(echoes(null, sent)).toBe(false);
  });

  it('repeats the payload only by a field that does not identify the account', () => {
    const sent = asked({ external_account_number: 'A-1', balance: '1.00' });
    expect(repeatsPayload({ external_account_number: 'A-1' }, sent)).toBe(false);
    expect(repeatsPayload({ external_account_number: 'A-1', balance: 'x' }, sent)).toBe(true);
    expect(repeatsPayload({ external_account_number: 'A-1', balance: 'x', other: 1 }, sent)).toBe(true);
    expect(repeatsPayload({ other: 1 }, sent)).toBe(false);
    expect(repeatsPayload([], sent)).toBe(false);
    expect(repeatsPayload(null, sent)).toBe(false);
  });
});
