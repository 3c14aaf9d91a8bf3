import { request } from 'undici';
import { causeOf, type Cause } from './failure-cause.ts';
import { openDispatcher, type Proxies } from './open-dispatcher.ts';

/** What an address says without being asked for anything. */
export type PlatformProbe =
  | {
      readonly kind: 'answered';
      /** The id that an embedded platform says it is (`x-platform-id`). */
      readonly platformId?: string;
      /** Its time by the Date header, in milliseconds since the epoch; to the second. */
      readonly now?: number;
    }
  | { readonly kind: 'silent'; readonly cause: Cause };

/** Asks whether anybody answers at a base address, without a token. Any answer counts. */
export async function probePlatform(
  baseUrl: string,
  timeoutMs: number,
  proxies?: Proxies,
): Promise<PlatformProbe> {
  const dispatcher = openDispatcher({
    origin: new URL(baseUrl).origin,
    connections: 1,
    timeouts: { connect: timeoutMs, headers: timeoutMs, body: timeoutMs },
    ...(proxies === undefined ? {} : { proxies }),
  });
  // Interim answers without end would renew the others.
  const signal = AbortSignal.timeout(3 * timeoutMs);
  try {
    const answer = await request(baseUrl, { method: 'HEAD', dispatcher, signal });
    await answer.body.dump();
    const { 'x-platform-id': id, date } = answer.headers;
    const now = Date.parse(String(date));
    return {
      kind: 'answered',
      ...(typeof id === 'string' && id !== '' ? { platformId: id } : {}),
      ...(Number.isNaN(now) ? {} : { now }),
    };
  } catch (error) {
    if (signal.aborted) return { kind: 'silent', cause: 'request_timeout' };
    return { kind: 'silent', cause: error instanceof Error ? causeOf(error) : 'connection_failed' };
  } finally {
    await dispatcher.destroy();
  }
}
