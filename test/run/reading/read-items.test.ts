import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readTenancyContract } from '../../../src/contract/tenancy/tenancy-contract.ts';
import { withPublished } from '../../../src/domain/added-step.ts';
import { parseJson, type JsonValue } from '../../../src/domain/json.ts';
import type { AddedItem } from '../../../src/pipeline/added/added-item.ts';
import { readAddedSteps } from '../../../src/run/reading/read-items.ts';
import { productsContract } from '../../contract/tenancy/products-contract.ts';
import { removeTemporaryDirectories, temporaryDirectory } from '../../temporary-directory.ts';

const contract = readTenancyContract(productsContract(), {
  paths: withPublished().map(({ path }) => path),
});
let directory: string;
beforeEach(() => {
  directory = temporaryDirectory('items-');
  mkdirSync(join(directory, 'export'));
});
afterAll(removeTemporaryDirectories);

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
}

/** The items of each step, by its name. */
async function itemsOf(mapping?: string): Promise<Readonly<Record<string, readonly AddedItem[]>>> {
  const read = await readAddedSteps(
    { cwd: directory },
    join(directory, 'export'),
    {
      contract: ['contract.json'],
      supplier: 'TENTACLE_ENERGY',
      ...(mapping === undefined ? {} : { mapping: join(directory, mapping) }),
      followLinks: false,
    },
    () => Promise.resolve(contract),
  );
  const found: Record<string, AddedItem[]> = {};
  for (const { step, items } of read)
    for await (const item of items()) found[step.name] = [...(found[step.name] ?? []), item];
  return found;
}

const bodyOf = ({ body }: AddedItem): JsonValue => parseJson(body);
const acme = {
  import_supplier_code: 'TENTACLE_ENERGY',
  external_business_identifier: 'F-1',
  business: {
    company_name: 'Acme',
    business_contracts: [
      { identifier: 'V-1', signed_at_date: '2024-01-31' },
      { identifier: 'V-2', signed_at_date: '2024-02-01' },
    ],
  },
};

describe('items in flat CSV', () => {
  const businesses = {
    'export/businesses.csv': 'external_business_identifier,business.company_name\nF-1,Acme\n',
    'export/businesses_business_contracts.csv':
      'external_business_identifier,identifier,signed_at_date\nF-1,V-1,2024-01-31\nF-1,V-2,2024-02-01\n',
  };

  it('may have the name of their table before that of their lists', async () => {
    write({ 'export/accounts.csv': 'external_account_number\n1\n', ...businesses });
    expect((await itemsOf())['businesses']?.map(bodyOf)).toEqual([acme]);
  });

  it('have accounts in a file of their own, or in a cell', async () => {
    const payment = 'external_business_identifier,vendor,reference,type';
    write({
      'export/accounts.csv': 'external_account_number\n1\n2\n',
      'export/business_payment_instructions.csv': `${payment}\nF-1,STRIPE,R-1,CARD\n`,
      'export/business_payment_instructions_accounts.csv':
        'external_business_identifier,external_account_number\nF-1,1\nF-1,2\n',
    });
    const accounts = [{ external_account_number: '1' }, { external_account_number: '2' }];
    const [own] = (await itemsOf())['business-payment-instructions'] ?? [];
    expect(own && bodyOf(own)).toMatchObject({ accounts });
    expect(own?.accounts).toEqual(['1', '2'].map((account) => ({ supplier: 'TENTACLE_ENERGY', account })));
  });
});

describe('items of a mapping', () => {
  const tables = `version: 1
format: { delimiter: ';', dates: dd.mm.yyyy }
tables:
  accounts: { file: KUNDEN.csv, key: NR }
  firms: { file: FIRMEN.csv, key: FIRMA }
  frames: { file: VERTRAEGE.csv, key: FIRMA }
account: { import_supplier: { constant: TENTACLE_ENERGY } }
`;
  const items = `items:
  businesses:
    from: firms
    each:
      business:
        company_name: NAME
        business_contracts: { from: frames, each: { identifier: NUMMER, signed_at_date: SEIT } }
`;
  const files = {
    'export/KUNDEN.csv': 'NR\n1\n',
    'export/FIRMEN.csv': 'FIRMA;NAME\nF-1;Acme\n',
    'export/VERTRAEGE.csv': 'FIRMA;NUMMER;SEIT\nF-1;V-1;31.01.2024\nF-1;V-2;01.02.2024\n',
  };

  it('are made of its tables, and traced to their cells', async () => {
    write({ ...files, 'm.yaml': tables + items });
    const [own] = (await itemsOf('m.yaml'))['businesses'] ?? [];
    expect(own && bodyOf(own)).toEqual(acme);
    expect(own?.problems).toEqual([]);
    expect(own?.locate('business.business_contracts.1.signed_at_date')).toMatchObject({
      file: 'VERTRAEGE.csv',
      line: 3,
      column: 'SEIT',
    });
  });

  it('may be one of each account', async () => {
    const ofAccounts = items.replace('from: firms', 'from: accounts').replace(/\n +company_name.*/, '');
    write({
      ...files,
      'export/VERTRAEGE.csv': 'FIRMA;NUMMER;SEIT\n1;V-1;31.01.2024\n',
      'm.yaml': tables + ofAccounts,
    });
    expect((await itemsOf('m.yaml'))['businesses']).toMatchObject([{ value: '1', problems: [] }]);
  });

  it.each([
    ['a field that the contract lacks', items.replace('company_name', 'company_nam'), /company_nam\b/],
    ['a table that is not declared', items.replace('from: firms', 'from: firm'), /no table firm\b/],
    ['items of a step that is not there', items.replace('businesses:', 'busineses:'), /busineses/],
    [
      'what identifies an item',
      items.replace('each:\n', 'each:\n      external_business_identifier: NAME\n'),
      /Remove this line/,
    ],
  ])('with %s are refused', async (_case, text, message) => {
    write({ ...files, 'm.yaml': tables + text });
    await expect(itemsOf('m.yaml')).rejects.toThrow(message);
  });
});
