import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { listen } from '../client/loopback.ts';
import { tunnelProxy } from '../client/tunnel-proxy.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { project, served, tool, workspace } from './tool.ts';

const certificates = project('test/client/certificates');

/** The embedded platform as `https://platform.example`, behind a proxy; and the environment that leads there. */
async function faraway(directory: string) {
  const platform = await served(directory);
  onTestFinished(() => platform.stop());
  const front = createServer(
    {
      cert: readFileSync(`${certificates}/platform.pem`),
      key: readFileSync(`${certificates}/platform-key.pem`),
    },
    (incoming, response) => {
      const { url = '', method, headers } = incoming;
      const onward = request(`${platform.url}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(onward);
    },
  );
  const proxy = await tunnelProxy(await listen(front));
  return {
    proxy,
    env: {
      MIGRATE_BASE_URL: 'https://platform.example',
      MIGRATE_TEAM: 'MIGRATIONS',
      MIGRATE_API_KEY: platform.apiKey,
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: `${certificates}/authority.pem`,
    },
  };
}

const space = workspace();
const { directory } = space;
afterAll(() => space.dispose());

it('runs through the proxy of the environment, to a platform whose certificate a private authority signed', async () => {
  const { env, proxy } = await faraway(directory);
  await tool(['generate', 'export', '--accounts', '5'], directory);
  const run = await tool(['run', 'export', '--yes', '--json'], directory, env);
  expect(concluded(run, 'run', 0)).toMatchObject({ accounts: { completed: 5 } });
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(['platform.example:443']));
  const doctor = await tool(['doctor', '--json'], directory, env);
  concluded(doctor, 'doctor', 0);
});

it('tells doctor what is wrong with certificate and proxy', async () => {
  const { env, proxy } = await faraway(directory);
  const remedyOf = async (change: Record<string, string>): Promise<unknown> => {
    const doctor = await tool(['doctor', '--json'], directory, { ...env, ...change });
    concluded(doctor, 'doctor', 5);
    return linesOfType(doctor.stdout, 'finding').find(({ check }) => check === 'reachability')?.['remedy'];
  };
  expect(await remedyOf({ NODE_EXTRA_CA_CERTS: '' })).toContain('NODE_EXTRA_CA_CERTS');
  const { url } = await tunnelProxy(0, 403);
  expect(await remedyOf({ HTTPS_PROXY: url })).toContain('HTTPS_PROXY');
  // Asking again would not change what the proxy asks for.
  expect(proxy.asked).toHaveLength(1);
});

it('sends nothing while the environment has any certificate accepted', async () => {
  const { env, proxy } = await faraway(directory);
  const unchecked = { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const say = 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of certificates';
  refused(await tool(['run', 'export', '--yes', '--json'], directory, unchecked), 'run', 2, say);
  refused(await tool(['status', '--remote', '--json'], directory, unchecked), 'status', 2, say);
  refused(await tool(['reconcile', 'export', '--json'], directory, unchecked), 'reconcile', 2, say);
  const doctor = await tool(['doctor', '--json'], directory, unchecked);
  concluded(doctor, 'doctor', 2);
  expect(doctor.stdout).toContain(say);
  expect(proxy.asked).toEqual([]);
});

it('names a dead proxy as what does not answer, and not the platform', async () => {
  const { env } = await faraway(directory);
  const dead = { ...env, HTTPS_PROXY: 'http://127.0.0.1:1' };
  const doctor = await tool(['doctor', '--json'], directory, dead);
  concluded(doctor, 'doctor', 5);
  expect(linesOfType(doctor.stdout, 'finding')).toContainEqual(
    expect.objectContaining({
      check: 'reachability',
      detail: 'The proxy to https://platform.example does not answer (proxy_unreachable).',
    }),
  );
  const run = await tool(['run', 'export', '--yes', '--json', '--journal', 'dead.db'], directory, {
    ...dead,
    MIGRATE_RETRY_ATTEMPTS: '1',
  });
  refused(run, 'run', 5, 'the platform cannot be reached (proxy_unreachable): the proxy does not answer.');
  expect(run.stderr).not.toContain('The platform does not answer');
});

it('never goes through a proxy to this machine', async () => {
  const proxy = await tunnelProxy(0, 403);
  const run = await tool(['run', 'export', '--json', '--journal', 'rehearsal.db'], directory, {
    HTTPS_PROXY: proxy.url,
    HTTP_PROXY: proxy.url,
  });
  expect(concluded(run, 'run', 0)).toMatchObject({ accounts: { completed: 5 } });
  expect(proxy.asked).toEqual([]);
});

it('says what an address of a proxy must be, without repeating it', async () => {
  const env = { MIGRATE_BASE_URL: 'https://platform.example', MIGRATE_TEAM: 'T', MIGRATE_TOKEN: 't' };
  const run = await tool(['run', 'export', '--yes', '--json'], directory, {
    ...env,
    https_proxy: 'ftp://me:secret@x',
  });
  refused(run, 'run', 2, 'https_proxy is not the address of a proxy.');
  expect(run.stdout + run.stderr).not.toContain('secret');
});
