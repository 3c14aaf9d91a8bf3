import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run-program.ts';
import { systemShell } from '../../src/cli/shell.ts';
import { generateExport } from '../../src/generate/generate-export.ts';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { linesOfType } from './endings.ts';
import { served, summaryOf, workspace, type Ended, type Served } from './tool.ts';

const accounts = 24;
const space = workspace();
const path = (name: string): string => join(space.directory, name);
const supplier = 'TENTACLE_ENERGY';
let platform: Served;

beforeAll(async () => {
  await generateExport({ directory: path('export'), accounts, seed: 19, shape: 'flat', supplier });
  platform = await served(space.directory, '--state', 'state.db', '--control');
});
afterAll(async () => {
  await platform.stop();
  space.dispose();
});

/** The command line at a moment of a week in March 2027, whose clocks go on from there. */
async function at(moment: string, ...args: string[]): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const shell = systemShell();
  const shift = Date.parse(moment) - shell.clock.now();
  const code = await run(
    {
      ...shell,
      stdout: { write: (text) => ((stdout += text), true) },
      stderr: { write: (text) => ((stderr += text), true) },
      env: {
        MIGRATE_BASE_URL: platform.url,
        MIGRATE_API_KEY: platform.apiKey,
        MIGRATE_TEAM: 'MIGRATIONS',
        MIGRATE_WINDOW: '22:00-05:30',
        MIGRATE_TIME_ZONE: 'Europe/Berlin',
        MIGRATE_CONCURRENCY: '4',
        MIGRATE_RETRY_BASE_MS: '5',
        MIGRATE_RETRY_CAP_MS: '50',
        MIGRATE_RETRY_ATTEMPTS: '20',
        MIGRATE_PATIENCE_QUIET_PERIOD_MS: '50',
        MIGRATE_PATIENCE_STATUS_POLL_MS: '20',
        MIGRATE_TIMEOUTS_HEADERS_MS: '1000',
      },
      cwd: space.directory,
      interactive: false,
      clock: { ...shell.clock, now: () => shell.clock.now() + shift },
    },
    args,
  );
  return { code, stdout, stderr };
}

/** The operator decides: merged into what holds. */
async function operator(decision: object): Promise<void> {
  const answer = await fetch(`${platform.url}/operator/`, {
    method: 'PATCH',
    headers: { authorization: `ApiKey ${platform.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(decision),
  });
  expect(answer.status).toBe(200);
}

const faults = (...rules: object[]) => operator({ faults: { seed: 7, rules } });
const night = (moment: string, ...flags: string[]) =>
  at(moment, 'run', 'export', '--yes', '--json', ...flags);

/** Puts one cell of an account's row in the place of another. */
function edit(from: string, to: string): void {
  const file = path('export/customers.csv');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

it('after a week of nights with faults, fixes and a change of the clocks, all has arrived and is proven', async () => {
  const phones = [...readFileSync(path('export/customers.csv'), 'utf8').matchAll(/\+\d{8,15}/g)].map(
    ([phone]) => phone,
  );
  const [first = '', second = ''] = phones;
  edit(first, '+441');
  edit(second, '+442');

  // Monday: a first few, on a slow platform. The two faulty cells are told.
  await faults({ kind: 'latency', ms: 1, tailMs: 20, rate: 0.3 });
  const monday = await night('2027-03-22T21:00:00Z', '--limit', '8');
  expect(summaryOf(monday.stdout)).toMatchObject({ exit: 6, stopped: 'limit' });

  // Tuesday: answers are lost after their effect, and connections before it.
  await faults(
    { kind: 'reset', when: 'after', rate: 0.1 },
    { kind: 'reset', when: 'before', rate: 0.1 },
    { kind: 'truncated', rate: 0.05 },
  );
  const tuesday = await night('2027-03-23T21:00:00Z', '--limit', '8');
  expect([6, 8]).toContain(tuesday.code);

  // Wednesday: the supplier is paused in the middle of it.
  await faults({ kind: 'pause-supplier', at: [6] });
  const wednesday = await night('2027-03-24T21:00:00Z');
  expect(summaryOf(wednesday.stdout)).toMatchObject({ exit: 5, stopped: 'supplier-not-ongoing' });
  await operator({ suppliers: { [supplier]: { status: 'Ongoing' } } });

  // Thursday: too many requests, and a proxy's error pages. The job fires again in the morning, and does nothing.
  await faults(
    { kind: 'throttle', rate: 0.1 },
    { kind: 'html', status: 502, when: 'before', rate: 0.05 },
    { kind: 'expire-tokens', at: [9] },
  );
  const thursday = await night('2027-03-25T21:00:00Z');
  const found = linesOfType(thursday.stdout, 'problem').filter(({ severity }) => severity === 'error');
  expect(found.map(({ code, file, column }) => [code, file, column])).toEqual([
    ['invalid_phone_number', 'customers.csv', 'landline'],
    ['invalid_phone_number', 'customers.csv', 'landline'],
  ]);
  const late = await night('2027-03-26T04:31:00Z');
  expect(summaryOf(late.stdout)).toMatchObject({ exit: 6, stopped: 'hours', requests: 0 });

  // Friday: the two cells are fixed, and the platform goes away for a moment.
  edit('+441', first);
  edit('+442', second);
  await faults({ kind: 'restart', downMs: 30, at: [4] });
  const friday = await night('2027-03-26T21:00:00Z');
  expect(linesOfType(friday.stdout, 'account').map(({ state }) => state)).not.toContain('rejected');

  // Saturday to Sunday: the clocks go forward, so that 05:30 comes an hour sooner; a person rules on what is uncertain.
  await faults();
  expect((await night('2027-03-28T03:31:00Z')).code).toBe(6);
  for (let sunday = 0; sunday < 3; sunday += 1) {
    const ended = await night('2027-03-28T03:20:00Z');
    if (ended.code === 0) break;
    for (const { account, state } of linesOfType(await listed(), 'account'))
      if (state === 'uncertain') await ruleOn(String(account));
  }

  const status = summaryOf((await at('2027-03-28T06:00:00Z', 'status', '--json')).stdout);
  expect(status).toMatchObject({
    suppliers: [{ supplier, accounts: { total: accounts, completed: accounts } }],
  });
  const proof = await at('2027-03-28T06:00:00Z', 'reconcile', 'export', '--supplier', supplier, '--json');
  expect(summaryOf(proof.stdout)).toMatchObject({ exit: 0, matches: true, differences: 0 });
  expect([...dumpAccounts(path('state.db'))]).toHaveLength(accounts);
  const page = await at('2027-03-28T06:00:00Z', 'report', '--supplier', supplier, '--out', 'week.html');
  expect(page.code).toBe(0);
  expect(readFileSync(path('week.html'), 'utf8')).toContain(supplier);
});

/** The accounts of the journal as JSON lines. */
async function listed(): Promise<string> {
  const plan = await at('2027-03-28T06:00:00Z', 'plan', 'export', '--json');
  return plan.stdout;
}

/** A person's ruling: this platform recognises what it is sent again. */
async function ruleOn(account: string): Promise<void> {
  const story = await at('2027-03-28T06:00:00Z', 'show', account, '--json');
  const { steps } = summaryOf(story.stdout) as { steps: Record<string, string> };
  for (const step of Object.keys(steps).filter((name) => steps[name] === 'uncertain')) {
    const ruled = await at('2027-03-28T06:00:00Z', 'resolve', account, '--step', step, '--as', 'repeat');
    expect(ruled.code).toBe(0);
  }
}
