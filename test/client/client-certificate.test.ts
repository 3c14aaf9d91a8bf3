import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { causeOf } from '../../src/client/failure-cause.ts';
import { fileURLToPath } from 'node:url';
import { freePort } from '../postgres/start-postgres.ts';
import { clientOf, listen, sendJson } from './loopback.ts';
import { tunnelProxy } from './tunnel-proxy.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`${name}.pem`, import.meta.url));
const pem = (name: string): string => readFileSync(fileOf(name), 'utf8');
const server = '../postgres/certificates/server';
/** It signed itself, and is for localhost. */
const own = { cert: pem(server), key: pem(`${server}-key`), ca: pem(server) };

/** A platform that knows its clients by certificates of this authority. */
async function platform(options: object = {}): Promise<string> {
  const { cert, key, ca } = own;
  const listening = createServer(
    { cert, key, ca, requestCert: true, rejectUnauthorized: true, ...options },
    (_request, response) => sendJson(response, 201, { kraken_account_number: 'A-1' }),
  );
  onTestFinished(() => {
    listening.closeAllConnections();
  });
  return `https://localhost:${await listen(listening)}`;
}

describe('a platform that wants a certificate of its clients', () => {
  it('takes that of the profile', async () => {
    const client = clientOf(await platform(), { tls: own });
    const answers = [client.post('process', '{"a":1}'), client.post('process', '{"a":2}', { fresh: true })];
    expect(await Promise.all(answers)).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
  });

  it('gets none, and says so', async () => {
    const client = clientOf(await platform(), { tls: { ca: own.ca } });
    expect(await client.post('process', '{}')).toMatchObject({ cause: 'client_certificate_required' });
  });

  it.each([
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  ])('does not accept it (%s)', (code) => {
    expect(causeOf(Object.assign(new Error('alert'), { code }))).toBe('client_certificate_refused');
  });

  it.each([
    ['No required SSL certificate was sent', 'client_certificate_required'],
    ['The SSL certificate error', 'client_certificate_refused'],
  ])('is understood behind nginx, which says so in a page (%s)', async (words, cause) => {
    const listening = createServer({ cert: own.cert, key: own.key }, (_request, response) => {
      response.writeHead(400, { 'content-type': 'text/html' });
      response.end(`<html><head><title>400 ${words}</title></head></html>`);
    });
    onTestFinished(() => {
      listening.closeAllConnections();
    });
    const client = clientOf(`https://localhost:${await listen(listening)}`, { tls: { ca: own.ca } });
    expect(await client.post('process', '{}')).toEqual({ kind: 'unknown', cause, status: 400 });
  });
});

/** Of an authority that the platform does not know. */
const foreign = { cert: pem('certificates/platform'), key: pem('certificates/platform-key') };

describe('through the tunnel of a proxy', () => {
  async function tunnelled(options: object = {}) {
    const url = await platform(options);
    const proxy = await tunnelProxy(Number(new URL(url).port));
    return { url, proxy, proxies: { proxy: proxy.url } };
  }

  it('the certificate and the authority of the profile are those of the platform, not of the proxy', async () => {
    const { url, proxy, proxies } = await tunnelled();
    const client = clientOf(url, { tls: own, proxies });
    const answers = [client.post('process', '{"a":1}'), client.post('process', '{"a":2}', { fresh: true })];
    expect(await Promise.all(answers)).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
    expect(proxy.asked.map(({ target }) => target)).toContain(new URL(url).host);
  });

  it('a certificate that is missing is told so', async () => {
    const { url, proxies } = await tunnelled();
    const client = clientOf(url, { tls: { ca: own.ca }, proxies });
    expect(await client.post('process', '{}')).toMatchObject({ cause: 'client_certificate_required' });
  });

  it('an authority that is not trusted is told so, and not as the proxy’s', async () => {
    const { url, proxies } = await tunnelled();
    const { cert, key } = own;
    const client = clientOf(url, { tls: { cert, key }, proxies });
    expect(await client.post('process', '{}')).toMatchObject({ cause: 'certificate_self_signed' });
  });

  it('a proxy that opens no tunnel is told so, whatever the certificate', async () => {
    const proxies = { proxy: (await tunnelProxy(0, 403)).url };
    const client = clientOf('https://localhost:1', { tls: own, proxies });
    expect(await client.post('process', '{}')).toMatchObject({ cause: 'proxy_refused' });
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('a server by OpenSSL that refuses the certificate of another authority', () => {
  async function refusing(protocol: string): Promise<string> {
    const port = await freePort();
    const child = spawn(
      'openssl',
      [
        ...['s_server', '-accept', String(port), '-cert', fileOf(server), '-key', fileOf(`${server}-key`)],
        ...['-CAfile', fileOf(server), '-Verify', '1', '-verify_return_error', '-www', `-${protocol}`],
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    onTestFinished(() => void child.kill());
    // It speaks of its parameters before it listens.
    for await (const line of createInterface(child.stdout)) if (line === 'ACCEPT') break;
    return `https://localhost:${port}`;
  }

  it.each([
    ['tls1_3', 'client_certificate_required'],
    // TLS 1.2 has no alert for a certificate that is missing.
    ['tls1_2', 'tls'],
  ])('is told as one that does so (%s), directly and through a proxy', async (protocol, withoutAny) => {
    const url = await refusing(protocol);
    const proxies = { proxy: (await tunnelProxy(Number(new URL(url).port))).url };
    for (const way of [{}, { proxies }]) {
      const client = clientOf(url, { tls: { ...foreign, ca: own.ca }, ...way });
      expect(await client.post('process', '{}')).toMatchObject({ cause: 'client_certificate_refused' });
    }
    for (const way of [{}, { proxies }]) {
      const client = clientOf(url, { tls: { ca: own.ca }, ...way });
      expect(await client.post('process', '{}')).toMatchObject({ cause: withoutAny });
    }
  });
});
