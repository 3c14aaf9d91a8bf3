import { describe, expect, test } from 'vitest';
import { stringifyJson } from '../../src/domain/json.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { planOf, problemsOf, type Files } from './bundles.ts';

const tables = `version: 1
format: { dates: dd/mm/yyyy, decimal_mark: ",", thousands_mark: ".", delimiter: ";" }
tables:
  accounts: { file: KUNDEN.csv, key: KNR }
`;

/** The plan of account 1, of which `row` is the record. */
function plan(mapping: string, columns: string, row: string, files: Files = {}) {
  const all = { 'KUNDEN.csv': [`KNR;${columns}`, `1;${row}`], ...files };
  return planOf(readMapping('mapping.yaml', mapping, { supplier: 'TENTACLE_ENERGY' }), all, '1');
}

function payload(account: string, columns: string, row: string) {
  const { payload: built, problems } = plan(`${tables}account:\n${account}`, columns, row);
  const { import_supplier: _supplier, external_account_number: _number, ...rest } = built;
  return { built: rest, problems };
}

describe('a value of a mapping file', () => {
  test('takes the type that the interface has for its field, in the way the export writes it', () => {
    const { built, problems } = payload(
      `  unknown_occupier: JN
  transfer_balance: SALDO
  ledgers: [ { ledger_code: BUCH, ledger_balance: SALDO, last_statement_closing_date: DATUM } ]
  supply_addresses: [ { customer_at_supply_address_from_date: { column: SEIT, date: yyyymmdd } } ]
`,
      'JN;SALDO;BUCH;DATUM;SEIT',
      'true;-1.234,50;007;31/01/2024;20240229',
    );
    expect(problems).toEqual([]);
    expect(built).toEqual({
      ledgers: [{ ledger_code: '007', last_statement_closing_date: '2024-01-31', ledger_balance: -1234.5 }],
      supply_addresses: [{ customer_at_supply_address_from_date: '2024-02-29' }],
      transfer_balance: '-1234.50',
      unknown_occupier: true,
    });
  });

  test.each([
    ['transfer_balance: X', '1.23', 'invalid_amount'],
    ['transfer_balance: X', '12345678901', 'invalid_amount'],
    ['transfer_balance: X', '1,5,0', 'invalid_amount'],
    ['unknown_occupier: X', 'ja', 'invalid_boolean'],
    ['supply_addresses: [ { customer_at_supply_address_from_date: X } ]', '30/02/2024', 'invalid_date'],
    ['supply_addresses: [ { customer_at_supply_address_from_date: X } ]', '2024-02-01', 'invalid_date'],
    ['account_type: { column: X, codes: { P: DOMESTIC } }', 'Q', 'unknown_code'],
  ])('is a problem at its cell where it cannot be read (%s of %s)', (field, text, code) => {
    const { problems } = payload(`  ${field}\n`, 'X', text);
    expect(problems).toMatchObject([
      { code, severity: 'error', step: 'validate', cell: { file: 'KUNDEN.csv', line: 2, column: 'X' } },
    ]);
    expect(problems[0]?.detail).not.toContain(text);
  });

  test('that is no decimal says how one is written, and where to say that otherwise', () => {
    const { problems } = payload('  transfer_balance: X\n', 'X', '12.50');
    expect(problems[0]?.detail).toMatch(
      /such as 9\.876,50, .* set decimal_mark, thousands_mark and sign under format/,
    );
  });

  test.each([
    ['a column', '', "{ column: X, decimal_mark: '.', thousands_mark: '' }", '1234.50', '1234.50'],
    ['a column alone', '', "{ column: X, thousands_mark: '' }", '1234,50', '1234.50'],
    ['a table', "decimal_mark: '.', thousands_mark: ''", 'X', '1234.50', '1234.50'],
  ])(
    'has no thousands mark where %s says so, though all others have one',
    (_what, table, value, text, amount) => {
      const mapping = `${tables}account:\n  transfer_balance: ${value}\n`;
      const own = table === '' ? mapping : mapping.replace('key: KNR', `key: KNR, ${table}`);
      const { payload: built, problems } = plan(own, 'X', text);
      expect([problems, built['transfer_balance']]).toEqual([[], amount]);
      expect(plan(own, 'X', '1.234,50').problems).toMatchObject([{ code: 'invalid_amount' }]);
    },
  );

  test('is what an object needs beside constants, also within an array', () => {
    const account = `  metadata:
    - key: { constant: legacy }
      value: { id: NR, tags: [{ constant: migrated }, FARBE] }
`;
    expect(payload(account, 'NR;FARBE', ';').built).toEqual({});
    expect(payload(account, 'NR;FARBE', ';rot').built).toEqual({
      metadata: [{ key: 'legacy', value: { tags: ['migrated', 'rot'] } }],
    });
    expect(payload(account, 'NR;FARBE', '7;').built).toEqual({
      metadata: [{ key: 'legacy', value: { id: '7', tags: ['migrated'] } }],
    });
  });

  test('counts as empty where its text says so, also where rows are chosen', () => {
    const mapping = `${tables.replace('delimiter', "empty: 'NULL', delimiter")}  notes: { file: N.csv, key: KNR }
account: { account_type: ART, sales_channel: { cases: [ { when: { ART: '' }, then: { constant: EVENTS } } ] } }
notes: { from: notes, where: { WEG: '' }, each: { body: TEXT } }
`;
    const { payload: built, extras } = plan(mapping, 'ART', 'NULL', {
      'N.csv': ['KNR;WEG;TEXT', '1;NULL;a', '1;;b', '1;x;c'],
    });
    expect(built).toMatchObject({ sales_channel: 'EVENTS' });
    expect(built).not.toHaveProperty('account_type');
    expect(extras.notes).toMatchObject([{ notes: [{ body: 'a' }, { body: 'b' }] }]);
  });

  test('may be a constant, a code, or a default for an empty cell', () => {
    const account = `  account_type: { column: ART, codes: { P: DOMESTIC, 0: BUSINESS } }
  communication_preference: { constant: ONLINE }
  sales_channel: { column: KANAL, default: EVENTS }
  unknown_occupier: { column: LEER, codes: { J: true, N: false }, default: false }
  transfer_balance: { constant: 0012.50 }
  billing_address: { postal_code: { constant: 0123 }, country: { constant: NO } }
`;
    expect(payload(account, 'ART;KANAL;LEER', '0;;J').built).toEqual({
      account_type: 'BUSINESS',
      billing_address: { postal_code: '0123', country: 'NO' },
      communication_preference: 'ONLINE',
      sales_channel: 'EVENTS',
      transfer_balance: '12.50',
      unknown_occupier: true,
    });
    expect(payload(account, 'ART;KANAL;LEER', 'P;DOOR;').built).toMatchObject({
      account_type: 'DOMESTIC',
      sales_channel: 'DOOR',
      unknown_occupier: false,
    });
  });

  test('is omitted where it is empty, and so is what holds nothing else', () => {
    const account = `  account_type: ART
  billing_address: { street_address: STRASSE, country: LAND }
  customers: [ { given_name: VORNAME, portfolio_roles: [ ROLLE ] }, { given_name: NAME2 } ]
`;
    expect(payload(account, 'ART;STRASSE;LAND;VORNAME;ROLLE;NAME2', ';;;;;').built).toEqual({});
    const constants = `  billing_address: { street_address: STRASSE, country: { constant: DE } }
  metadata: [ { key: { constant: a }, value: { b: { constant: c } } } ]
`;
    expect(payload(constants, 'STRASSE', '').built).toEqual({ metadata: [{ key: 'a', value: { b: 'c' } }] });
    expect(payload(account, 'ART;STRASSE;LAND;VORNAME;ROLLE;NAME2', ';;DE;;;Ann').built).toEqual({
      billing_address: { country: 'DE' },
      customers: [{ given_name: 'Ann' }],
    });
  });

  test('may hold several, cut at a mark', () => {
    const account = `  customers:
    - { given_name: NAME, portfolio_roles: { column: ROLLEN, split: "+", codes: { A: ADMIN, B: BILLING } } }
    - { given_name: NAME, portfolio_roles: { constant: ADMIN } }
`;
    const { built } = payload(account, 'NAME;ROLLEN', 'Ann;A + B+');
    expect(built).toEqual({
      customers: [
        { given_name: 'Ann', portfolio_roles: ['ADMIN', 'BILLING'] },
        { given_name: 'Ann', portfolio_roles: ['ADMIN'] },
      ],
    });
    expect(payload(account, 'NAME;ROLLEN', 'Ann;A+X').problems).toMatchObject([
      { code: 'unknown_code', path: 'customers.0.portfolio_roles.1', cell: { column: 'ROLLEN' } },
    ]);
  });

  test('of a field that the interface does not show is text, unless its type is stated', () => {
    const account = `  metadata:
    - key: { constant: legacy }
      value:
        region: REGION
        since: { column: SEIT, type: date }
        score: { column: PUNKTE, type: number }
        debt: { column: PUNKTE, type: amount }
        vip: { constant: true, type: boolean }
        tags: [ REGION, { constant: "7" } ]
`;
    expect(payload(account, 'REGION;SEIT;PUNKTE', '07;01/02/2003;1.000,5').built).toEqual({
      metadata: [
        {
          key: 'legacy',
          value: {
            region: '07',
            since: '2003-02-01',
            score: 1000.5,
            debt: '1000.5',
            vip: true,
            tags: ['07', '7'],
          },
        },
      ],
    });
  });

  test('that is an object may be a column of JSON text', () => {
    const account = `  metadata: [ { key: { constant: legacy }, value: { column: J } } ]\n`;
    expect(payload(account, 'J', '{"a":[1]}').built).toEqual({
      metadata: [{ key: 'legacy', value: { a: [1] } }],
    });
    expect(payload(account, 'J', '[1]').problems).toMatchObject([
      { code: 'invalid_json', path: 'metadata.0.value' },
    ]);
  });

  test('keeps every digit of a number', () => {
    const { built } = payload('  ledgers: [ { ledger_balance: S } ]\n', 'S', '1234567890,1234567891');
    expect(stringifyJson(built)).toBe('{"ledgers":[{"ledger_balance":1234567890.1234567891}]}');
  });
});

describe('child tables of a mapping file', () => {
  const mapping = `version: 1
format: { delimiter: ";" }
tables:
  accounts: { file: KUNDEN.csv, key: KNR }
  objects: { file: OBJEKTE.csv, key: KNR }
  meters: { file: ZAEHLER.csv, key: KNR }
  postings: { file: POSTEN.csv, key: KNR, dates: dd.mm.yyyy, decimal_mark: "," }
  remarks: { file: NOTIZ.csv, key: KNR }
account:
  import_supplier: LIEFERANT
  ledgers:
    - ledger_code: { constant: ENERGY }
      current_statement_transactions:
        from: postings
        where: { STATUS: [ O, N ] }
        each: { transaction_id: ID, transaction_date: DATUM, amount: BETRAG, type: ART }
      historical_statement_transactions:
        from: postings
        where: { STATUS: A }
        each: { transaction_id: ID, transaction_date: DATUM, amount: BETRAG, type: ART }
  supply_addresses:
    from: objects
    each:
      supply_address: { street_address: STRASSE, country: { constant: DE } }
      supply_points:
        from: meters
        match: { OBJEKT: OBJ }
        each: { identifier: ZNR, supply_type: { constant: ELECTRICITY } }
notes:
  - body: { constant: Moved over }
  - from: remarks
    each: { body: TEXT, created_at: { column: WANN, date: dd/mm/yyyy HH:MM }, document_paths: [ { document_path: BEILAGE } ] }
payment_instructions:
  from: remarks
  where: { TEXT: SEPA }
  each: { vendor: { constant: acme }, reference: BEILAGE, type: { constant: DIRECT_DEBIT } }
`;
  const files: Files = {
    'OBJEKTE.csv': ['KNR;OBJ;STRASSE', '1;B;Weg 2', '2;A;Weg 9', '1;A;Weg 1'],
    'ZAEHLER.csv': ['KNR;OBJEKT;ZNR', '1;A;Z1', '1;B;Z2', '1;A;Z3'],
    'POSTEN.csv': [
      'KNR;ID;DATUM;BETRAG;ART;STATUS',
      '1;T1;01.02.2024;1,50;CHARGE;O',
      '1;T2;01.01.2024;2,50;PAYMENT;A',
      '1;T3;02.02.2024;3,50;CREDIT;N',
    ],
    'NOTIZ.csv': ['KNR;TEXT;WANN;BEILAGE', '1;SEPA;24/12/2023 18:30;M-1', '1;Hallo;;'],
  };
  const built = (changed: Files = {}) => plan(mapping, 'LIEFERANT', 'OTHER', { ...files, ...changed });

  test('give one object for each of their rows, under the parent that the row names', () => {
    const { payload: account, problems, key, extras } = built();
    expect(problems).toEqual([]);
    expect(key.supplier).toBe('OTHER');
    expect(account).toEqual({
      import_supplier: 'OTHER',
      external_account_number: '1',
      ledgers: [
        {
          ledger_code: 'ENERGY',
          current_statement_transactions: [
            { transaction_id: 'T1', transaction_date: '2024-02-01', amount: '1.50', type: 'CHARGE' },
            { transaction_id: 'T3', transaction_date: '2024-02-02', amount: '3.50', type: 'CREDIT' },
          ],
          historical_statement_transactions: [
            { transaction_id: 'T2', transaction_date: '2024-01-01', amount: '2.50', type: 'PAYMENT' },
          ],
        },
      ],
      supply_addresses: [
        {
          supply_address: { street_address: 'Weg 2', country: 'DE' },
          supply_points: [{ identifier: 'Z2', supply_type: 'ELECTRICITY' }],
        },
        {
          supply_address: { street_address: 'Weg 1', country: 'DE' },
          supply_points: [
            { identifier: 'Z1', supply_type: 'ELECTRICITY' },
            { identifier: 'Z3', supply_type: 'ELECTRICITY' },
          ],
        },
      ],
    });
    const id = { import_supplier: 'OTHER', external_account_number: '1' };
    expect(extras.notes).toEqual([
      {
        ...id,
        notes: [
          { body: 'Moved over' },
          {
            body: 'SEPA',
            document_paths: [{ document_path: 'M-1' }],
            created_at: '2023-12-24T18:30:00Z',
          },
          { body: 'Hallo' },
        ],
      },
    ]);
    expect(extras['payment-instruction']).toEqual([
      { ...id, vendor: 'acme', reference: 'M-1', type: 'DIRECT_DEBIT' },
    ]);
  });

  test('are traced to their rows, and constants to the mapping', () => {
    const account = built();
    const at = (file: string, line: number, column: string) => ({ file, line, column });
    expect(account.locate('stage', 'supply_addresses.1.supply_points.1.identifier')).toMatchObject(
      at('ZAEHLER.csv', 4, 'ZNR'),
    );
    expect(account.locate('stage', 'supply_addresses.0.supply_address.country')).toMatchObject(
      at('mapping.yaml', 24, 'account.supply_addresses.each.supply_address.country'),
    );
    // No column is said to hold it.
    expect(account.locate('stage', 'supply_addresses.0.supply_address.locality')).toMatchObject(
      at('mapping.yaml', 24, 'account.supply_addresses.each.supply_address'),
    );
    expect(account.locate('stage', 'ledgers.0.current_statement_transactions.1.amount')).toMatchObject(
      at('POSTEN.csv', 4, 'BETRAG'),
    );
    expect(account.locate('notes', 'notes.0.body')).toMatchObject(at('mapping.yaml', 30, 'notes.0.body'));
    expect(account.locate('notes', 'notes.2.body')).toMatchObject(at('NOTIZ.csv', 3, 'TEXT'));
    expect(account.locate('notes', 'notes.2.created_at')).toMatchObject(at('NOTIZ.csv', 3, 'WANN'));
    expect(account.locate('notes', 'notes.1.document_paths.0.document_path')).toMatchObject(
      at('NOTIZ.csv', 2, 'BEILAGE'),
    );
    expect(account.locate('payment-instruction', 'reference')).toMatchObject(at('NOTIZ.csv', 2, 'BEILAGE'));
    expect(account.locate('stage', 'external_account_number')).toMatchObject(at('KUNDEN.csv', 2, 'KNR'));
    expect(account.locate('stage', 'import_supplier')).toMatchObject(at('KUNDEN.csv', 2, 'LIEFERANT'));
    expect(account.locate('transactions', 'transactions.0.amount')).toMatchObject(at('KUNDEN.csv', 2, ''));
  });

  test('lose no row silently', () => {
    const { problems } = built({
      'ZAEHLER.csv': ['KNR;OBJEKT;ZNR', '1;C;Z1', '1;;Z2'],
      'POSTEN.csv': ['KNR;ID;DATUM;BETRAG;ART;STATUS', '1;T1;01.02.2024;1,50;CHARGE;X'],
    });
    expect(problems.map(({ code, severity, cell }) => [code, severity, cell])).toEqual([
      ['row_not_mapped', 'warning', { file: 'POSTEN.csv', line: 2, column: '' }],
      ['parent_not_found', 'error', { file: 'ZAEHLER.csv', line: 2, column: 'OBJEKT' }],
      ['parent_not_found', 'error', { file: 'ZAEHLER.csv', line: 3, column: 'OBJEKT' }],
    ]);
  });

  test('need no match where there is only one parent, and are refused where there are several', () => {
    const loose = mapping.replace('        match: { OBJEKT: OBJ }\n', '');
    const one = { ...files, 'OBJEKTE.csv': ['KNR;OBJ;STRASSE', '1;A;Weg 1'] };
    expect(plan(loose, 'LIEFERANT', 'OTHER', one)).toMatchObject({
      problems: [],
      payload: {
        supply_addresses: [
          { supply_points: [{ identifier: 'Z1' }, { identifier: 'Z2' }, { identifier: 'Z3' }] },
        ],
      },
    });
    expect(
      plan(loose, 'LIEFERANT', 'OTHER', files).problems.map(({ code, cell }) => [code, cell?.line]),
    ).toEqual([
      ['parent_not_named', 2],
      ['parent_not_named', 3],
      ['parent_not_named', 4],
    ]);
  });

  test('give a single object or value by the row that is named, or the first in their order', () => {
    const single = `version: 1
format: { delimiter: ";" }
tables:
  accounts: { file: KUNDEN.csv, key: KNR }
  places: { file: OBJEKTE.csv, key: KNR }
account:
  billing_address: { from: places, match: { OBJ: HOME }, each: { street_address: STRASSE, country: { constant: DE } } }
  account_type: { from: places, each: ART }
  sales_channel: { from: places, order: [ART], each: { column: ART, codes: { G: EVENTS } } }
`;
    const built = (rows: readonly string[], home: string) =>
      plan(single, 'HOME', home, { 'OBJEKTE.csv': ['KNR;OBJ;STRASSE;ART', ...rows] });
    const one = built(['1;A;Weg 1;G'], 'A');
    expect(one.problems).toEqual([]);
    expect(one.payload).toMatchObject({
      account_type: 'G',
      billing_address: { street_address: 'Weg 1', country: 'DE' },
      sales_channel: 'EVENTS',
    });
    const at = (line: number, column: string) => ({ file: 'OBJEKTE.csv', line, column });
    expect(one.locate('stage', 'billing_address.street_address')).toMatchObject(at(2, 'STRASSE'));
    expect(one.locate('stage', 'account_type')).toMatchObject(at(2, 'ART'));

    const several = built(['1;A;Weg 1;X', '1;B;Weg 2;G'], 'C');
    expect(several.payload['sales_channel']).toBe('EVENTS');
    expect(several.locate('stage', 'sales_channel')).toMatchObject(at(3, 'ART'));
    expect(several.problems.map(({ code, path, cell }) => [code, path, cell])).toEqual([
      ['several_rows', 'account_type', at(3, '')],
      ['row_not_found', 'billing_address', { file: 'KUNDEN.csv', line: 2, column: 'HOME' }],
    ]);
    expect(built(['1;A;Weg 1;X'], '').problems).toMatchObject([{ code: 'unknown_code' }]);
    expect(built([], '').problems).toEqual([]);
  });

  test('may give one object for several rows that are alike', () => {
    const distinct = `version: 1
format: { delimiter: ";" }
tables:
  accounts: { file: KUNDEN.csv, key: KNR }
  meters: { file: ZAEHLER.csv, key: KNR }
account:
  supply_addresses:
    from: meters
    distinct: [ OBJEKT ]
    each:
      supply_address: { street_address: STRASSE }
      supply_points: { from: meters, match: { OBJEKT: OBJEKT }, each: { identifier: ZNR } }
`;
    const rows = (last: string) => ({
      'ZAEHLER.csv': ['KNR;OBJEKT;STRASSE;ZNR', '1;A;Weg 1;Z1', '1;B;Weg 2;Z2', last],
    });
    expect(plan(distinct, 'X', '', rows('1;A;Weg 1;Z3')).payload['supply_addresses']).toEqual([
      {
        supply_address: { street_address: 'Weg 1' },
        supply_points: [{ identifier: 'Z1' }, { identifier: 'Z3' }],
      },
      { supply_address: { street_address: 'Weg 2' }, supply_points: [{ identifier: 'Z2' }] },
    ]);
    expect(plan(distinct, 'X', '', rows('1;A;Weg 3;Z3')).problems).toMatchObject([
      {
        code: 'conflicting_values',
        path: 'supply_addresses.0.supply_address.street_address',
        cell: { file: 'ZAEHLER.csv', line: 4, column: 'STRASSE' },
      },
    ]);
  });
});

describe('a mapping file for JSON', () => {
  test('reads by dotted path, each value in its own type', () => {
    const mapping = `version: 1
format: { dates: dd/mm/yyyy }
tables:
  accounts: { file: people.ndjson, key: id.number }
  deals: { file: deals.json, key: owner }
account:
  billing_address: { street_address: home.street, postal_code: home.zip, country: { constant: DE } }
  transfer_balance: balance
  unknown_occupier: flags.unknown
  customers: [ { given_name: name, portfolio_roles: roles } ]
  ledgers: [ { ledger_code: { constant: ENERGY }, ledger_balance: balance } ]
  metadata: [ { key: { constant: rest }, value: { left_over: '*o*' } } ]
historical_agreements:
  from: deals
  each: { tariff: { code: deal.tariff, raw: deal }, since: { column: deal.since, type: date } }
`;
    const files: Files = {
      'people.ndjson': [
        {
          id: { number: '1' },
          home: { street: 'Weg 1', zip: 1234, town: null, floor: 2, lift: false },
          colour: { of: 'door', is: '' },
          vip: true,
          balance: 1.5,
          flags: { unknown: false },
          name: '',
          roles: ['ADMIN'],
        },
      ],
      'deals.json': [{ owner: '1', deal: { tariff: 'T1', since: '01/02/2003' } }],
    };
    const built = planOf(readMapping('m.yaml', mapping, { supplier: 'S' }), files, '1');
    expect(built.problems).toEqual([]);
    expect(built.payload).toEqual({
      billing_address: { street_address: 'Weg 1', postal_code: '1234', country: 'DE' },
      customers: [{ portfolio_roles: ['ADMIN'] }],
      import_supplier: 'S',
      external_account_number: '1',
      ledgers: [{ ledger_code: 'ENERGY', ledger_balance: 1.5 }],
      metadata: [{ key: 'rest', value: { home: { floor: 2, lift: false }, colour: { of: 'door', is: '' } } }],
      transfer_balance: '1.5',
      unknown_occupier: false,
    });
    expect(built.locate('stage', 'metadata.0.value.home.floor')).toMatchObject({ column: 'home.floor' });
    expect(built.extras.agreements).toEqual([
      {
        import_supplier: 'S',
        external_account_number: '1',
        tariff: { code: 'T1', raw: { tariff: 'T1', since: '01/02/2003' } },
        since: '2003-02-01',
      },
    ]);
    expect(built.locate('stage', 'billing_address.postal_code')).toEqual({
      file: 'people.ndjson',
      line: 1,
      column: 'home.zip',
    });
    expect(built.locate('stage', 'import_supplier')).toBeUndefined();
  });
});

describe('an account that could not be read', () => {
  test('keeps what its rows are said to have wrong', () => {
    const mapping = readMapping('m.yaml', `${tables}account: { import_supplier: { constant: S } }\n`, {});
    if (!('bind' in mapping)) throw new Error('unread');
    const bound = mapping.bind([{ ...mapping.tables[0]!, format: 'csv', isFlat: true, columns: ['KNR'] }]);
    if (typeof bound !== 'function') throw new Error('unbound');
    const problem = {
      account: '1',
      code: 'too_many_cells',
      path: '',
      detail: '',
      severity: 'error',
    } as const;
    const built = bound({
      account: '1',
      records: () => [],
      incomplete: new Set(),
      problems: [problem],
      release: () => undefined,
    });
    expect(built).toMatchObject({ key: { supplier: 'S', account: '1' }, problems: [problem] });
    expect(built.locate('stage', 'customers')).toBeUndefined();
  });
});

describe('a faulty mapping file', () => {
  const account = 'account: { account_type: ART }';
  const wrong = (text: string, files?: Files) =>
    problemsOf(readMapping('m.yaml', text, {}), files).map(({ code, detail, cell, account: of }) => {
      expect(of).toBeNull();
      expect(cell?.file).toBe('m.yaml');
      return [code, cell?.line, cell?.column, detail];
    });

  test.each([
    ['an open brace', `version: 1\naccount: { a: 1\n`, 'mapping_syntax', 2, '10', 'this { is never closed'],
    ['an open quote', `version: 1\nmodule: 'a\naccount: b\n`, 'mapping_syntax', 2, '9', "Add the '"],
    [
      'a path of Windows',
      `version: 1\nmodule: "C:\\Users\\a.js"\n`,
      'mapping_syntax',
      2,
      '12',
      'such as a path of Windows, without quotes, or in single ones',
    ],
    ['a tab', `version: 1\ntables:\n\taccounts: x\n`, 'mapping_syntax', 3, '1', 'Tabs are not allowed'],
    ['what is two faults to YAML', `a: b\n  c: d\n`, 'mapping_syntax', 1, '4', 'not valid YAML'],
    ['two documents', `${tables}account: {}\n---\nversion: 1\n`, 'mapping_syntax', 6, '1', 'one document'],
    [
      'a repeated key',
      `version: 1\nversion: 1\n`,
      'mapping_syntax',
      2,
      '1',
      'The key version is here twice. Remove one.',
    ],
    [
      'an anchor that is missing',
      `${tables}account: { account_type: *art }`,
      'mapping_syntax',
      5,
      '26',
      'no anchor &art',
    ],
    [
      'an anchor within itself',
      `${tables}account: &a { account_type: *a }`,
      'mapping_syntax',
      5,
      '29',
      'contains itself',
    ],
    [
      'anchors without end',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c]`,
      'mapping_syntax',
      1,
      '1',
      'expand to too much',
    ],
    [
      'a key that cannot be one',
      `${tables}account: { account_type: { column: a, codes: { A: B, __proto__: C } } }`,
      'unknown_field',
      5,
      'account.account_type.codes.__proto__',
      'The key __proto__ cannot be used',
    ],
    ['empty', '', 'invalid_value', 1, '', 'version, tables and account'],
    [
      'of another version',
      `${tables}${account}`.replace('1', '2'),
      'invalid_value',
      1,
      'version',
      'version 1',
    ],
    [
      'without a version',
      `${tables}${account}`.replace('version: 1\n', ''),
      'missing_key',
      1,
      'version',
      'required',
    ],
    [
      'a mistyped key that has to be there',
      `version: 1\ntabels: {}\naccount: {}`,
      'unknown_key',
      2,
      'tabels',
      'Did you mean tables?',
    ],
    [
      'a mistyped key of a table that has to be there',
      `${tables}  notes: { fiel: N.csv, key: KNR }\n${account}`,
      'unknown_key',
      5,
      'tables.notes.fiel',
      'Did you mean file?',
    ],
    [
      'a value whose only key is mistyped',
      `${tables}account:\n  account_type: { colum: A }`,
      'invalid_value',
      6,
      'account.account_type',
      'Did you mean column?',
    ],
    [
      'a field within an anchor',
      `${tables}account:\n  billing_address: &a { postcal_code: PLZ }\n  supply_addresses: [ { supply_address: *a } ]`,
      'unknown_field',
      6,
      'account.billing_address.postcal_code',
      'Did you mean postal_code?',
    ],
    [
      'several rows for one object',
      `${tables}account:\n  billing_address: { from: accounts, distinct: [X], each: {} }`,
      'invalid_value',
      6,
      'account.billing_address.distinct',
      'Only one row is taken here',
    ],
    [
      'a file outside the export',
      `${tables}  notes: { file: ../N.csv, key: KNR }\n${account}`,
      'invalid_value',
      5,
      'tables.notes.file',
      'within the export directory',
    ],
    [
      'one character for both marks',
      `${tables}${account}`.replace('mark: ","', 'mark: "."'),
      'invalid_value',
      2,
      'format.thousands_mark',
      "decimal_mark and thousands_mark are both '.'",
    ],
    [
      'a table whose mark is the other one for all tables',
      `${tables}  notes: { file: N.csv, key: KNR, decimal_mark: "." }\n${account}`,
      'invalid_value',
      5,
      'tables.notes.decimal_mark',
      "decimal_mark and thousands_mark are both '.'",
    ],
    [
      'a thousands mark that is the default of the decimal mark',
      `${tables}${account}`.replace('decimal_mark: ",", ', ''),
      'invalid_value',
      2,
      'format.thousands_mark',
      "decimal_mark, the default, and thousands_mark are both '.'",
    ],
    [
      'a column whose mark is the other one of its table',
      `${tables}account:\n  transfer_balance: { column: X, thousands_mark: "," }`,
      'invalid_value',
      6,
      'account.transfer_balance.thousands_mark',
      "decimal_mark and thousands_mark are both ','",
    ],
    ['a mistyped section', `${tables}${account}\nnots: []`, 'unknown_key', 6, 'nots', 'Did you mean notes?'],
    [
      'a mistyped table key',
      `${tables}  notes: { file: N.csv, key: KNR, delimitor: x }\n${account}`,
      'unknown_key',
      5,
      'tables.notes.delimitor',
      'Did you mean delimiter?',
    ],
    [
      'a table without a file',
      `${tables}  notes: { key: KNR }\n${account}`,
      'missing_key',
      5,
      'tables.notes.file',
      'required',
    ],
    [
      'no accounts table',
      `version: 1\ntables:\n  notes: { file: N.csv, key: K }\n${account}`,
      'invalid_value',
      2,
      'tables',
      'accounts',
    ],
    [
      'a wrong date format',
      `${tables.replace('dd/mm/yyyy', 'tt/mm/jjjj')}${account}`,
      'invalid_value',
      2,
      'format.dates',
      'yyyy, mm, dd',
    ],
    [
      'a date format without a year',
      `${tables.replace('dd/mm/yyyy', 'dd/mm')}${account}`,
      'invalid_value',
      2,
      'format.dates',
      'yyyy, mm, dd',
    ],
    [
      'a long mark',
      `${tables.replace('","', '", "')}${account}`,
      'invalid_value',
      2,
      'format.decimal_mark',
      'one character',
    ],
    [
      'a mistyped field',
      `${tables}account:\n  billing_address:\n    postalcode: PLZ`,
      'unknown_field',
      7,
      'account.billing_address.postalcode',
      'Did you mean postal_code?',
    ],
    [
      'the account number',
      `${tables}account:\n  external_account_number: KNR`,
      'invalid_value',
      6,
      'account.external_account_number',
      'key of the accounts table',
    ],
    [
      'a supplier of a note',
      `${tables}${account}\nnotes:\n - import_supplier: X`,
      'unknown_field',
      7,
      'notes.0.import_supplier',
      'fills it in',
    ],
    [
      'a supplier of an agreement',
      `${tables}${account}\nhistorical_agreements:\n - { import_supplier: X }`,
      'unknown_field',
      7,
      'historical_agreements.0.import_supplier',
      'fills it in',
    ],
    [
      'an agreement that is no object',
      `${tables}${account}\nhistorical_agreements: [ A ]`,
      'invalid_value',
      6,
      'historical_agreements.0',
      'object of fields',
    ],
    [
      'a column for an object',
      `${tables}account:\n  billing_address: PLZ`,
      'invalid_value',
      6,
      'account.billing_address',
      'street_address, locality',
    ],
    [
      'an object for an array',
      `${tables}account:\n  customers: { given_name: N }`,
      'invalid_value',
      6,
      'account.customers',
      'from and each',
    ],
    [
      'a list for a value',
      `${tables}account:\n  account_type: [ A ]`,
      'invalid_value',
      6,
      'account.account_type',
      'One value',
    ],
    [
      'a value of nothing',
      `${tables}account:\n  account_type:\n`,
      'invalid_value',
      6,
      'account.account_type.column',
      'empty',
    ],
    [
      'a value without a column',
      `${tables}account:\n  account_type: { default: A }`,
      'invalid_value',
      6,
      'account.account_type',
      'column or constant',
    ],
    [
      'a mistyped value key',
      `${tables}account:\n  account_type:\n    column: A\n    defualt: B`,
      'unknown_key',
      8,
      'account.account_type.defualt',
      'Did you mean default?',
    ],
    [
      'a column beside a constant',
      `${tables}account:\n  account_type: { column: A, constant: B }`,
      'invalid_value',
      6,
      'account.account_type.constant',
      'not both',
    ],
    [
      'codes beside a constant',
      `${tables}account:\n  account_type:\n    constant: B\n    codes: { A: B }`,
      'invalid_value',
      8,
      'account.account_type.codes',
      'constant',
    ],
    [
      'a constant of another type',
      `${tables}account:\n  unknown_occupier: { constant: maybe }`,
      'invalid_value',
      6,
      'account.unknown_occupier.constant',
      'true or false',
    ],
    [
      'a code of another type',
      `${tables}account:\n  unknown_occupier:\n    column: A\n    codes:\n      J: true\n      N: nope`,
      'invalid_value',
      10,
      'account.unknown_occupier.codes.N',
      'true or false',
    ],
    [
      'a default of another type',
      `${tables}account:\n  transfer_balance: { column: A, default: "1,5" }`,
      'invalid_value',
      6,
      'account.transfer_balance.default',
      'decimal',
    ],
    [
      'a type that the interface says',
      `${tables}account:\n  account_type: { column: A, type: date }`,
      'invalid_value',
      6,
      'account.account_type.type',
      'Remove the key',
    ],
    [
      'an unknown type',
      `${tables}account:\n  metadata: [ { key: K, value: { a: { column: A, type: text } } } ]`,
      'invalid_value',
      6,
      'account.metadata.0.value.a.type',
      'One of date',
    ],
    [
      'a split of one value',
      `${tables}account:\n  account_type: { column: A, split: "+" }`,
      'invalid_value',
      6,
      'account.account_type.split',
      'select one piece with take',
    ],
    [
      'an unknown table',
      `${tables}${account}\nnotes: { from: account, each: { body: B } }`,
      'unknown_table',
      6,
      'notes.from',
      'Did you mean accounts?',
    ],
    [
      'rows without each',
      `${tables}${account}\nnotes: { from: accounts }`,
      'missing_key',
      6,
      'notes.each',
      'required',
    ],
    [
      'a mistyped rows key',
      `${tables}${account}\nnotes:\n  from: accounts\n  macth: { A: B }\n  each: { body: B }`,
      'unknown_key',
      8,
      'notes.macth',
      'Did you mean match?',
    ],
    [
      'a dangerous name',
      `${tables}account:\n  metadata: [ { key: K, value: { __proto__: { a: A } } } ]`,
      'unknown_field',
      6,
      'account.metadata.0.value.__proto__',
      '__proto__',
    ],
  ])('%s is told the line, the key and the remedy', (_fault, text, code, line, key, remedy) => {
    expect(wrong(text)).toEqual([[code, line, key, expect.stringContaining(remedy)]]);
  });

  test('is told of every fault at once', () => {
    expect(
      wrong(`${tables}account: { account_typ: A, customers: X }\nnotes: { from: x, each: {} }`).length,
    ).toBe(3);
  });

  test('is told the columns that its files lack, and the files that are not there', () => {
    const text = `version: 1
tables:
  accounts: { file: KUNDEN.csv, key: KNR }
  meters: { file: ZAEHLER.csv, key: KNR }
  remarks: { file: NOTIZ.csv, key: KNR }
account:
  account_type: ARTT
  supply_addresses:
    - supply_points:
        from: meters
        match: { OBJEKT: OBJ }
        each: { identifier: GERAET }
notes: { from: remarks, each: { body: TEXT } }
`;
    const files = { 'KUNDEN.csv': ['KNR,ART,OBJEKT'], 'ZAEHLER.csv': ['KNR,OBJEKT,NUMMERN'] };
    expect(wrong(text, files)).toEqual([
      ['missing_file', 5, 'tables.remarks.file', expect.stringContaining('NOTIZ.csv')],
      ['unknown_column', 7, 'account.account_type', 'KUNDEN.csv has no column ARTT. Did you mean ART?'],
      [
        'unknown_column',
        11,
        'account.supply_addresses.0.supply_points.match.OBJEKT',
        expect.stringContaining('no column OBJ.'),
      ],
      [
        'unknown_column',
        12,
        'account.supply_addresses.0.supply_points.each.identifier',
        expect.stringContaining('It has: KNR, OBJEKT, NUMMERN.'),
      ],
    ]);
  });

  test('is warned of a table that it never reads', () => {
    const mapping = readMapping('m.yaml', `${tables}  meters: { file: Z.csv, key: KNR }\n${account}`, {});
    expect(mapping).toMatchObject({
      warnings: [{ code: 'unused_table', severity: 'warning', cell: { line: 5, column: 'tables.meters' } }],
    });
  });

  test('may repeat itself by an anchor, whose line is named, and once', () => {
    const text = `${tables}account:
  unknown_occupier: { column: A, codes: &yesno { J: true, N: nope } }
  account_billing_options: { use_industry_billing: { column: B, codes: *yesno } }
`;
    expect(wrong(text).map(([code, line]) => [code, line])).toEqual([['invalid_value', 6]]);
  });
});
