import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { concluded, linesOfType, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, served, workspace, type Served } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
let platform: Served | undefined;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
  cpSync(project('fixtures/interface'), join(directory, 'book'), { recursive: true });
});
afterEach(async () => {
  await platform?.stop();
  platform = undefined;
  space.dispose();
});

async function asked(operator: string, ...args: string[]): Promise<Awaited<ReturnType<typeof ranHere>>> {
  writeFileSync(join(directory, 'operator.yaml'), operator);
  platform = await served(directory, '--operator', 'operator.yaml', '--log', 'requests.log');
  return validated({ MIGRATE_BASE_URL: platform.url, MIGRATE_API_KEY: platform.apiKey }, ...args);
}

function validated(env: Record<string, string>, ...args: string[]): ReturnType<typeof ranHere> {
  const quick = { MIGRATE_RETRY_BASE_MS: '1', MIGRATE_RETRY_CAP_MS: '5' };
  return ranHere(['validate', 'book', '--remote', '--json', ...args], directory, {
    env: { ...quick, ...env },
  });
}

describe('migrate validate --remote', () => {
  it("asks the platform's validate endpoint alone about each account, and needs no team and no journal", async () => {
    const ended = await asked('{}');
    expect(concluded(ended, 'validate', 0)).toMatchObject({ accounts: 50, valid: 50, requests: 50 });
    expect(existsSync(join(directory, '.migrate'))).toBe(false);
    const log = readFileSync(join(directory, 'requests.log'), 'utf8').trim().split('\n');
    const endpoints = log.map((line) => /"endpoint":"(\w+)"/.exec(line)?.[1]);
    expect(endpoints.filter((name) => name === 'validate')).toHaveLength(50);
    // The question whether an embedded platform is there goes to no endpoint.
    expect(new Set(endpoints)).toEqual(new Set([undefined, 'token', 'validate']));
  });

  it('names the cell of what the platform alone refuses, and copies the rows of those accounts', async () => {
    const ended = await asked('productCodes: [NO-SUCH-PRODUCT]', '--rejects', 'rejects');
    const summary = concluded(ended, 'validate', 3);
    expect(summary['invalid']).toBeGreaterThan(0);
    const [problem] = linesOfType(ended.stdout, 'problem').filter(({ severity }) => severity === 'error');
    expect(problem).toMatchObject({ file: 'accounts.ndjson', line: expect.any(Number) as number });
    expect(existsSync(join(directory, 'rejects'))).toBe(true);
  });

  it('asks again where an answer is lost or the platform is busy', async () => {
    const rules =
      '[{ kind: reset, on: [validate], at: [1, 5] }, { kind: throttle, on: [validate], at: [2, 9] }]';
    const ended = await asked(`faults: { seed: 1, rules: ${rules} }`);
    const { requests } = concluded(ended, 'validate', 0);
    expect(requests).toBeGreaterThan(50);
  });

  it('says that the platform refuses the key, or cannot be reached', async () => {
    platform = await served(directory);
    writeFileSync(join(directory, '.migraterc'), 'patience: { credentialsMs: 0 }\n');
    const wrong = { MIGRATE_BASE_URL: platform.url, MIGRATE_API_KEY: 'sk_wrong_key' };
    refused(await validated(wrong), 'validate', 4, 'platform refused the credentials');
    const nobody = { MIGRATE_BASE_URL: 'http://127.0.0.1:9', MIGRATE_API_KEY: 'sk_some_key' };
    refused(await validated(nobody), 'validate', 5, 'connection_refused');
  });

  it('believes no refusal of the credentials that passes', async () => {
    let refusals = 0;
    const busy = createServer((request, response) => {
      request.resume();
      const isRefused = request.url?.includes('validate') === true && (refusals += 1) <= 12;
      const body = isRefused ? { detail: 'Invalid token.' } : {};
      response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as AddressInfo;
    const ended = await validated({ MIGRATE_BASE_URL: `http://127.0.0.1:${port}`, MIGRATE_TOKEN: 'token' });
    busy.close();
    expect(concluded(ended, 'validate', 0)).toMatchObject({ valid: 50 });
    expect(refusals).toBeGreaterThan(12);
  });

  it('does not ask about what is refused here already', async () => {
    const path = join(directory, 'book/accounts.ndjson');
    const [first = '', ...others] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(
      path,
      [first.replace(/"customers":\[/, '"customers":[{"given_name":5},'), ...others].join('\n'),
    );
    const ended = await asked('{}');
    expect(concluded(ended, 'validate', 3)).toMatchObject({ valid: 49, requests: 49 });
  });
});
