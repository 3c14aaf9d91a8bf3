import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lines, served, summaryOf, tool, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const files = {
  // What the platform is to find is not looked for here.
  '.migraterc':
    'supplier: TENTACLE_ENERGY\nteam: MIGRATIONS\nmapping: mapping.yaml\nrules: { invalid_phone_number: off, note_body_or_document_path_not_found: off }\n',
  'operator.yaml': `suppliers:
  TENTACLE_ENERGY: { status: Ongoing, ledgers: [ENERGY] }
productCodes: [GREEN]
`,
  'mapping.yaml': `version: 1
tables:
  accounts: { file: ACCOUNTS.csv, key: NO }
  people: { file: PEOPLE.csv, key: NO }
  postings: { file: POSTINGS.csv, key: NO }
  memos: { file: MEMOS.ndjson, key: of.no }
account:
  billing_address: { street_address: STREET, postal_code: CODE, country: { constant: GB } }
  customers: { from: people, each: { given_name: FIRST, family_name: LAST, landline: PHONE } }
  ledgers:
    - ledger_code: { cases: [ { when: { KIND: G }, then: { constant: GAS } }, { then: { constant: ENERGY } } ] }
      ledger_balance: BALANCE
  transfer_balance: BALANCE
transactions:
  from: postings
  each: { transaction_id: ID, transaction_date: DAY, amount: AMOUNT, type: KIND, product_code: PRODUCT }
notes: { from: memos, each: { body: text, created_at: at } }
`,
  'export/ACCOUNTS.csv': `NO,STREET,CODE,KIND,BALANCE
1,1 High Street,ZZ4 1QX,,0.00
2,2 High Street,ZZ4 1QX,G,0.00
3,3 High Street,ZZ4 1QX,,0.00
4,4 High Street,ZZ4 1QX,,0.00
`,
  'export/PEOPLE.csv': `NO,FIRST,LAST,PHONE
1,Ann,Sample,020 7946 0584
1,"Bob
the younger",Sample,12
2,Cid,Sample,020 7946 0584
3,Dot,Sample,020 7946 0584
4,Eve,Sample,020 7946 0584
`,
  'export/POSTINGS.csv': `NO,ID,DAY,AMOUNT,KIND,PRODUCT
3,T1,2024-01-02,5.00,CHARGE,GREEN
3,T2,2024-01-03,5.00,CHARGE,BLUE
`,
  'export/MEMOS.ndjson': `{ "of": { "no": "3" }, "text": "Called", "at": "2024-01-02T10:00:00Z" }
{ "of": { "no": "4" }, "text": "", "at": "2024-01-02T10:00:00Z" }
`,
};

const ledgerCode = 'account.ledgers.0.ledger_code';

it.each([
  ['dotted', '1'],
  ['fields', '2'],
])(
  'a problem that the platform sends back in the dialect %s is traced to its cell, which %s threads read',
  async (dialect, threads) => {
    const { directory } = space;
    mkdirSync(join(directory, 'export'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const platform = await served(directory, '--operator', 'operator.yaml', '--set', `dialect=${dialect}`);
    try {
      const env = { MIGRATE_BASE_URL: platform.url, MIGRATE_API_KEY: platform.apiKey };
      const args = [
        'run',
        'export',
        '--yes',
        '--json',
        '--problems',
        'problems.ndjson',
        '--threads',
        threads,
      ];
      const { code, stdout } = await tool(args, directory, env);
      expect(code).toBe(3);
      expect(summaryOf(stdout)).toMatchObject({ accounts: { total: 4, rejected: 4 } });
      const told = lines(readFileSync(join(directory, 'problems.ndjson'), 'utf8'))
        .filter(({ severity }) => severity === 'error')
        .map(({ account, code: found, file, line, column }) => [account, found, file, line, column]);
      // The field-shaped dialect has words alone, and no codes.
      const named = (own: string) => (dialect === 'dotted' ? own : 'invalid');
      expect(told.sort()).toEqual([
        ['1', named('invalid_phone_number'), 'PEOPLE.csv', 4, 'PHONE'],
        ['2', named('ledger_code_does_not_exist'), 'mapping.yaml', 11, `${ledgerCode}.cases.0.then`],
        ['3', named('product_code_does_not_exist'), 'POSTINGS.csv', 3, 'PRODUCT'],
        ['4', named('note_body_or_document_path_not_found'), 'MEMOS.ndjson', 2, 'text'],
      ]);
    } finally {
      await platform.stop();
    }
  },
);
