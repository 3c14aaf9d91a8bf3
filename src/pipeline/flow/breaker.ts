import { definedFields } from '../../domain/defined-fields.ts';
import { isOfConnection } from '../../domain/connection-causes.ts';
import { needsPerson } from '../../domain/lasting-causes.ts';
import type { Answer } from '../../client/platform-client.ts';
import type { Clock, Random } from '../../domain/clock.ts';
import { pause } from '../request/retry.ts';
import type { RunEvent } from '../run/run-events.ts';
import type { Settings } from '../settings.ts';
import { saysTooLarge } from '../request/body-sizes.ts';
import { signOf } from '../request/liveness.ts';
import type { StopControl } from '../run/stop-control.ts';
import { WaitQueue } from './wait-queue.ts';

/** Failed answers in a row after which the platform is tested; more if they may be those of a limit. */
const suspicious = 3;
const suspiciousRefusals = 24;

export interface BreakerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly stop: StopControl;
  readonly emit: (event: RunEvent) => void;
  /** Sends a request that has no effect, over a connection that is opened for it. */
  readonly probe: (signal: AbortSignal) => Promise<Answer<unknown>>;
  /** Whether an earlier run shows that the platform is where it is looked for. */
  readonly hasAnsweredBefore: () => Promise<boolean>;
  /** Requests may leave again; `wasDead`: the platform was unavailable, and is back. */
  readonly reopened: (wasDead: boolean) => void;
  /** Takes a bug. */
  readonly fail: (error: unknown) => void;
}

/**
 * A circuit breaker. After several failed answers in a row, all requests are held while one request is sent alone. If
 * it is answered, the platform is available. Otherwise it is repeated at growing intervals until the platform
 * answers, or has been silent for the configured time: then the run stops. A platform that has never answered, in an earlier run
 * either, gets only the attempts of one request. After a cause that waiting cannot remove, one that has not answered this run gets none.
 *
 * While no connection can be opened, requests on open ones may be answered. So an answer says nothing about failures to
 * connect: only the test, which opens a connection, ends what they began.
 */
export class Breaker {
  /** How often the platform was found unavailable. */
  outages = 0;
  readonly #settings: Pick<Settings, 'retry' | 'patience'>;
  readonly #ports: BreakerPorts;
  readonly #held = new WaitQueue();
  #hasAnswered = false;
  /** Failed answers since the last good one, and when they began. */
  #signs = 0;
  #silentSince = 0;
  /** Failures to connect since a connection was last opened for a test, and when they began. */
  #unconnected = 0;
  #unconnectedSince = 0;
  /** While requests are held. `isCertain`: the platform was tested, and is unavailable. */
  #silence: { isCertain: boolean; readonly isOfConnections: boolean } | undefined;
  #wake: () => void = () => undefined;

  constructor(settings: Pick<Settings, 'retry' | 'patience'>, ports: BreakerPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  /** Whether no request may leave now. */
  get isOpen(): boolean {
    return this.#silence !== undefined;
  }

  /** Whether the platform was tested, and is unavailable. */
  get isCertain(): boolean {
    return this.#silence?.isCertain ?? false;
  }

  /**
   * Resolves at once while requests may leave, otherwise when they may again; false if the signal is aborted first.
   */
  pass(signal: AbortSignal): Promise<boolean> {
    return this.isOpen ? this.#held.wait(signal) : Promise.resolve(!signal.aborted);
  }

  /** Learns from an answer whether the platform is available. */
  see(answer: Answer<unknown>): void {
    // It is about the request alone; to a test, which has no body, it is no answer of the platform.
    if (!saysTooLarge(answer)) this.#see(answer, false);
  }

  #see(answer: Answer<unknown>, isTest: boolean): void {
    const sign = signOf(answer);
    if (sign === 'ours') return;
    if (sign === 'alive') {
      this.#hasAnswered = true;
      this.#signs = 0;
      if (isTest) this.#unconnected = 0;
      if (isTest || this.#silence?.isOfConnections !== true) this.#goOn();
      return;
    }
    if (!this.#hasAnswered && needsPerson(sign.cause)) {
      this.#ports.stop.stop('unavailable', sign.cause);
      return;
    }
    if (this.#signs === 0) this.#silentSince = this.#ports.clock.monotonic();
    this.#signs += 1;
    if (answer.kind === 'not-sent' && isOfConnection(answer.cause)) this.#seeUnconnected();
    const enough =
      answer.kind === 'throttled' ? suspiciousRefusals : Math.min(suspicious, this.#settings.retry.attempts);
    if (this.#signs >= enough) this.#test();
  }

  #seeUnconnected(): void {
    if (this.#unconnected === 0) this.#unconnectedSince = this.#ports.clock.monotonic();
    this.#unconnected += 1;
    if (this.#unconnected < suspicious || this.isOpen) return;
    // Answers on open connections may have begun a new row of failures.
    this.#silentSince = Math.min(this.#silentSince, this.#unconnectedSince);
    this.#test(true);
  }

  /** Another run found the platform unavailable: it is tested before anything else is sent. */
  suspect(): void {
    if (this.isOpen) return;
    if (this.#signs === 0) this.#silentSince = this.#ports.clock.monotonic();
    this.#test();
  }

  /** Another run found that the platform is back: it is tested now, not after a wait. */
  askNow(): void {
    this.#wake();
  }

  #test(isOfConnections = false): void {
    if (this.isOpen) return;
    const silence = (this.#silence = { isCertain: false, isOfConnections });
    this.#ask(silence).catch(this.#ports.fail);
  }

  /** Tests the platform until it answers. */
  async #ask(silence: { isCertain: boolean }): Promise<void> {
    const { clock, random, stop, emit, probe } = this.#ports;
    const { retry, patience } = this.#settings;
    const givesUpAt = this.#silentSince + patience.unavailableMs;
    const isKnown = this.#hasAnswered || (await this.#ports.hasAnsweredBefore());
    for (let failed = 1; this.#silence === silence; failed += 1) {
      const answer = await probe(stop.draining);
      this.#see(answer, true);
      const sign = signOf(answer);
      if (typeof sign === 'string') return;
      const leftMs = givesUpAt - clock.monotonic();
      if (failed === 1) {
        silence.isCertain = true;
        this.outages += 1;
        const givesUpInMs = isKnown ? Math.max(0, leftMs) : undefined;
        emit(definedFields({ type: 'outage', cause: sign.cause, givesUpInMs }));
      }
      if (leftMs <= 0 || (!isKnown && failed >= retry.attempts)) {
        stop.stop('unavailable', sign.cause);
        return;
      }
      const waitMs = Math.min(retry.capMs, retry.baseMs * 2 ** (failed - 1)) * (0.5 + random() / 2);
      if (!(await this.#wait(Math.min(waitMs, leftMs)))) {
        stop.metOutage(sign.cause);
        return;
      }
    }
  }

  /** False if the run drains. */
  async #wait(ms: number): Promise<boolean> {
    const { clock, stop } = this.#ports;
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    this.#wake = wake;
    // Stryker disable next-line ObjectLiteral,BooleanLiteral: it is removed below, and a drain comes once
    stop.draining.addEventListener('abort', wake, { once: true });
    if (stop.draining.aborted) wake();
    await pause(clock, ms, woken.signal);
    // Stryker disable next-line StringLiteral: one that stays takes memory, and wakes nobody
    stop.draining.removeEventListener('abort', wake);
    return !stop.draining.aborted;
  }

  #goOn(): void {
    const silence = this.#silence;
    if (silence === undefined) return;
    this.#silence = undefined;
    if (silence.isCertain)
      this.#ports.emit({ type: 'recovered', afterMs: this.#ports.clock.monotonic() - this.#silentSince });
    this.#ports.reopened(silence.isCertain);
    while (this.#held.next());
  }
}
