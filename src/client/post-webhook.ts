import { request } from 'undici';
import { causeOf } from './failure-cause.ts';

const timeoutMs = 10_000;

/** Posts JSON to an address that is not the platform's. Gives why it was not taken, without the address; or undefined. */
export async function postWebhook(url: string, body: string): Promise<string | undefined> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    await answer.body.dump();
    const { statusCode } = answer;
    return statusCode < 300 ? undefined : `the webhook answers with status ${statusCode}.`;
  } catch (error) {
    return `the webhook does not answer (${error instanceof Error ? causeOf(error) : 'unknown'}).`;
  }
}
