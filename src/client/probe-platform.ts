import { request } from 'undici';
import { causeOf, type Cause } from './failure-cause.ts';
import { openDispatcher, type Proxies } from './open-dispatcher.ts';

/** What an address reveals without authentication. */
export type PlatformProbe =
  | {
      readonly kind: 'answered';
      /** The id that an embedded platform reports (`x-platform-id`). */
      readonly platformId?: string | undefined;
      /** Its time from the Date header, in milliseconds since the epoch; accurate to the second. */
      readonly now?: number | undefined;
    }
  | { readonly kind: 'silent'; readonly cause: Cause };

/** Tests whether a base address answers, without a token. Any answer counts. */
export async function probePlatform(
  baseUrl: string,
  timeoutMs: number,
  proxies?: Proxies,
): Promise<PlatformProbe> {
  const dispatcher = openDispatcher({
    origin: new URL(baseUrl).origin,
    connections: 1,
    timeouts: { connect: timeoutMs, headers: timeoutMs, body: timeoutMs },
    proxies,
  });
  // Endless interim answers would restart the other timeouts.
  const signal = AbortSignal.timeout(3 * timeoutMs);
  try {
    const answer = await request(baseUrl, { method: 'HEAD', dispatcher, signal });
    await answer.body.dump();
    const { 'x-platform-id': id, date } = answer.headers;
    const now = Date.parse(String(date));
    return {
      kind: 'answered',
      platformId: typeof id === 'string' && id !== '' ? id : undefined,
      now: Number.isNaN(now) ? undefined : now,
    };
  } catch (error) {
    if (signal.aborted) return { kind: 'silent', cause: 'request_timeout' };
    return { kind: 'silent', cause: error instanceof Error ? causeOf(error) : 'connection_failed' };
  } finally {
    await dispatcher.destroy();
  }
}
