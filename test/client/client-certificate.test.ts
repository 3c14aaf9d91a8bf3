import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { causeOf } from '../../src/client/failure-cause.ts';
import { clientOf, listen, sendJson } from './loopback.ts';

const pem = (name: string): string => readFileSync(new URL(`${name}.pem`, import.meta.url), 'utf8');
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
