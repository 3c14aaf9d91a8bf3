import { request } from 'undici';

/**
 * The id that an embedded platform says it is (`x-platform-id`), so that progress belongs to its state and not to the
 * port it happens to listen on. undefined where nobody answers, or somebody who is no embedded platform.
 */
export async function identifyPlatform(baseUrl: string, timeoutMs: number): Promise<string | undefined> {
  try {
    const answer = await request(baseUrl, {
      method: 'HEAD',
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    await answer.body.dump();
    const id = answer.headers['x-platform-id'];
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}
