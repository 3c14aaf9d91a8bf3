// Each refusal of each endpoint in both shapes that platforms give it, over HTTP: the tool comes to the same end.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { operatorSchema } from '../../src/platform/operator.ts';
import { startPlatform, type RunningPlatform } from '../../src/platform/platform.ts';
import { systemShell } from '../../src/cli/shell.ts';
import { ranHere } from './own-shell.ts';
import { lines, workspace } from './tool.ts';

const base = '/v1/data-import/';

let platform: RunningPlatform;
let proxy: ReturnType<typeof createServer>;
let url: string;
/** What is answered instead of the platform's answer. */
let refused: { readonly path: string; readonly status: number; readonly body: object };
let space: ReturnType<typeof workspace>;

beforeAll(async () => {
  const shell = systemShell();
  platform = await startPlatform({
    stateFile: ':memory:',
    operator: operatorSchema.parse({}),
    clock: shell.clock,
    random: shell.random,
    port: 0,
    host: '127.0.0.1',
    control: false,
    log: () => undefined,
  });
  proxy = createServer((asked, answer) => void relay(asked, answer).catch(() => answer.destroy()));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await platform.close();
});
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

async function relay(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = Buffer.concat(await asked.toArray());
  if (asked.url?.startsWith(base + refused.path) === true) {
    answer.writeHead(refused.status, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(refused.body));
    return;
  }
  const { method, headers } = asked;
  const passed = ask(new URL(asked.url ?? '', platform.url), { method, headers });
  passed.end(body);
  const [reply] = (await once(passed, 'response')) as [IncomingMessage];
  answer.writeHead(reply.statusCode ?? 502, reply.headers);
  reply.pipe(answer);
}

/** An account with something for every endpoint, each record in a file of its own. */
function exported(account: string): void {
  const whose = { import_supplier: 'TENTACLE_ENERGY', external_account_number: account };
  const transaction = {
    transaction_id: 'T1',
    transaction_date: '2024-01-02',
    amount: '5.00',
    type: 'CHARGE',
  };
  const records = {
    accounts: {
      ...whose,
      account_type: 'DOMESTIC',
      customers: [
        {
          given_name: 'Ann',
          family_name: 'Sample',
          email: 'ann@example.com',
          landline: '+441134960657',
        },
      ],
      ledgers: [{ ledger_code: 'ENERGY', ledger_balance: 0 }],
      transfer_balance: '0.00',
    },
    notes: { ...whose, notes: [{ body: 'Called', created_at: '2024-01-02T10:00:00Z' }] },
    transactions: { ...whose, transactions: [{ ...transaction, reason: 'IMPORTED_CHARGE' }] },
    historical_agreements: { ...whose, agreements: [{ effective_from: '2023-01-01', tariff_code: 'OLD' }] },
    historical_billing_documents: {
      ...whose,
      ledger_code: 'ENERGY',
      ledger_number: '1',
      billing_document_type: 'ITEM_BASED',
      historical_billing_documents: [
        {
          billing_document_identifier: 'D1',
          billing_document_type: 'ITEM_BASED',
          issued_date: '2023-05-01',
          transactions: [{ ...transaction, transaction_id: 'T0', transaction_date: '2023-04-01' }],
        },
      ],
    },
    historical_statements: {
      ...whose,
      statements: [
        {
          bill_period_from_date: '2023-01-01',
          bill_period_to_date: '2023-01-31',
          statement_id: 'S1',
          issued_date: '2023-02-01',
          number: '1',
          gross_amount: 12,
        },
      ],
    },
    payment_instructions: { ...whose, vendor: 'STRIPE', reference: 'R1', type: 'CARD' },
  };
  mkdirSync(join(space.directory, 'export'));
  for (const [name, record] of Object.entries(records))
    writeFileSync(join(space.directory, 'export', `${name}.ndjson`), `${JSON.stringify(record)}\n`);
}

let accounts = 0;

/** Runs a new account while that is refused; tells where the account ended, and the problems with their cells. */
async function ending(path: string, status: number, body: object) {
  space.dispose();
  space = workspace();
  refused = { path, status, body };
  exported(`A${(accounts += 1)}`);
  writeFileSync(join(space.directory, '.migraterc'), 'patience:\n  laggingMs: 0\n');
  const env = { MIGRATE_BASE_URL: url, MIGRATE_API_KEY: platform.apiKey, MIGRATE_TEAM: 'MIGRATIONS' };
  const { code, stdout, stderr } = await ranHere(['run', 'export', '--yes', '--json'], space.directory, {
    env,
  });
  const told = lines(stdout);
  const account = told.find(({ type }) => type === 'account');
  const problems = told.filter(({ type, severity }) => type === 'problem' && severity === 'error');
  return {
    exit: code,
    account: account === undefined ? stderr : [account['state'], account['code']],
    problems: problems.map(({ code: named, file, line, column }) => [named, file, line, column]),
  };
}

/** One message in both shapes, at a path or about the whole. */
function inBoth(path: string, code: string, more: object = {}): [dotted: object, fields: object] {
  const detail = 'The platform does not like this.';
  const dotted = {
    detail: 'Not valid.',
    code: 'account_failed_validation',
    errors: [{ detail, code, attr: path }],
  };
  const fields = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), [detail]);
  return [
    { ...dotted, ...more },
    path === '' ? { non_field_errors: { detail, code }, ...more } : { ...(fields as object), ...more },
  ];
}

const cells: [endpoint: string, path: string, file: string][] = [
  ['validate-account/', 'customers.0.landline', 'accounts'],
  ['account-import-process/create-or-update/', 'ledgers.0.ledger_code', 'accounts'],
  ['notes/create/', 'notes.0.body', 'notes'],
  ['transactions/create/', 'transactions.0.reason', 'transactions'],
  ['historical-agreements/create/', 'agreements.0.tariff_code', 'historical_agreements'],
  [
    'historical-billing-documents/create/',
    'historical_billing_documents.0.transactions.0.amount',
    'historical_billing_documents',
  ],
  ['historical-statements/create/', 'statements.0.statement_path', 'historical_statements'],
  ['payment-instruction/create/', 'reference', 'payment_instructions'],
];

it.each(cells)(
  '%s refuses %s: the same account state and cell in both shapes',
  async (endpoint, path, file) => {
    const [dotted, fields] = inBoth(path, 'a_code');
    const as = (code: string) => ({
      exit: 3,
      account: ['rejected', code],
      problems: [[code, `${file}.ndjson`, 1, path]],
    });
    expect(await ending(endpoint, 400, dotted)).toEqual(as('a_code'));
    // A message at a field has no code in this shape.
    expect(await ending(endpoint, 400, fields)).toEqual(as('invalid'));
  },
);

const process = 'account-import-process/process/';
const imported = 'account_import_process_already_imported';
const notOngoing = 'import_supplier_migration_not_ongoing';
const other = 'created_meanwhile';
type Whole = [
  endpoint: string,
  code: string,
  status: number,
  exit: number,
  ended: [string, string?],
  more?: object,
];
const wholes: Whole[] = [
  ['validate-account/', 'customer_with_unknown_occupier', 400, 3, ['rejected']],
  ['account-import-process/create-or-update/', 'account_failed_validation', 400, 3, ['rejected']],
  ['account-import-process/create-or-update/', notOngoing, 400, 5, ['pending']],
  [process, 'operations_team_name_does_not_exist', 400, 3, ['rejected']],
  [process, notOngoing, 400, 5, ['staged']],
  [process, imported, 400, 8, ['uncertain', other], { kraken_account_number: 'A-7' }],
  [process, imported, 400, 8, ['uncertain', other], { account_id: 'A-7' }],
  ['notes/create/', 'account_not_found', 404, 3, ['failed']],
  ['notes/create/', 'note_body_or_document_path_not_found', 400, 3, ['rejected']],
  ['transactions/create/', 'account_not_found', 404, 3, ['failed']],
  ['historical-agreements/create/', 'no_agreement_covering_last_billed_to_date', 400, 3, ['rejected']],
  ['historical-billing-documents/create/', 'ledger_has_finalized_billing_document', 400, 8, ['uncertain']],
  [
    'historical-statements/create/',
    'historical_statement_already_exists',
    400,
    8,
    ['uncertain', 'journal_contradicted'],
  ],
  ['payment-instruction/create/', 'vendor_does_not_exist', 400, 3, ['rejected']],
];

it.each(wholes)('%s says %s (%i): the same end in both shapes', async (...row) => {
  const [endpoint, code, status, exit, [state, named = exit === 5 ? null : code], more] = row;
  const [dotted, fields] = inBoth('', code, more);
  const first = await ending(endpoint, status, dotted);
  expect(first).toMatchObject({ exit, account: [state, named] });
  expect(await ending(endpoint, status, fields)).toEqual(first);
});

it('words without a code are a refusal of the account, whatever they say', async () => {
  const worded = { non_field_errors: ['The import supplier is not ongoing.'] };
  expect(await ending(process, 400, worded)).toMatchObject({ exit: 3, account: ['rejected', 'invalid'] });
});
