import { describe, expect, it } from 'vitest';
import { checkPayload, defaultRuleContext } from '../../src/contract/preflight.ts';
import { ExactNumber, parseJson, type JsonValue } from '../../src/domain/json.ts';
import type { StepName } from '../../src/domain/steps.ts';
import { changed, today, valid, type Changes } from './payloads.ts';

const context = defaultRuleContext(today);

function found(step: StepName, payload: JsonValue): [string, string][] {
  return checkPayload(step, payload, context).map(({ code, path }) => [code, path]);
}

function broken(changes: Changes): [string, string][] {
  return found('validate', changed(valid.account(), changes));
}

describe('the shape of a payload', () => {
  const faults: [string, JsonValue | undefined, string][] = [
    ['import_supplier', undefined, 'required'],
    ['import_supplier', '', 'blank'],
    ['billing_address.locality', ' \t', 'blank'],
    ['unknown_occupier', 'true', 'invalid'],
    ['unknown_occupier', null, 'null'],
    ['customers', {}, 'invalid'],
    ['customers.1', 'Ada', 'invalid'],
    ['customers.0.email', 'a'.repeat(255), 'max_length'],
    ['external_account_number', '1'.repeat(129), 'max_length'],
    ['billing_address.country', 'Great Britain', 'invalid_country'],
    ['billing_address.country', 'XX', 'invalid_country'],
    ['supply_addresses.0.supply_points.0.agreements.0.tariff_code', undefined, 'required'],
    ['supply_addresses.0.supply_points.0.last_billed_to_date', '2023-02-29', 'invalid_date'],
    ['ledgers.0.last_statement_closing_date', '0000-01-01', 'invalid_date'],
    ['ledgers.0.ledger_balance', '1e3', 'invalid_amount'],
    ['ledgers.0.ledger_balance', 12345678901, 'invalid_amount'],
    ['ledgers.0.ledger_balance', 1e-25, 'invalid_amount'],
    ['ledgers.0.current_statement_transactions.0.amount', '1,50', 'invalid_amount'],
    ['metadata.1.value', 'text', 'invalid'],
    ['customers.0.mobile', '+44', 'unknown_field'],
    ['transfer_balance', { digits: '1' }, 'invalid_amount'],
  ];
  it.each(faults)('is wrong where %s is %j', (path, value, code) => {
    expect(broken({ [path]: value })).toEqual([[code, path]]);
  });

  const bounds = 'is required: at most ten digits before and ten after the decimal point.';
  const amounts = [
    ['transfer_balance', `A decimal ${bounds}`],
    ['ledgers.0.ledger_balance', `A number ${bounds}`],
    ['ledgers.0.current_statement_transactions.0.amount', `An amount ${bounds}`],
  ] as const;
  it.each<[StepName, string, JsonValue, string]>([
    [
      'validate',
      'customers.0.mobile',
      '+44',
      'The interface does not document this field. Remove it from the mapping or the export.',
    ],
    ['validate', 'billing_address.locality', 'a'.repeat(1000), 'Must have at most 512 characters.'],
    ['billing-documents', 'billing_document_type', 'NONE', 'Must be one of ITEM_BASED, PERIOD_BASED.'],
    ['validate', 'unknown_occupier', 'true', 'Must be of the type boolean.'],
    ['validate', 'customers.0', 'Ada', 'Must be of the type object.'],
    ['validate', 'metadata.0.value', 'text', 'A JSON object is required.'],
    ['validate', 'import_supplier', '', 'This field may not be blank.'],
    ['validate', 'import_supplier', null, 'This field may not be null; omit it instead.'],
    [
      'validate',
      'billing_address.country',
      'England',
      'A country is given by its two-letter code (ISO 3166-1): GB, not UK; GR, not EL.',
    ],
    [
      'validate',
      'billing_address.country',
      'UK',
      'A country is given by its two-letter code (ISO 3166-1): GB, not UK; GR, not EL.',
    ],
    [
      'billing-documents',
      'historical_billing_documents.0.issued_date',
      '2023-02-29',
      'Date has wrong format or does not exist. Use YYYY-MM-DD.',
    ],
    ...amounts.map(([path, detail]): [StepName, string, JsonValue, string] => [
      'validate',
      path,
      '1,50',
      detail,
    ]),
  ])('says in its own words what is to be put right (%s, %s)', (step, path, value, detail) => {
    const payload = step === 'validate' ? valid.account() : valid.documents();
    expect(checkPayload(step, changed(payload, { [path]: value }), context)).toMatchObject([{ detail }]);
  });

  it('names every fault, and every breach of a rule that does not depend on one', () => {
    expect(broken({ transfer_balance: 5, sales_channel: 7, 'customers.0.landline': 1 })).toEqual([
      ['invalid', 'customers.0.landline'],
      ['invalid', 'sales_channel'],
      ['ledger_balances_not_equal_to_transfer_balance', 'transfer_balance'],
    ]);
  });

  it.each([
    ['\u0085', 'U+0085'],
    ['\u0000', 'U+0000'],
    ['\u001b', 'U+001B'],
    ['\u007f', 'U+007F'],
  ])('has no control character in a text (%j)', (character, name) => {
    const payload = changed(valid.account(), { 'customers.1.family_name': `Exa${character}mple` });
    expect(checkPayload('validate', payload, context)).toMatchObject([
      { code: 'control_character', path: 'customers.1.family_name', detail: expect.stringContaining(name) },
    ]);
    const levels = new Map([['control_character', 'off' as const]]);
    expect(checkPayload('validate', payload, { today, levels })).toEqual([]);
  });

  it.each([
    ['customers.1.family_name', 'M?ller', 'question mark'],
    ['customers.1.family_name', "'Example'", 'single quotes'],
    ['customers.1.family_name', '?橋', 'question mark'],
    ['customers.1.family_name', '〓橋', 'U+3013'],
    ['customers.1.given_name', 'J\ufffdrg', 'U+FFFD'],
    ['billing_address.street_address', 'Stra?e 1', 'question mark'],
    ['billing_address.locality', 'Berlin\u00a0', 'U+00A0'],
    ['customers.1.family_name', '\u200bExample', 'U+200B'],
    ['customers.1.family_name', 'Exa\ue000mple', 'U+E000'],
    ['customers.1.family_name', 'MÃ¼ller', 'Ã¼'],
    ['customers.1.family_name', 'Oâ€™Brien', 'â€™'],
    ['customers.1.family_name', 'M&uuml;ller', '&uuml;'],
    ['customers.1.family_name', 'HŠmŠlŠinen', 'Š'],
    ['customers.1.family_name', 'Sch„fer', '„'],
    ['customers.1.email', 'ann＠example.com', 'full-width'],
    ['customers.1.email', 'ann@exаmple.com', 'different scripts'],
    ['customers.1.email', 'ann@example.com; bob@example.com', 'form'],
    ['customers.1.email', 'Ann <ann@example.com>', 'form'],
    ['customers.1.email', 'mailto:ann@example.com', 'form'],
    ['customers.1.email', 'ann.example.com', 'form'],
    ['customers.1.email', 'ann@ example.com', 'form'],
    ['customers.1.email', 'ann@example,com', 'form'],
    ['customers.1.email', 'ann@example.com.', 'form'],
    ['customers.1.email', 'an\u200bn@example.com', 'form'],
    ['external_account_number', '００１７', 'full-width'],
    ['external_account_number', "'0017", 'spreadsheet'],
    ['external_account_number', '=0017', 'spreadsheet'],
  ])('is warned of where a text seems damaged: %s %j', (path, text, detail) => {
    const payload = changed(valid.account(), { [path]: text });
    expect(checkPayload('validate', payload, context)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'suspicious_text',
          path,
          severity: 'warning',
          detail: expect.stringContaining(detail),
        }),
      ]),
    );
  });

  it.each([
    ['customers.1.email', "o'neil+gas@mail.example-shop.co.uk"],
    ['customers.1.email', 'jörg@bücher.example'],
    ['customers.1.family_name', 'Ångström & Söhne; Café'],
    ['customers.1.family_name', 'SÃO PAULO'],
    ['customers.1.family_name', 'ŠKODA Žižka-Œuvre'],
  ])('is not warned of a sound text: %s %j', (path, text) => {
    expect(checkPayload('validate', changed(valid.account(), { [path]: text }), context)).toEqual([]);
  });

  it('may have tabs and line ends in a text', () => {
    expect(broken({ 'customers.1.family_name': 'Exam\tple\r\nof Town' })).toEqual([]);
  });

  it('has no field that only JavaScript knows', () => {
    const text = '{"import_supplier":"S","external_account_number":"1","__proto__":{},"constructor":1}';
    expect(found('stage', parseJson(text))).toEqual([
      ['unknown_field', '__proto__'],
      ['unknown_field', 'constructor'],
    ]);
  });

  it.each([[null], ['text'], [[]], [5]])('is not %j', (payload) => {
    expect(found('notes', payload)).toMatchObject([[expect.any(String), '']]);
  });

  it('has a period where a billing document is PERIOD_BASED', () => {
    const document = 'historical_billing_documents.0';
    const payload = changed(valid.documents(), {
      [`${document}.bill_period_from_date`]: undefined,
      [`${document}.bill_period_to_date`]: undefined,
    });
    expect(found('billing-documents', payload)).toEqual([
      ['required', `${document}.bill_period_from_date`],
      ['required', `${document}.bill_period_to_date`],
    ]);
  });

  it('is wrong where a number has too many digits for a float, whatever belongs there', () => {
    const long = new ExactNumber('1.00000000000000000001');
    expect(broken({ 'supply_addresses.0': long })).toEqual([['invalid', 'supply_addresses.0']]);
    expect(broken({ 'ledgers.0.ledger_balance': long })).toEqual([
      ['invalid_amount', 'ledgers.0.ledger_balance'],
    ]);
  });

  it('has a length in characters, whatever a text takes in memory', () => {
    const address = (letters: number): string => `${'𐐀'.repeat(letters)}@example.com`;
    expect(broken({ 'customers.0.email': address(242) })).toEqual([]);
    expect(broken({ 'customers.0.email': address(243) })).toEqual([['max_length', 'customers.0.email']]);
  });

  it('has its faults in the order of its fields, unknown ones last', () => {
    const name = { given_name: 'Ada', family_name: 'Example' };
    const payload = {
      more: 1,
      transfer_balance: 'x',
      customers: [{ ...name, title: '', pet: 'cat', email: '' }, 7],
    };
    expect(found('stage', payload)).toEqual([
      ['blank', 'customers.0.email'],
      ['blank', 'customers.0.title'],
      ['unknown_field', 'customers.0.pet'],
      ['invalid', 'customers.1'],
      ['required', 'import_supplier'],
      ['required', 'external_account_number'],
      ['invalid_amount', 'transfer_balance'],
      ['unknown_field', 'more'],
    ]);
  });

  it('is open where the interface shows none: agreements and the values of metadata', () => {
    expect(found('agreements', valid.agreements())).toEqual([]);
    expect(broken({ 'metadata.0.value': { any: [{ depth: null }] } })).toEqual([]);
  });
});

describe('a value that the interface does not show', () => {
  const payload = changed(valid.account(), {
    account_type: 'SHARED',
    'customers.0.portfolio_roles': ['ADMIN', 'OWNER'],
    'ledgers.0.current_statement_transactions.0.tax_items.0.tax_type': 'GST',
  });
  const paths = [
    'account_type',
    'customers.0.portfolio_roles.1',
    'ledgers.0.current_statement_transactions.0.tax_items.0.tax_type',
  ];

  it('is a warning, at its place', () => {
    expect(checkPayload('validate', payload, context)).toMatchObject(
      paths.map((path) => ({ code: 'unknown_value', path, severity: 'warning' })),
    );
  });

  it('is never repeated in what is said of it', () => {
    const details = checkPayload('validate', payload, context).map(({ detail }) => detail);
    expect(details.join()).not.toMatch(/SHARED|OWNER|GST/);
  });

  it('is whatever the configuration makes of it', () => {
    const at = (level: 'off' | 'error') =>
      checkPayload('validate', payload, { today, levels: new Map([['unknown_value', level]]) });
    expect(at('off')).toEqual([]);
    expect(at('error')).toMatchObject(paths.map((path) => ({ path, severity: 'error' })));
  });
});

it.each(['x', '@', '.', ' ', "'", '&', '1', ' 1', 'a@', 'é', 'Ã', '\u200b', 'Total ', '+49 '])(
  'a note of a megabyte of %j is checked with each character looked at a few times',
  (piece) => {
    const body = piece.repeat(1_000_000 / piece.length);
    for (const text of [body, `${body}@`, `${body}\n?`])
      expect(checkPayload('notes', { ...valid.notes(), notes: [{ body: text }] }, context)).toBeDefined();
    const payload = changed(valid.account(), { 'billing_address.locality': body });
    expect(checkPayload('validate', payload, context)).toBeDefined();
  },
);
