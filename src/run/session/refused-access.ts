import type { Answer, PlatformClient } from '../../client/platform-client.ts';
import type { Clock } from '../../domain/clock.ts';
import {
  CredentialWatch,
  type AccessRefusals,
  type AccessVerdict,
} from '../../pipeline/run/credential-watch.ts';

/**
 * Refused credentials outside a run: they are believed as late as in one (`patience.credentialsMs`), because servers that
 * restart, or do not know a new token yet, refuse it for a moment.
 */
export class RefusedAccess {
  readonly #watch: CredentialWatch;
  readonly #clock: Pick<Clock, 'sleep'>;

  constructor(
    clock: Pick<Clock, 'monotonic' | 'sleep'>,
    patienceMs: number,
    client: Pick<PlatformClient, 'discardToken'>,
  ) {
    this.#clock = clock;
    this.#watch = new CredentialWatch({
      clock,
      patienceMs,
      discard: (tokenId) => client.discardToken(tokenId),
    });
  }

  accepted(): void {
    this.#watch.accepted();
  }

  /** Resolves when a request may be sent; rejects if the signal is aborted first. */
  async pass(signal?: AbortSignal): Promise<void> {
    await this.#watch.pass(async (ms) => {
      await this.#clock.sleep(ms, signal);
      return true;
    });
  }

  /** Judges a refusal; `own`: those of this request so far. Nothing else is asked with the same credentials. */
  refused(
    answer: Extract<Answer<never>, { kind: 'unauthorized' }>,
    own: AccessRefusals,
  ): Promise<AccessVerdict> {
    return this.#watch.refused(answer, own, () => Promise.resolve(false));
  }
}
