import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ended, start, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeAll(async () => {
  space = workspace();
  const supplier = 'TENTACLE_ENERGY';
  const path = join(space.directory, 'export');
  await generateExport({ directory: path, accounts: 3, seed: 3, shape: 'interface', supplier });
});
afterAll(() => space.dispose());

const open: { readonly server: Server; readonly timers: NodeJS.Timeout[] }[] = [];
afterEach(() => {
  for (const { server, timers } of open.splice(0)) {
    for (const timer of timers) clearInterval(timer);
    server.close();
    server.closeAllConnections();
  }
});

type Endless = (request: IncomingMessage, response: ServerResponse, every: (act: () => void) => void) => void;

const interim: Endless = (_request, response, every) =>
  every(() => void response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
const drip: Endless = (_request, response, every) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000_000 });
  every(() => void response.write(' '));
};

/** A platform whose answer to every POST has no end; `asked` resolves once one is under way. */
async function endless(answer: Endless): Promise<{ readonly url: string; readonly asked: Promise<void> }> {
  let begun = (): void => undefined;
  const asked = new Promise<void>((resolve) => (begun = resolve));
  const timers: NodeJS.Timeout[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.end();
      return;
    }
    answer(request, response, (act) => timers.push(setInterval(act, 20)));
    begun();
  });
  open.push({ server, timers });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const credentials = {
  'a token that drips': [drip, { MIGRATE_API_KEY: 'key' }],
  'a token behind endless 103s': [interim, { MIGRATE_API_KEY: 'key' }],
  'an answer that drips': [drip, { MIGRATE_TOKEN: 'token' }],
  'an answer behind endless 103s': [interim, { MIGRATE_TOKEN: 'token' }],
} as const;

// No timeout of a request is near: only the stop ends it.
describe.each(Object.entries(credentials))('a run that waits for %s', (what, [answer, secret]) => {
  it('ends on SIGTERM when its drain is over', async () => {
    const { url, asked } = await endless(answer);
    const env = { MIGRATE_BASE_URL: url, MIGRATE_TEAM: 'T', MIGRATE_DRAIN_MS: '50', ...secret };
    const journal = `${what}-drained.db`;
    const child = start(['run', 'export', '--yes', '--json', '--journal', journal], space.directory, env);
    const end = ended(child);
    await asked;
    child.kill('SIGTERM');
    expect(concluded(await end, 'run', 6)).toMatchObject({ stopped: 'interrupt' });
  });

  it('ends on a second interrupt', async () => {
    const { url, asked } = await endless(answer);
    const env = { MIGRATE_BASE_URL: url, MIGRATE_TEAM: 'T', ...secret };
    const journal = `${what}-twice.db`;
    const child = start(['run', 'export', '--yes', '--json', '--journal', journal], space.directory, env);
    const heard = new Promise<void>((resolve) => {
      child.stderr?.on('data', (text: Buffer | string) => {
        if (text.toString().includes('Interrupt again')) resolve();
      });
    });
    const end = ended(child);
    await asked;
    child.kill('SIGINT');
    await heard;
    child.kill('SIGINT');
    expect(concluded(await end, 'run', 6)).toMatchObject({ stopped: 'interrupt' });
  });
});
