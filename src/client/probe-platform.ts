import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { challengeHeader, isProven, proofHeader } from '../contract/embedded-proof.ts';
import { definedFields } from '../domain/defined-fields.ts';
import { causeOf, type Cause } from './failure-cause.ts';
import { openDispatcher, type Proxies, type TlsFiles } from './open-dispatcher.ts';

/** What an address reveals without authentication. */
export type PlatformProbe =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The id that it reports (`x-platform-id`), which anybody can write. */
      readonly platformId?: string | undefined;
      /** Whether it proved to be the embedded platform with that id. */
      readonly isProven: boolean;
      /** Its time from the Date header, in milliseconds since the epoch; accurate to the second. */
      readonly now?: number | undefined;
    }
  | { readonly kind: 'silent'; readonly cause: Cause };

interface ProbeOptions {
  readonly proxies?: Proxies | undefined;
  readonly tls?: TlsFiles | undefined;
  /** Those of an embedded platform. */
  readonly keys?: readonly string[];
  /** The User-Agent header. */
  readonly userAgent?: string | undefined;
}

/** Tests whether a base address answers, without a token. Any answer counts. */
export async function probePlatform(
  baseUrl: string,
  timeoutMs: number,
  { proxies, tls, keys = [], userAgent }: ProbeOptions = {},
): Promise<PlatformProbe> {
  const dispatcher = openDispatcher({
    origin: new URL(baseUrl).origin,
    connections: 1,
    timeouts: { connect: timeoutMs, headers: timeoutMs, body: timeoutMs },
    proxies,
    tls,
  });
  // Endless interim answers would restart the other timeouts.
  const signal = AbortSignal.timeout(3 * timeoutMs);
  try {
    const challenge = randomUUID();
    const headers = { [challengeHeader]: challenge, ...definedFields({ 'user-agent': userAgent }) };
    const answer = await request(baseUrl, { method: 'HEAD', headers, dispatcher, signal });
    await answer.body.dump();
    const { 'x-platform-id': id, date, [proofHeader]: proofs } = answer.headers;
    const now = Date.parse(String(date));
    const platformId = typeof id === 'string' && id !== '' ? id : undefined;
    return {
      kind: 'answered',
      status: answer.statusCode,
      platformId,
      isProven: platformId !== undefined && isProven(String(proofs), keys, platformId, challenge),
      now: Number.isNaN(now) ? undefined : now,
    };
  } catch (error) {
    if (signal.aborted) return { kind: 'silent', cause: 'request_timeout' };
    return { kind: 'silent', cause: error instanceof Error ? causeOf(error) : 'connection_failed' };
  } finally {
    await dispatcher.destroy();
  }
}
