import { request } from 'undici';
import { causeOf } from './failure-cause.ts';
import { openDispatcher, type Proxies } from './open-dispatcher.ts';

/**
 * The time until a connection is open, an answer begins, or its next piece comes; the caller's signal limits the
 * whole.
 */
const timeoutMs = 10_000;

export interface WebhookOptions {
  readonly proxies?: Proxies | undefined;
  /** Ends the attempt at once. */
  readonly signal: AbortSignal;
}

/**
 * Posts JSON to an address other than the platform's. Returns why it was not accepted, without the address; or
 * undefined.
 */
export async function postWebhook(
  url: string,
  body: string,
  { proxies, signal }: WebhookOptions,
): Promise<string | undefined> {
  const dispatcher = openDispatcher({
    origin: new URL(url).origin,
    connections: 1,
    timeouts: { connect: timeoutMs, headers: timeoutMs, body: timeoutMs },
    proxies,
  });
  try {
    const headers = { 'content-type': 'application/json' };
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
    const { statusCode } = answer;
    // The status is enough: waiting for the body would only block the connection.
    answer.body.on('error', () => undefined).destroy();
    return statusCode < 300 ? undefined : `the webhook answers with status ${statusCode}.`;
  } catch (error) {
    if (signal.aborted) return 'the webhook gave no answer in time.';
    const cause = error instanceof Error ? causeOf(error) : 'unknown';
    if (cause === 'proxy_unreachable') return 'the proxy on the way to the webhook does not answer.';
    return `the webhook does not answer (${cause}).`;
  } finally {
    await dispatcher.destroy();
  }
}
