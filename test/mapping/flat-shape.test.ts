import { describe, expect, test } from 'vitest';
import { checkPayload, defaultRuleContext } from '../../src/contract/preflight.ts';
import { stringifyJson } from '../../src/domain/json.ts';
import { builtInMapping } from '../../src/mapping/built-in.ts';
import { planOf, problemsOf, type Files } from './bundles.ts';

const files = {
  'accounts.csv': [
    'external_account_number,import_supplier,account_type,transfer_balance,unknown_occupier,account_billing_options.use_industry_billing,billing_address.street_address,billing_address.postal_code,billing_address.country',
    'A1,TENTACLE_ENERGY,DOMESTIC,-30.50,false,true,1 High Street,SW1A 1AA,GB',
    'A2,,,,,,,,',
  ],
  'customers.csv': [
    'external_account_number,given_name,family_name,email,portfolio_roles,unable_to_read_meters',
    'A1,Ann,Example,ann@example.com,ADMIN|BILLING,true',
    'A2,Bob,Example,bob@example.com,,',
    'A1,Cid,Example,cid@example.com,,',
  ],
  'metadata.csv': ['external_account_number,key,value.region,value.meter.kind', 'A1,legacy,north,smart'],
  'supply_addresses.csv': [
    'external_account_number,supply_address.street_address,supply_address.country',
    'A1,1 High Street,GB',
    'A1,2 Low Street,GB',
  ],
  'supply_points.csv': [
    'external_account_number,supply_address_index,identifier,supply_type,supply_start_date',
    'A1,1,MP2,ELECTRICITY,2020-01-01',
    'A1,0,MP1,ELECTRICITY,2020-01-01',
  ],
  'agreements.csv': [
    'external_account_number,supply_point_identifier,effective_from,tariff_code',
    'A1,MP2,2020-02-01,T2',
    'A1,MP1,2020-01-01,T1',
  ],
  'ledgers.csv': [
    'external_account_number,ledger_code,ledger_balance,last_statement_balance',
    'A1,ENERGY,-30.50,0.00',
  ],
  'current_statement_transactions.csv': [
    'external_account_number,transaction_id,transaction_date,amount,type',
    'A1,T1,2024-01-02,30.50,SUPPLY_CHARGE',
  ],
  'line_items.csv': [
    'external_account_number,transaction_id,start_date,end_date,number_of_units,price_per_unit,net_amount,units',
    'A1,T1,2023-12-01,2023-12-31,100,1234567890.1234567891,12.35,4|8',
    'A1,T2,2023-11-01,2023-11-30,10,0.5,5.00,',
  ],
  'transactions.csv': [
    'external_account_number,transaction_id,transaction_date,amount,type',
    'A1,T2,2024-02-02,5.00,SUPPLY_CHARGE',
  ],
  'notes.csv': [
    'external_account_number,body,created_at,is_pinned,document_paths',
    'A1,Hello,2024-01-01T10:00:00Z,true,a.pdf|b.pdf',
  ],
  'historical_agreements.csv': [
    'external_account_number,tariff_code,supply_point.identifier',
    'A1,OLD,MP1',
    'A1,OLDER,MP1',
  ],
  'historical_billing_documents.csv': [
    'external_account_number,ledger_code,ledger_number,billing_document_type,billing_document_identifier,issued_date',
    'A1,ELECTRICITY,L1,ITEM_BASED,D1,2023-01-31',
    'A1,ELECTRICITY,L2,ITEM_BASED,D2,2023-01-31',
    'A1,ELECTRICITY,L1,ITEM_BASED,D3,2023-02-28',
  ],
  'historical_billing_document_transactions.csv': [
    'external_account_number,billing_document_identifier,transaction_id,transaction_date,amount,type',
    'A1,D3,H1,2023-02-28,9.99,CHARGE',
  ],
  'additional_historical_transactions.csv': [
    'external_account_number,ledger_code,ledger_number,transaction_id,transaction_date,amount,type',
    'A1,ELECTRICITY,L2,H2,2023-02-28,1.00,PAYMENT',
  ],
  'historical_statements.csv': [
    'external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount',
    'A1,S1,2023-01-01,2023-01-31,12.10',
  ],
  'payment_instructions.csv': ['external_account_number,vendor,reference,type', 'A1,acme,REF-1,CARD'],
} satisfies Files;

function plan(account: string, changed: Files = {}, supplier?: string) {
  const all = { ...files, ...changed };
  return planOf(builtInMapping(Object.keys(all), supplier === undefined ? {} : { supplier }), all, account);
}

describe('an account in the flat CSV shape', () => {
  test('becomes the payload of the interface, each child under its parent and each value in its own type', () => {
    const { payload, problems, key } = plan('A1');
    expect(problems).toEqual([]);
    expect(key).toEqual({ supplier: 'TENTACLE_ENERGY', account: 'A1' });
    expect(JSON.parse(stringifyJson(payload))).toEqual({
      account_billing_options: { use_industry_billing: true },
      account_type: 'DOMESTIC',
      billing_address: { street_address: '1 High Street', postal_code: 'SW1A 1AA', country: 'GB' },
      customers: [
        {
          email: 'ann@example.com',
          family_name: 'Example',
          given_name: 'Ann',
          portfolio_roles: ['ADMIN', 'BILLING'],
          unable_to_read_meters: true,
        },
        { email: 'cid@example.com', family_name: 'Example', given_name: 'Cid' },
      ],
      import_supplier: 'TENTACLE_ENERGY',
      external_account_number: 'A1',
      ledgers: [
        {
          ledger_code: 'ENERGY',
          last_statement_balance: 0,
          ledger_balance: -30.5,
          current_statement_transactions: [
            {
              transaction_id: 'T1',
              transaction_date: '2024-01-02',
              amount: '30.50',
              type: 'SUPPLY_CHARGE',
              line_items: [
                {
                  start_date: '2023-12-01',
                  end_date: '2023-12-31',
                  number_of_units: 100,
                  net_amount: 12.35,
                  price_per_unit: Number('1234567890.1234567891'),
                  units: [4, 8],
                },
              ],
            },
          ],
        },
      ],
      metadata: [{ key: 'legacy', value: { region: 'north', meter: { kind: 'smart' } } }],
      supply_addresses: [
        {
          supply_address: { street_address: '1 High Street', country: 'GB' },
          supply_points: [
            {
              agreements: [{ effective_from: '2020-01-01', tariff_code: 'T1' }],
              supply_start_date: '2020-01-01',
              identifier: 'MP1',
              supply_type: 'ELECTRICITY',
            },
          ],
        },
        {
          supply_address: { street_address: '2 Low Street', country: 'GB' },
          supply_points: [
            {
              agreements: [{ effective_from: '2020-02-01', tariff_code: 'T2' }],
              supply_start_date: '2020-01-01',
              identifier: 'MP2',
              supply_type: 'ELECTRICITY',
            },
          ],
        },
      ],
      transfer_balance: '-30.50',
      unknown_occupier: false,
    });
    expect(stringifyJson(payload)).toContain('"price_per_unit":1234567890.1234567891');
  });

  test('has the payloads of every further step', () => {
    const { extras } = plan('A1');
    const id = { import_supplier: 'TENTACLE_ENERGY', external_account_number: 'A1' };
    const document = (identifier: string, issued: string) => ({
      billing_document_identifier: identifier,
      billing_document_type: 'ITEM_BASED',
      issued_date: issued,
    });
    const ledger = { ...id, ledger_code: 'ELECTRICITY', billing_document_type: 'ITEM_BASED' };
    expect(extras).toEqual({
      notes: [
        {
          ...id,
          notes: [
            {
              body: 'Hello',
              document_paths: [{ document_path: 'a.pdf' }, { document_path: 'b.pdf' }],
              created_at: '2024-01-01T10:00:00Z',
              is_pinned: true,
            },
          ],
        },
      ],
      transactions: [
        {
          ...id,
          transactions: [
            {
              transaction_id: 'T2',
              transaction_date: '2024-02-02',
              amount: '5.00',
              type: 'SUPPLY_CHARGE',
              line_items: [
                {
                  start_date: '2023-11-01',
                  end_date: '2023-11-30',
                  number_of_units: 10,
                  net_amount: 5,
                  price_per_unit: 0.5,
                },
              ],
            },
          ],
        },
      ],
      agreements: [
        { ...id, tariff_code: 'OLD', supply_point: { identifier: 'MP1' } },
        { ...id, tariff_code: 'OLDER', supply_point: { identifier: 'MP1' } },
      ],
      'billing-documents': [
        {
          ...ledger,
          ledger_number: 'L1',
          historical_billing_documents: [
            document('D1', '2023-01-31'),
            {
              ...document('D3', '2023-02-28'),
              transactions: [
                { transaction_id: 'H1', transaction_date: '2023-02-28', amount: '9.99', type: 'CHARGE' },
              ],
            },
          ],
        },
        {
          ...ledger,
          ledger_number: 'L2',
          historical_billing_documents: [document('D2', '2023-01-31')],
          additional_historical_transactions: [
            { transaction_id: 'H2', transaction_date: '2023-02-28', amount: '1.00', type: 'PAYMENT' },
          ],
        },
      ],
      statements: [
        {
          ...id,
          statements: [
            {
              bill_period_from_date: '2023-01-01',
              bill_period_to_date: '2023-01-31',
              statement_id: 'S1',
              gross_amount: 12.1,
            },
          ],
        },
      ],
      'payment-instruction': [{ ...id, vendor: 'acme', reference: 'REF-1', type: 'CARD' }],
    });
    for (const step of Object.keys(extras) as (keyof typeof extras)[])
      for (const payload of extras[step]) expect(checkPayload(step, payload, shapeOnly), step).toEqual([]);
  });

  test('is traced to the cells it was read from', () => {
    const built = plan('A1');
    const locate: typeof built.locate = (...where) => built.locate(...where);
    const at = (file: string, line: number, column: string) => ({ file, line, column });
    expect(locate('stage', 'billing_address.postal_code')).toMatchObject(
      at('accounts.csv', 2, 'billing_address.postal_code'),
    );
    expect(locate('stage', 'customers.1.email')).toMatchObject(at('customers.csv', 4, 'email'));
    expect(locate('stage', 'customers.1.landline')).toMatchObject(at('customers.csv', 4, 'landline'));
    expect(locate('stage', 'customers.0.portfolio_roles.1')).toMatchObject(
      at('customers.csv', 2, 'portfolio_roles'),
    );
    expect(locate('stage', 'supply_addresses.1.supply_points.0.agreements.0.tariff_code')).toMatchObject(
      at('agreements.csv', 2, 'tariff_code'),
    );
    expect(
      locate('validate', 'ledgers.0.current_statement_transactions.0.line_items.0.units.1'),
    ).toMatchObject(at('line_items.csv', 2, 'units'));
    expect(locate('stage', 'metadata.0.value.meter.kind')).toMatchObject(
      at('metadata.csv', 2, 'value.meter.kind'),
    );
    expect(locate('notes', 'notes.0.document_paths.1.document_path')).toMatchObject(
      at('notes.csv', 2, 'document_paths'),
    );
    expect(locate('notes', 'import_supplier')).toMatchObject(at('accounts.csv', 2, 'import_supplier'));
    expect(
      locate('billing-documents', 'historical_billing_documents.1.transactions.0.amount', 0),
    ).toMatchObject(at('historical_billing_document_transactions.csv', 2, 'amount'));
    expect(locate('billing-documents', 'ledger_number', 1)).toMatchObject(
      at('historical_billing_documents.csv', 3, 'ledger_number'),
    );
    expect(locate('agreements', 'tariff_code', 1)).toMatchObject(
      at('historical_agreements.csv', 3, 'tariff_code'),
    );
    expect(locate('stage', 'ledgers.0')).toMatchObject(at('ledgers.csv', 2, ''));
    expect(locate('process', 'operations_team_name')).toMatchObject(at('accounts.csv', 2, ''));
  });

  test('is told the cell of each value that cannot be read', () => {
    const { problems, payload } = plan('A1', {
      'customers.csv': ['external_account_number,given_name,unable_to_read_meters', 'A1,Ann,yes'],
      'supply_addresses.csv': [
        'external_account_number,customer_at_supply_address_from_date,supply_address.country',
        'A1,31.12.2020,GB',
        'A1,,GB',
      ],
      'ledgers.csv': ['external_account_number,ledger_code,ledger_balance', 'A1,ENERGY,"1,5"'],
      'notes.csv': ['external_account_number,body,created_at', 'A1,Hello,yesterday'],
    });
    const found = problems.map(({ code, path, step, cell }) => [
      code,
      step,
      path,
      cell?.file,
      cell?.line,
      cell?.column,
    ]);
    expect(found).toEqual([
      [
        'invalid_boolean',
        'validate',
        'customers.0.unable_to_read_meters',
        'customers.csv',
        2,
        'unable_to_read_meters',
      ],
      ['invalid_amount', 'validate', 'ledgers.0.ledger_balance', 'ledgers.csv', 2, 'ledger_balance'],
      [
        'invalid_date',
        'validate',
        'supply_addresses.0.customer_at_supply_address_from_date',
        'supply_addresses.csv',
        2,
        'customer_at_supply_address_from_date',
      ],
      ['invalid_datetime', 'notes', 'notes.0.created_at', 'notes.csv', 2, 'created_at'],
    ]);
    expect(problems.every(({ account, severity }) => account === 'A1' && severity === 'error')).toBe(true);
    expect(payload['customers']).toEqual([{ given_name: 'Ann', unable_to_read_meters: 'yes' }]);
  });

  test('is told the cell of each row that names no parent it has', () => {
    const { problems } = plan('A1', {
      'supply_points.csv': [
        'external_account_number,supply_address_index,identifier,supply_type',
        'A1,2,MP1,ELECTRICITY',
        'A1,,MP2,ELECTRICITY',
      ],
      'agreements.csv': [
        'external_account_number,supply_point_identifier,effective_from,tariff_code',
        'A1,MP9,2020-02-01,T2',
      ],
      'line_items.csv': [
        'external_account_number,transaction_id,start_date,end_date,number_of_units,net_amount',
        'A1,,2023-12-01,2023-12-31,100,12.35',
      ],
    });
    expect(problems.map(({ code, cell }) => [code, cell?.file, cell?.line, cell?.column]).sort()).toEqual([
      ['parent_not_found', 'agreements.csv', 2, 'supply_point_identifier'],
      ['parent_not_found', 'line_items.csv', 2, 'transaction_id'],
      ['parent_not_found', 'supply_points.csv', 2, 'supply_address_index'],
      ['parent_not_named', 'supply_points.csv', 3, 'supply_address_index'],
    ]);
  });

  test('needs no reference where there is only one parent', () => {
    const { payload, problems } = plan('A1', {
      'supply_addresses.csv': ['external_account_number,supply_address.country', 'A1,GB'],
      'supply_points.csv': ['external_account_number,identifier,supply_type', 'A1,MP1,ELECTRICITY'],
      'agreements.csv': ['external_account_number,effective_from,tariff_code', 'A1,2020-02-01,T2'],
    });
    expect(problems).toEqual([]);
    expect(payload['supply_addresses']).toMatchObject([
      { supply_points: [{ identifier: 'MP1', agreements: [{ tariff_code: 'T2' }] }] },
    ]);
  });

  test('is refused where one ledger has billing documents of both types', () => {
    const { problems } = plan('A1', {
      'historical_billing_documents.csv': [
        'external_account_number,ledger_code,ledger_number,billing_document_type,billing_document_identifier,issued_date',
        'A1,ELECTRICITY,L2,ITEM_BASED,D3,2023-01-31',
        'A1,ELECTRICITY,L2,PERIOD_BASED,D4,2023-01-31',
      ],
    });
    expect(problems).toMatchObject([
      {
        code: 'conflicting_values',
        step: 'billing-documents',
        path: 'billing_document_type',
        cell: { file: 'historical_billing_documents.csv', line: 3, column: 'billing_document_type' },
      },
    ]);
  });

  test('takes metadata as JSON text', () => {
    const metadata = (value: string) =>
      plan('A1', { 'metadata.csv': ['external_account_number,key,value', `A1,legacy,${value}`] });
    expect(metadata('{"n":12345678901234567890}').payload['metadata']).toMatchObject([{ key: 'legacy' }]);
    expect(stringifyJson(metadata('{"n":12345678901234567890}').payload)).toContain(
      '{"n":12345678901234567890}',
    );
    expect(metadata('{"n":').problems).toMatchObject([{ code: 'invalid_json', path: 'metadata.0.value' }]);
  });

  test('gets its supplier from the options where its data names none, and is refused without any', () => {
    expect(plan('A2', {}, 'OTHER')).toMatchObject({
      key: { supplier: 'OTHER', account: 'A2' },
      payload: { import_supplier: 'OTHER', external_account_number: 'A2' },
      problems: [],
    });
    expect(plan('A1', {}, 'OTHER').key.supplier).toBe('TENTACLE_ENERGY');
    expect(plan('A2').problems).toMatchObject([
      {
        code: 'missing_import_supplier',
        path: 'import_supplier',
        cell: { file: 'accounts.csv', line: 3, column: 'import_supplier' },
      },
    ]);
  });
});

describe('the files of an export without a mapping', () => {
  test('are refused where a column is not one of the shape, which names the nearest', () => {
    const all = { ...files, 'notes.csv': ['external_account_number,body,create_at', 'A1,Hello,'] };
    expect(problemsOf(builtInMapping(Object.keys(all), {}), all)).toMatchObject([
      {
        code: 'unknown_column',
        account: null,
        detail: expect.stringContaining('Did you mean created_at?'),
        cell: { file: 'notes.csv', line: 1, column: 'create_at' },
      },
    ]);
  });

  test('are refused where a name is nearly one of the shape, and told of otherwise', () => {
    const mapping = builtInMapping(['accounts.csv', 'custmers.csv', 'README.md'], {});
    expect(problemsOf(mapping)).toMatchObject([
      {
        code: 'unknown_file',
        severity: 'error',
        detail: expect.stringContaining('Did you mean customers.csv?'),
      },
    ]);
    expect(builtInMapping(['accounts.csv', 'weather.csv'], {})).toMatchObject({
      warnings: [{ code: 'unknown_file', severity: 'warning' }],
    });
  });

  test('are refused where there is no accounts file, or more than one', () => {
    expect(problemsOf(builtInMapping(['account.csv', 'notes.csv'], {}))).toMatchObject([
      { code: 'unknown_file' },
      { code: 'missing_file', severity: 'error', detail: expect.stringContaining('Is it account.csv?') },
    ]);
    expect(problemsOf(builtInMapping([], {}))).toMatchObject([{ code: 'missing_file' }]);
    expect(problemsOf(builtInMapping(['accounts.csv', 'accounts.ndjson'], {}))).toMatchObject([
      { code: 'ambiguous_file' },
    ]);
  });

  test('are refused where rows would complete a file of the other shape', () => {
    expect(problemsOf(builtInMapping(['accounts.ndjson', 'customers.csv'], {}))).toMatchObject([
      { code: 'unused_file', cell: { file: 'customers.csv' } },
    ]);
  });
});

const shapeOnly = defaultRuleContext('2030-01-01');
