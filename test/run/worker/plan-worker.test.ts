import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultRuleContext } from '../../../src/contract/preflight.ts';
import { defaultTransactionsQuery } from '../../../src/contract/schemas/transactions.ts';
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';
import { extraStepNames } from '../../../src/domain/steps.ts';
import type { AccountPlan } from '../../../src/mapping/plan.ts';
import { printOf } from '../../../src/pipeline/hash.ts';
import { preflight } from '../../../src/pipeline/check/preflight.ts';
import type { ReadyPlan } from '../../../src/pipeline/account/ready-plan.ts';
import type { Cutting } from '../../../src/pipeline/settings.ts';
import { readySteps } from '../../../src/pipeline/steps/ready-requests.ts';
import { openPlans } from '../../../src/run/reading/open-plans.ts';
import { openReady } from '../../../src/run/worker/open-ready.ts';
import type { Reporter } from '../../../src/host/environment.ts';
import { project } from '../../cli/tool.ts';

const now = Date.parse('2024-07-01T00:00:00Z');
const here = {
  cwd: project('.'),
  clock: { now: () => now, monotonic: () => now, sleep: () => Promise.resolve() },
};
const silent: Reporter = {
  info: () => undefined,
  detail: () => undefined,
  warn: () => undefined,
  progress: { begin: () => undefined, advance: () => undefined, note: () => undefined },
};

const cutting: Cutting = {
  requestSizes: { notes: 1, transactions: 2, statements: 500 },
  transactionsQuery: defaultTransactionsQuery,
  tenancy: { statementsRefuseKnownIds: true },
};

function ready(path: string, stop = new AbortController().signal, threads = 1) {
  return openReady(
    here,
    silent,
    { path, config: { rules: {}, workDirectory: '/nonexistent', threads }, cutting },
    stop,
  );
}

test.each([
  ['fixtures/interface', 1],
  ['fixtures/flat', 1],
  ['fixtures/faulty/export', 1],
  ['fixtures/interface', 2],
  ['fixtures/flat', 2],
  ['fixtures/faulty/export', 2],
])(
  'a plan of %s is the same on %i other threads: its bytes, its payloads, its problems and its cells',
  async (path, threads) => {
    const plain = new Map<string, AccountPlan>();
    const opened = await openPlans(here, silent, path, {});
    for await (const plan of opened.plans) plain.set(plan.key.account, plan);
    const rules = defaultRuleContext('2024-07-01');
    const export_ = await ready(path, new AbortController().signal, threads);
    expect(export_.total).toBe(opened.total);
    expect(export_.faults).toEqual(opened.faults);
    let count = 0;
    for await (const plan of export_.plans) {
      const same = plain.get(plan.key.account)!;
      const { payloadBody, payloadHash, planHash } = printOf(same);
      expect(plan.print.payloadBody.toString()).toBe(payloadBody);
      expect(plan.print).toMatchObject({ payloadHash, planHash });
      expect(plan.problems).toEqual(preflight(same, rules));
      const ready = readySteps(same, cutting);
      for (const step of extraStepNames) {
        expect(plan.isPlanned(step)).toBe(same.extras[step].length > 0);
        const texts = plan.requests(step).map(({ body, ...rest }) => ({ ...rest, body: body.toString() }));
        expect(texts).toMatchObject(ready[step].requests);
        expect(plan.extras[step].flatMap(contentOf)).toEqual(same.extras[step].flatMap(contentOf));
      }
      expect(await plan.locate('stage', 'billing_address.country')).toEqual(
        same.locate('stage', 'billing_address.country'),
      );
      plan.close();
      count += 1;
    }
    expect(count).toBe(plain.size);
    await export_.close();
    opened.close();
  },
);

/** The items of a payload, which may travel in several requests; or the whole of one that is sent as it is. */
function contentOf(payload: JsonObject): readonly JsonValue[] {
  const items = payload['notes'] ?? payload['transactions'] ?? payload['statements'];
  return Array.isArray(items) ? items : [payload];
}

test('an export that cannot be read says why, and leaves nothing behind', async () => {
  await expect(ready('fixtures/none')).rejects.toMatchObject({ name: 'CannotStart', exit: 2 });
});

test('an export is closed in the midst of its accounts', async () => {
  const export_ = await ready('fixtures/interface');
  for await (const plan of export_.plans) {
    expect(plan.key.supplier).not.toBe('');
    break;
  }
  await export_.close();
});

test('a run that drains is given the rest by their numbers alone', async () => {
  const stop = new AbortController();
  const export_ = await ready('fixtures/interface', stop.signal);
  stop.abort();
  const rest: ReadyPlan[] = [];
  for await (const plan of export_.plans) rest.push(plan);
  expect(rest).toHaveLength(export_.total);
  expect(rest.every(({ print }) => print.payloadBody.length === 0)).toBe(true);
  await export_.close();
});

test.each([
  ['its requests', {}, false],
  ['what no two accounts may share', { supply_point_of_another_account: 'error' as const }, true],
])(
  'a module that is edited while a run waits for its approval decides nothing in several threads: %s',
  async (_, rules, isShared) => {
    const directory = mkdtempSync(join(tmpdir(), 'module-'));
    try {
      const module = join(directory, 'points.mjs');
      const write = (made: string) =>
        writeFileSync(module, `export const pure = true;\nexport const point = (text) => ${made};\n`);
      const [own, same] = ["'P' + text", "'the same'"];
      write(isShared ? same : own);
      const mapping = join(directory, 'mapping.yaml');
      writeFileSync(
        mapping,
        `version: 1
module: points.mjs
tables:
  accounts: { file: accounts.csv, key: nr }
account:
  import_supplier: { constant: S }
  supply_addresses:
    - supply_points:
        - supply_type: { constant: ELECTRICITY }
          identifier: { column: nr, call: point }
`,
      );
      mkdirSync(join(directory, 'export'));
      writeFileSync(join(directory, 'export/accounts.csv'), 'nr\nA1\nA2\nA3\n');
      const export_ = await openReady(
        here,
        silent,
        {
          path: join(directory, 'export'),
          config: { rules, mapping, workDirectory: '/nonexistent', threads: 2 },
          cutting,
        },
        new AbortController().signal,
      );
      write(isShared ? own : same);
      const found: [string, boolean][] = [];
      for await (const { print, problems } of export_.plans)
        found.push([
          /"identifier":"([^"]*)"/.exec(print.payloadBody.toString())?.[1] ?? '',
          problems.some(({ code }) => code === 'supply_point_of_another_account'),
        ]);
      await export_.close();
      const read = isShared ? ['the same', 'the same', 'the same'] : ['PA1', 'PA2', 'PA3'];
      expect(found).toEqual(read.map((point) => [point, isShared]));
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);
