import type { Answer } from '../../client/platform-client.ts';
import type { Clock } from '../../domain/clock.ts';

type Unauthorized = Extract<Answer<never>, { kind: 'unauthorized' }>;

/** The shortest time between two renewals of the token, in ms: a new one may not be known to every server yet. */
const renewEveryMs = 10_000;
const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** The refusals of one request by the platform's access control. */
export interface AccessRefusals {
  count: number;
  /** When the first came, in ms on the monotonic clock. */
  since: number;
}

/**
 * What a refused access means.
 *
 * - `again`: not yet known; the request is repeated when `pass` lets it
 * - `own`: it is about this account or this endpoint, because the same credentials are accepted elsewhere
 * - `believed`: the credentials are refused
 */
export type AccessVerdict = 'again' | 'own' | 'believed';

export interface CredentialPorts {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long a new token must be refused, while nothing else is accepted, in ms. */
  readonly patienceMs: number;
  readonly discard: (tokenId: number) => void;
}

/**
 * Decides when refused credentials are believed. Servers that restart, or do not know a new token yet, refuse it for a
 * moment: until it is believed, requests wait while one at a time is tried.
 */
export class CredentialWatch {
  readonly #ports: CredentialPorts;
  #acceptedAt = -Infinity;
  #doubt: { readonly since: number; tries: number; nextAt: number } | undefined;
  #renewedAt = -Infinity;

  constructor(ports: CredentialPorts) {
    this.#ports = ports;
  }

  /** An answer shows that the credentials are accepted. */
  accepted(): void {
    this.#acceptedAt = this.#ports.clock.monotonic();
    this.#doubt = undefined;
  }

  /**
   * Resolves when a request may be sent: at once without a doubt, otherwise when it is the next to be tried. `wait`
   * waits for so many ms; false if that wait is ended, which is returned.
   */
  async pass(wait: (ms: number) => Promise<boolean>): Promise<boolean> {
    for (let doubt = this.#doubt; doubt !== undefined; doubt = this.#doubt) {
      const waitMs = doubt.nextAt - this.#ports.clock.monotonic();
      if (waitMs <= 0) {
        doubt.nextAt += Math.min(longestPauseMs, firstPauseMs * 2 ** doubt.tries) - waitMs;
        doubt.tries += 1;
        return true;
      }
      if (!(await wait(waitMs))) return false;
    }
    return true;
  }

  /** Judges a refusal. `isAcceptedElsewhere` asks the platform something else with the same credentials. */
  async refused(
    { status, tokenId }: Unauthorized,
    own: AccessRefusals,
    isAcceptedElsewhere: () => Promise<boolean>,
  ): Promise<AccessVerdict> {
    const now = this.#ports.clock.monotonic();
    if (own.count === 0) own.since = now;
    own.count += 1;
    this.#doubt ??= { since: now, tries: 0, nextAt: now };
    const { since } = this.#doubt;
    if (now - this.#renewedAt >= renewEveryMs) {
      this.#renewedAt = now;
      this.#ports.discard(tokenId);
    }
    // Nothing was accepted since the doubt began. The requests take turns: each may have been tried only once.
    const isBelievable = now - since >= this.#ports.patienceMs;
    const mayBeOwn = own.count >= 2 && (status === 403 || now - own.since >= this.#ports.patienceMs);
    if (!isBelievable && !mayBeOwn) return 'again';
    if (this.#acceptedAt > own.since || (await isAcceptedElsewhere())) return mayBeOwn ? 'own' : 'again';
    return isBelievable ? 'believed' : 'again';
  }
}
