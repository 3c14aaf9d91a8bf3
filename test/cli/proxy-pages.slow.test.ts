import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { moneyIn } from '../../src/contract/money.ts';
import { formatDecimal } from '../../src/domain/decimal.ts';
import { parseJson } from '../../src/domain/json.ts';
import { generateExport } from '../../src/generate/generate-export.ts';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import { concluded, linesOfType } from './endings.ts';
import { contents } from './platform-contents.ts';
import { served, tool, workspace, type Ended, type Served } from './tool.ts';

const accounts = 200;
const supplier = 'TENTACLE_ENERGY';
const space = workspace();
const path = (name: string): string => join(space.directory, name);
let platform: Served;
/** What an undisturbed platform holds of each account. */
let whole: Map<string, string>;

/** One in twenty requests gets the page of a proxy that has not asked the platform. */
const posts = [
  ...['validate', 'stage', 'process', 'notes', 'transactions'],
  ...['agreements', 'billingDocuments', 'statements', 'paymentInstruction'],
];
const pages = [{}, { status: 202 }, { status: 204 }, { status: 206 }, { body: 'error' }].map((page) => ({
  kind: 'page',
  on: posts,
  rate: 0.01,
  ...page,
}));

const on = ({ url, apiKey }: Served) => ({
  MIGRATE_BASE_URL: url,
  MIGRATE_API_KEY: apiKey,
  MIGRATE_TEAM: 'MIGRATIONS',
  // A platform of which nobody knows that it recognises agreements: what became of them is left to a person.
  MIGRATE_AGREEMENTS_MAY_REPEAT: 'false',
  MIGRATE_PATIENCE_QUIET_PERIOD_MS: '50',
  MIGRATE_RETRY_BASE_MS: '5',
  MIGRATE_RETRY_CAP_MS: '50',
  MIGRATE_JOURNAL: `${new URL(url).port}.journal`,
});
const migrate = (...args: string[]): Promise<Ended> => tool(args, space.directory, on(platform));
const run = (): Promise<Ended> => migrate('run', 'export', '--yes', '--json');
const reconcile = (): Promise<Ended> => migrate('reconcile', 'export', '--json', '--supplier', supplier);

beforeAll(async () => {
  await generateExport({ directory: path('export'), accounts, seed: 23, shape: 'interface', supplier });
  const calm = await served(space.directory, '--state', 'calm.db');
  const undisturbed = await tool(['run', 'export', '--yes', '--json'], space.directory, on(calm));
  await calm.stop();
  concluded(undisturbed, 'run', 0);
  whole = contents(path('calm.db'));
  writeFileSync(path('operator.yaml'), JSON.stringify({ faults: { seed: 7, rules: pages } }));
  platform = await served(space.directory, '--state', 'weak.db', '--operator', 'operator.yaml');
});
afterAll(async () => {
  await platform.stop();
  space.dispose();
});

it('a proxy that answers for the platform makes no account completed that is not whole', async () => {
  const first = await run();
  const told = linesOfType(first.stdout, 'account');
  const inState = (state: string) =>
    told.filter((line) => line['state'] === state).map(({ account }) => String(account));
  const held = contents(path('weak.db'));
  expect(inState('completed').filter((account) => held.get(account) !== whole.get(account))).toEqual([]);

  // What the pages have not touched is completed; of the rest, what nobody can know is left to a person.
  const touched = new Set(
    dumpRequests(path('weak.db'))
      .filter(({ status }) => status === 0)
      .map(({ account }) => account),
  );
  expect(touched.size).toBeGreaterThan(accounts / 5);
  const uncertain = inState('uncertain');
  expect(uncertain.length).toBeGreaterThan(0);
  expect(uncertain.filter((account) => !touched.has(account))).toEqual([]);
  expect(inState('completed')).toHaveLength(accounts - uncertain.length);

  // The proof says so too, account by account and penny by penny.
  const proof = await reconcile();
  const { money } = concluded(proof, 'reconcile', 8);
  const differing = linesOfType(proof.stdout, 'difference');
  const accountsOf = (lines: typeof differing) => new Set(lines.map(({ account }) => String(account)));
  expect(accountsOf(differing)).toEqual(new Set(uncertain));
  expect(accountsOf(differing.filter(({ code }) => code === 'unconfirmed'))).toEqual(new Set(uncertain));
  const { acknowledged } = (money as Record<string, Record<string, string>>)['gross_amount'] ?? {};
  expect(acknowledged).toBe(grossAmountHeld());

  // No page had an effect: a person rules so, and all of it arrives, once.
  writeFileSync(path('uncertain.txt'), uncertain.join('\n'));
  for (let nights = 0; nights < 3; nights += 1) {
    const codes = new Set<number | null>();
    for (const step of ['agreements', 'billing-documents']) {
      const list = ['--accounts', 'uncertain.txt', '--step', step, '--as', 'repeat'];
      codes.add((await migrate('resolve', ...list)).code);
    }
    // 2: nothing of that step is uncertain any more.
    expect(codes).toContain(0);
    codes.delete(2);
    expect(codes).toEqual(new Set([0]));
    if ((await run()).code === 0) break;
  }
  expect(contents(path('weak.db'))).toEqual(whole);
  concluded(await reconcile(), 'reconcile', 0);
});

/** The sum of all statements that the platform holds. */
function grossAmountHeld(): string {
  const statements = [...dumpAccounts(path('weak.db'))].flatMap((account) =>
    account.statements.map(parseJson),
  );
  const sum = moneyIn('statements', { statements })?.get('gross_amount');
  if (sum === undefined) throw new Error('The platform holds no statement with an amount.');
  return formatDecimal(sum, 2);
}
