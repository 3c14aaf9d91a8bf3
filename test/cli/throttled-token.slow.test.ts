// A token mutation that is asked too often, in every form that says so: waited for, and never a wrong key.
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemShell } from '../../src/cli/shell.ts';
import { operatorSchema } from '../../src/platform/operator.ts';
import { startPlatform, type RunningPlatform } from '../../src/platform/platform.ts';
import { linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, summaryOf, workspace } from './tool.ts';

interface Form {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Record<string, string>;
}

let platform: RunningPlatform;
let proxy: ReturnType<typeof createServer>;
let space: ReturnType<typeof workspace>;
/** How the next token mutations are refused, and how many of them. */
let form: Form;
let left: number;
let accounts = 0;

beforeAll(async () => {
  const { clock, random } = systemShell();
  const [stateFile, operator] = [':memory:', operatorSchema.parse({})];
  const where = { port: 0, host: '127.0.0.1' };
  platform = await startPlatform({
    ...{ stateFile, operator, clock, random, ...where },
    control: false,
    log: () => undefined,
  });
  proxy = createServer((asked, answer) => void relay(asked, answer).catch(() => answer.destroy()));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await platform.close();
});
beforeEach(() => {
  space = workspace();
  const [first = ''] = readFileSync(project('fixtures/interface/accounts.ndjson'), 'utf8').split('\n');
  mkdirSync(join(space.directory, 'export'));
  const account = first.replaceAll('EXT-000001', `EXT-${(accounts += 1)}`);
  writeFileSync(join(space.directory, 'export', 'accounts.ndjson'), account);
});
afterEach(() => space.dispose());

async function relay(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = Buffer.concat(await asked.toArray());
  if (asked.url === '/v1/graphql/' && left > 0) {
    left -= 1;
    const { status, code, headers = {} } = form;
    const errors = [
      {
        message: `No ${platform.apiKey}.`,
        ...(code === undefined ? {} : { extensions: { errorCode: code } }),
      },
    ];
    answer.writeHead(status, { 'content-type': 'application/json', ...headers });
    answer.end(JSON.stringify({ data: null, errors }));
    return;
  }
  const { method, headers } = asked;
  const passed = ask(new URL(asked.url ?? '', platform.url), { method, headers });
  passed.end(body);
  const [reply] = (await once(passed, 'response')) as [IncomingMessage];
  answer.writeHead(reply.statusCode ?? 502, reply.headers);
  reply.pipe(answer);
}

/** Runs a command while the next mutations are refused in that form. */
async function refusing(refusals: number, as: Form, ...args: string[]) {
  [form, left] = [as, refusals];
  writeFileSync(
    join(space.directory, '.migraterc'),
    'team: MIGRATIONS\nsupplier: TENTACLE_ENERGY\nretry: { baseMs: 1, attempts: 3, throttledAttempts: 3 }\n',
  );
  const { port } = proxy.address() as AddressInfo;
  const env = { MIGRATE_BASE_URL: `http://127.0.0.1:${port}`, MIGRATE_API_KEY: platform.apiKey };
  return ranHere([...args, '--json'], space.directory, { env });
}

const commands = [['run', 'export', '--yes'], ['doctor'], ['status', '--remote']];
const tooMany: Form[] = [
  { status: 200, code: 'KT-CT-1199' },
  { status: 200, code: 'KT-CT-1199', headers: { 'retry-after': '1' } },
  { status: 400, code: 'KT-CT-1199' },
  { status: 429 },
  { status: 429, headers: { 'retry-after': '1' } },
];

describe.each(commands)('%s', (...command) => {
  beforeEach(async () => {
    // It has nothing to compare before a run.
    if (command[0] === 'status') await refusing(0, { status: 200 }, 'run', 'export', '--yes');
  });

  it.each(tooMany)('waits for a throttled token: %j', async (as) => {
    const ended = await refusing(2, as, ...command);
    expect([ended.code, left]).toEqual([0, 0]);
    const states = linesOfType(ended.stdout, 'finding').map(({ state }) => state);
    expect(states.filter((state) => state !== 'ok' && state !== 'skipped')).toEqual([]);
  });

  it('names the code of a refusal that is none of these, also where its words repeat the key', async () => {
    const ended = await refusing(99, { status: 200, code: 'KT-CT-1124' }, ...command);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([4, expect.stringContaining('KT-CT-1124')]);
  });
});

it.each(tooMany)('takes the key of a token that stays throttled for none that is wrong: %j', async (as) => {
  const ran = await refusing(99, as, 'run', 'export', '--yes');
  expect(summaryOf(ran.stdout)).toMatchObject({ exit: 3, accounts: { failed: 1 } });
  const examined = await refusing(99, as, 'doctor');
  expect(linesOfType(examined.stdout, 'finding').find(({ check }) => check === 'token')).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining(as.code ?? '429'),
  });
  await refusing(0, as, 'run', 'export', '--yes');
  const status = await refusing(99, as, 'status', '--remote');
  expect(status.code).toBe(5);
});
