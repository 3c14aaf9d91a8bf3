import { describe, expect, it } from 'vitest';
import { defaultRuleContext } from '../../src/contract/preflight.ts';
import type { RuleLevel } from '../../src/contract/rules/rule.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { preflight } from '../../src/pipeline/check/preflight.ts';
import { planOf, problemsOf } from './bundles.ts';

const head = [
  'version: 1',
  'tables:',
  '  accounts: { file: a.csv, key: ID }',
  '  rows: { file: r.csv, key: ID }',
];
const account = 'account: { import_supplier: { constant: S } }';
const read = (...lines: readonly string[]) => readMapping('m.yaml', lines.join('\n'), {});

describe('a blank cell', () => {
  const blank = { 'a.csv': ['ID,NAME,TEL', '1,Ann,  '], 'r.csv': ['ID', ''] };
  const fields = 'account: { customers: [{ given_name: NAME, landline: TEL }] }';

  it('says what makes it empty', () => {
    const plan = planOf(read(...head, fields), blank, '1');
    const details = preflight(plan, defaultRuleContext('2024-06-30')).flatMap(({ code, detail }) =>
      code === 'blank' ? [detail] : [],
    );
    expect(details).toEqual([
      'This field may not be blank. Fill it in, or leave it out: trim: true under format in the mapping makes blank cells empty.',
    ]);
  });

  it("is empty with empty: ' '", () => {
    const { payload } = planOf(read("format: { empty: ' ' }", ...head, fields), blank, '1');
    expect(payload['customers']).toEqual([{ given_name: 'Ann' }]);
  });
});

describe('a date with a time of day where a date belongs', () => {
  const files = { 'a.csv': ['ID', '1'], 'r.csv': ['ID,DAY', '1,1996-07-04 00:00:00.000'] };
  const pattern = 'yyyy-mm-dd HH:MM:SS.f';
  const of = (day: string) =>
    planOf(
      read(
        `format: { datetimes: '${pattern}' }`,
        ...head,
        account,
        'transactions:',
        '  from: rows',
        `  each: { transaction_id: ID, transaction_date: ${day}, amount: { constant: '1' }, type: { constant: PAYMENT } }`,
      ),
      files,
      '1',
    );

  it('says how the day is kept, and that way is right', () => {
    expect(of('DAY').problems.map(({ code, detail }) => [code, detail])).toEqual([
      [
        'invalid_date',
        `This has a time of day, which a date would lose. Write date: '${pattern}' beside its column in the mapping, which keeps the day.`,
      ],
    ]);
    const kept = of(`{ column: DAY, date: '${pattern}' }`);
    expect(kept.problems).toEqual([]);
    expect(kept.extras.transactions[0]?.['transactions']).toMatchObject([{ transaction_date: '1996-07-04' }]);
  });
});

describe('on_invalid', () => {
  it.each([
    ['', 11],
    [', case: upper', 11],
    [', phone: GB', undefined],
    [", check: '^0'", undefined],
  ])('has no effect on any text (column: TEL%s)', (keys, line) => {
    const mapping = read(
      ...head,
      'account:',
      '  customers:',
      `    - given_name: NAME`,
      `      landline:`,
      `        column: TEL${keys === '' ? '' : `\n        ${keys.slice(2)}`}`,
      `        on_invalid: omit`,
    );
    const found = 'problems' in mapping ? mapping.problems.map(({ cell }) => cell?.line) : [undefined];
    expect(found).toEqual([line === undefined ? undefined : keys === '' ? 10 : line]);
  });
});

describe('a list where one value belongs', () => {
  it('is refused in the mapping, though the interface does not show the payload', () => {
    const mapping = read(
      ...head,
      account,
      'historical_agreements:',
      '  from: rows',
      '  each:',
      '    supply_point_identifier: [POINT]',
      '    agreement: { tariff_code: [TARIFF, OLD], effective_from: FROM }',
      '    remarks: [POINT, OLD]',
    );
    expect(problemsOf(mapping).map(({ code, cell }) => [code, cell?.line])).toEqual([
      ['invalid_value', 9],
      ['invalid_value', 10],
    ]);
  });

  it('takes one row where the rows of a table are named', () => {
    const mapping = read(
      ...head,
      account,
      'historical_agreements:',
      '  - agreement: { from: rows, each: { tariff_code: TARIFF } }',
    );
    const files = { 'a.csv': ['ID', '1'], 'r.csv': ['ID,TARIFF', '1,T-1'] };
    expect(planOf(mapping, files, '1').extras.agreements).toMatchObject([
      { agreement: { tariff_code: 'T-1' } },
    ]);
    const two = { ...files, 'r.csv': ['ID,TARIFF', '1,T-1', '1,T-2'] };
    expect(planOf(mapping, two, '1').problems).toMatchObject([{ code: 'several_rows' }]);
  });
});

describe('a row that no part of the mapping takes', () => {
  const notes = 'notes: { from: rows, where: { KIND: [N] }, each: { body: TEXT } }';
  const files = { 'a.csv': ['ID', '1'], 'r.csv': ['ID,KIND,TEXT', '1,N,Called', '1,X,Old', '1,Y,Older'] };
  const toldOf = (levels: ReadonlyMap<string, RuleLevel>, ...lines: readonly string[]) => {
    const plan = planOf(read(...lines), files, '1');
    const rules = { ...defaultRuleContext('2024-06-30'), levels };
    return { ignoredRows: plan.ignoredRows, problems: preflight(plan, rules) };
  };

  it('is told with what the conditions found, and at the level of its code', () => {
    expect(toldOf(new Map(), ...head, account, notes).problems).toMatchObject([
      { code: 'row_not_mapped', severity: 'warning', value: 'KIND: X' },
      { code: 'row_not_mapped', severity: 'warning', value: 'KIND: Y' },
    ]);
    const level = (said: RuleLevel) => new Map([['row_not_mapped', said]]);
    expect(toldOf(level('off'), ...head, account, notes).problems).toEqual([]);
    expect(toldOf(level('error'), ...head, account, notes).problems).toMatchObject([
      { severity: 'error' },
      { severity: 'error' },
    ]);
  });

  it('is counted alone where the table ignores it', () => {
    const ignoring = [
      ...head.slice(0, 3),
      '  rows: { file: r.csv, key: ID, ignore: { KIND: [X] } }',
      account,
    ];
    const { ignoredRows, problems } = toldOf(new Map(), ...ignoring, notes);
    expect(ignoredRows).toBe(1);
    expect(problems).toMatchObject([{ code: 'row_not_mapped', value: 'KIND: Y' }]);
    const all = 'notes: { from: rows, each: { body: TEXT } }';
    expect(planOf(read(...ignoring, all), files, '1').extras.notes).toMatchObject([
      { notes: [{ body: 'Called' }, { body: 'Older' }] },
    ]);
  });
});

describe('the rows of a parent that the mapping leaves out', () => {
  const places =
    'account: { import_supplier: { constant: S }, supply_addresses: { from: places, each: { customer_at_supply_address_from_date: SINCE, ' +
    'supply_points: { from: points, match: { NO: NO }, each: { identifier: POINT, agreements: { from: tariffs, match: { POINT: POINT }, each: { tariff_code: TARIFF } } } } } } }';
  const mapping = read(
    ...head.slice(0, 3),
    '  places: { file: p.csv, key: ID, ignore: { VOID: [Y] } }',
    '  points: { file: q.csv, key: ID }',
    '  tariffs: { file: t.csv, key: ID }',
    places,
  );
  const files = {
    'a.csv': ['ID', '1'],
    'p.csv': ['ID,NO,SINCE,VOID', '1,1,2020-01-01,N', '1,2,2020-01-01,Y'],
    'q.csv': ['ID,NO,POINT', '1,1,A', '1,2,B', '1,2,C'],
    't.csv': ['ID,POINT,TARIFF', '1,A,T1', '1,B,T2', '1,C,T3'],
  };

  it('are left out and counted with it, and those of these as well', () => {
    const { payload, problems, ignoredRows } = planOf(mapping, files, '1');
    expect(problems).toEqual([]);
    expect(ignoredRows).toBe(5);
    expect(payload['supply_addresses']).toMatchObject([
      { supply_points: [{ identifier: 'A', agreements: [{ tariff_code: 'T1' }] }] },
    ]);
  });

  it('are a problem where nothing that is left out is their parent', () => {
    const lost = { ...files, 'q.csv': ['ID,NO,POINT', '1,1,A', '1,3,B', '1,2,C'] };
    const { problems, ignoredRows } = planOf(mapping, lost, '1');
    expect(problems.map(({ code, cell }) => [code, cell?.file, cell?.line])).toEqual([
      ['parent_not_found', 'q.csv', 3],
    ]);
    expect(ignoredRows).toBe(3);
  });
});

describe('where a value of several columns was read', () => {
  it('names each of them, and a problem the first', () => {
    const mapping = read(
      'version: 1',
      'tables: { accounts: { file: a.csv, key: ID } }',
      "account: { import_supplier: { constant: S }, billing_address: { street_address: { template: '{STREET} {NO}' }, country: { constant: DE } } }",
    );
    const files = { 'a.csv': ['ID,STREET,NO', '1,Long,5'] };
    const plan = planOf(mapping, files, '1');
    expect(plan.locate('stage', 'billing_address.street_address')).toEqual({
      file: 'a.csv',
      line: 2,
      column: 'STREET',
      beside: ['NO'],
    });
    const bad = planOf(mapping, { 'a.csv': ['ID,STREET,NO', '1,-,-'] }, '1');
    expect(preflight(bad, defaultRuleContext('2024-06-30'))).toMatchObject([
      { code: 'invalid_address', cell: { file: 'a.csv', line: 2, column: 'STREET' } },
    ]);
  });
});
