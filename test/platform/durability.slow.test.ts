import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { tokenMutation, tokenPath } from '../../src/contract/schemas/token.ts';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { freshDirectory, rehearse } from './running-platform.ts';
import { accountPayload, paths, processPayload } from './sample-payloads.ts';

const bin = fileURLToPath(new URL('../../bin/migrate.js', import.meta.url));

interface Served {
  readonly url: string;
  readonly apiKey: string;
  readonly kill: () => Promise<void>;
}

async function serve(stateFile: string): Promise<Served> {
  const child = spawn(
    process.execPath,
    [bin, 'serve', '--json', '--quiet', '--port', '0', '--state', stateFile],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string };
  return {
    url,
    apiKey,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

interface Said {
  readonly status: number;
  readonly kraken_account_number?: string;
  readonly data?: { readonly obtainKrakenToken: { readonly token: string } };
}

async function post(url: string, path: string, body: unknown, token = ''): Promise<Said> {
  const answered = await request(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
    body: JSON.stringify(body),
  });
  return { status: answered.statusCode, ...((await answered.body.json()) as Omit<Said, 'status'>) };
}

test('what a killed platform had answered is there when it starts again', async () => {
  const stateFile = join(freshDirectory(), 'platform.db');
  const staged = new Set<string>();
  const numbers = new Map<string, string>();
  for (const [round, killAfter] of [1, 40, 150].entries()) {
    const { url, apiKey, kill } = await serve(stateFile);
    const obtained = await post(url, tokenPath, { query: tokenMutation, variables: { apiKey } });
    const token = obtained.data?.obtainKrakenToken.token;
    let answers = 0;
    let killed: Promise<void> | undefined;
    const drive = async (account: string): Promise<void> => {
      const stage = await post(url, `/v1/data-import/${paths.stage}`, accountPayload(account), token);
      if (stage.status === 201) staged.add(account);
      const created = await post(url, `/v1/data-import/${paths.process}`, processPayload(account), token);
      if (created.status === 201) numbers.set(account, String(created.kraken_account_number));
      if (++answers === killAfter) killed = kill();
    };
    const accounts = Array.from({ length: 300 }, (_, at) => `${round}-${at}`);
    const results = await Promise.allSettled(accounts.map(drive));
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    await killed;

    const held = new Map([...dumpAccounts(stateFile)].map((account) => [account.account, account]));
    for (const account of staged) expect(held.has(account)).toBe(true);
    for (const [account, number] of numbers) expect(held.get(account)?.krakenAccountNumber).toBe(number);
  }
  expect(numbers.size).toBeGreaterThanOrEqual(191);
  expect(new Set(numbers.values()).size).toBe(numbers.size);
  const { get } = await rehearse({ stateFile });
  expect(
    (await get('imported-account-import-processes/TENTACLE_ENERGY/')).body.length,
  ).toBeGreaterThanOrEqual(numbers.size);
});

test('a long list is whole and in order, and other requests are answered while it is read', async () => {
  const { post: send, get, platform, token } = await rehearse();
  const accounts = Array.from({ length: 4500 }, (_, at) => `L-${String(at).padStart(5, '0')}`);
  for (let from = 0; from < accounts.length; from += 500)
    await Promise.all(
      accounts.slice(from, from + 500).map((account) => send(paths.stage, accountPayload(account))),
    );
  const list = await request(`${platform.url}/v1/data-import/all-account-import-processes/TENTACLE_ENERGY/`, {
    headers: { authorization: `Token ${await token()}` },
  });
  expect((await send(paths.process, processPayload('L-00000'))).status).toBe(201);
  const listed = (await list.body.json()) as { external_account_number: string }[];
  expect(listed.map((record) => record.external_account_number)).toEqual(accounts);
  expect((await get('pending-account-import-processes/TENTACLE_ENERGY/')).body).toHaveLength(4499);
});
