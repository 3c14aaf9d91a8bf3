// The tool's requests judged by a public mock server, which knows nothing of the tool.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { mockContract } from '../prism/mock-contract.ts';
import { acceptedSpoilt, startPrism, type Mock } from '../prism/start-prism.ts';
import { ranHere } from './own-shell.ts';
import { lines, project, served, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
const open: { stop(): Promise<void> }[] = [];
beforeEach(() => void (space = workspace()));
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
  space.dispose();
});

function opened<One extends { stop(): Promise<void> }>(one: One): One {
  open.push(one);
  return one;
}

/** How often each endpoint was asked, by the status that Prism gave it and what it found wrong. */
function counted({ judged }: Mock): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { endpoint, status, violations } of judged) {
    // Also asked to learn whether a platform that was silent is back: as often as that takes.
    if (endpoint.includes('/account-transfer-status/') && violations === '') continue;
    const said = `${endpoint.replace('/v1/data-import/', '')} ${status} ${violations}`.trim();
    counts[said] = (counts[said] ?? 0) + 1;
  }
  return counts;
}

/** What is asked of each account, and of the supplier, in a dry run, a run, `reconcile` and `status --remote`. */
const always = (accounts: number, status: number) => ({
  [`POST validate-account/ ${status}`]: 2 * accounts,
  [`POST account-import-process/create-or-update/ ${status}`]: 2 * accounts,
  'POST account-import-process/process/ 201': 2 * accounts,
  'GET all-account-import-processes/* 200': 2,
});

describe.each(['the interface', 'a tenancy'])('under the contract of %s', (whose) => {
  it('no request is refused for its shape', async () => {
    const { directory } = space;
    const isTenancy = whose === 'a tenancy';
    const file = isTenancy ? join(directory, 'contract.json') : project('docs/openapi.json');
    if (isTenancy) {
      writeFileSync(file, mockContract());
      writeFileSync(join(directory, '.migraterc'), 'contract: contract.json\n');
    }
    // One answer of process is lost, so that the tool asks what became of the account.
    writeFileSync(
      join(directory, 'operator.yaml'),
      'faults: { rules: [{ kind: reset, on: [process], when: after, at: [15] }] }\n',
    );
    const contract = isTenancy ? ['--contract', file] : [];
    const platform = opened(await served(directory, '--operator', 'operator.yaml', ...contract));
    const mock = opened(await startPrism(file, { platform: platform.url }));
    const env = {
      MIGRATE_BASE_URL: mock.url,
      MIGRATE_API_KEY: platform.apiKey,
      MIGRATE_SUPPLIER: isTenancy ? 'MARSH_POWER' : 'TENTACLE_ENERGY',
      // The tenancy's contract does not require it.
      ...(isTenancy ? {} : { MIGRATE_TEAM: 'MIGRATIONS' }),
    };
    await ranHere(['generate', 'made', '--accounts', '12', ...contract], directory);
    for (const command of [
      ['validate', 'made'],
      ['run', 'made', '--dry-run', '--yes'],
      ['run', 'made', '--yes'],
      ['reconcile', 'made'],
      ['status', '--remote'],
    ]) {
      const { code, stderr } = await ranHere(command, directory, { env });
      expect(`${command.join(' ')}: ${code} ${code === 0 ? '' : stderr}`).toBe(`${command.join(' ')}: 0 `);
    }
    expect(mock.judged).toContainEqual(
      expect.objectContaining({ endpoint: 'GET /v1/data-import/account-transfer-status/*', status: 200 }),
    );
    const teams = mock.judged.filter(({ body }) => body.includes('operations_team_name')).length;
    expect(teams).toBe(isTenancy ? 0 : 24);
    const records = (name: string): number =>
      lines(readFileSync(join(directory, 'made', `${name}.ndjson`), 'utf8')).length;
    expect(counted(mock)).toEqual(
      isTenancy
        ? {
            ...always(records('accounts'), 201),
            'POST transactions/create/ 201': records('transactions'),
            'POST historical-statements/create/ 201': records('historical_statements'),
          }
        : {
            ...always(records('accounts'), 200),
            'POST /v1/graphql/ 200': 4,
            'POST notes/create/ 201': records('notes'),
            'POST transactions/create/ 201': records('transactions'),
            'POST historical-agreements/create/ 200': records('historical_agreements'),
            'POST historical-billing-documents/create/ 201': records('historical_billing_documents'),
            'POST historical-statements/create/ 200': records('historical_statements'),
            'POST payment-instruction/create/ 201': records('payment_instructions'),
          },
    );
    expect(await acceptedSpoilt(mock)).toEqual([]);
  });
});

describe('with the answers of a mock server, which are the examples of the contract', () => {
  it('an account that they are about is completed, and no other is taken for done', async () => {
    const { directory } = space;
    const file = join(directory, 'contract.json');
    writeFileSync(file, mockContract());
    const settings = 'contract: contract.json\nretry: { attempts: 1 }\npatience: { quietPeriodMs: 1 }\n';
    writeFileSync(join(directory, '.migraterc'), settings);
    await ranHere(['generate', 'made', '--accounts', '3', '--contract', file], directory);
    const first = (name: string): JsonObject =>
      lines(readFileSync(join(directory, 'made', `${name}.ndjson`), 'utf8'))[0] as JsonObject;
    const whose = { import_supplier: 'MARSH_POWER', external_account_number: 'EXT-000001' };
    const transactions = first('transactions')['transactions'] as JsonObject[];
    const results = transactions.map((transaction_data) => ({
      status: 'TRANSACTION_ADDED_TO_ACCOUNT',
      transaction_data,
    }));
    writeFileSync(
      file,
      mockContract({
        '/data-import/validate-account/': first('accounts'),
        '/data-import/account-import-process/create-or-update/': whose,
        '/data-import/account-import-process/process/': { kraken_account_number: 'A-1' },
        '/data-import/transactions/create/': { results },
        '/data-import/historical-statements/create/': first('historical_statements'),
        status: { status: 'UNKNOWN', kraken_account_number: '' },
      }),
    );
    const mock = opened(await startPrism(file));
    const env = { MIGRATE_BASE_URL: mock.url, MIGRATE_API_KEY: 'a-key' };
    const ran = await ranHere(['run', 'made', '--yes', '--json'], directory, { env });
    const ended = lines(ran.stdout).filter(({ type }) => type === 'account');
    expect(ended.map(({ account, state, code }) => [account, state, code]).sort()).toEqual([
      ['EXT-000001', 'completed', null],
      ['EXT-000002', 'failed', 'answer_mismatch'],
      ['EXT-000003', 'failed', 'answer_mismatch'],
    ]);
    expect(counted(mock)).toEqual({
      'POST validate-account/ 201': 3,
      'POST account-import-process/create-or-update/ 201': 1,
      'POST account-import-process/process/ 201': 1,
      'POST transactions/create/ 201': 1,
      'POST historical-statements/create/ 201': 1,
    });
    expect(await acceptedSpoilt(mock)).toEqual([]);
  });
});
