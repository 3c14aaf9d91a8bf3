import type { Answer, PlatformClient } from '../../client/platform-client.ts';
import type { Clock, Random } from '../../domain/clock.ts';
import type { FoundPace } from '../../domain/found-pace.ts';
import type { RequestStep } from '../../domain/steps.ts';
import type { RunEvent } from '../run/run-events.ts';
import type { StopControl } from '../run/stop-control.ts';

export interface FlowPorts {
  readonly client: Pick<PlatformClient, 'transferStatus'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly stop: StopControl;
  readonly emit: (event: RunEvent) => void;
  /** Hears of every request as it leaves. */
  readonly sending: () => void;
  /** An account gives up its place for a while (true), or takes it again (false). */
  readonly stoodAside: (isAside: boolean) => void;
  /** Whether an earlier run shows that the platform is where it is looked for. */
  readonly hasAnsweredBefore: () => Promise<boolean>;
  /** The rates that an earlier run found. */
  readonly remembered?: FoundPace | undefined;
  /** Whether no further account will start. */
  readonly isLast?: () => boolean;
  /** Receives a bug in work that nobody waits for. */
  readonly fail: (error: unknown) => void;
}

export interface FlowRequest<T> {
  /** External account number of an account that is running. */
  readonly account: string;
  readonly step: RequestStep;
  /** Whether it puts an account in process (interface, section 8). */
  readonly isProcess?: boolean;
  /** Whether a lost answer to it may not be repeated: it leaves only while the way to the platform is clean. */
  readonly isDelicate?: boolean;
  /** Whether it asks for an account's state, without any effect. */
  readonly isQuestion?: true;
  /** Right before it leaves. */
  before?(): Promise<void>;
  send(signal: AbortSignal): Promise<Answer<T>>;
}

/** What a run has learned about the platform. */
export interface Heard {
  readonly isDead: boolean;
  /** The most requests at the same time that the platform takes of the run. */
  readonly requests?: number | undefined;
  /** The same of requests that create accounts. */
  readonly process?: number | undefined;
}

/** `stopped`: the run drains, or has stopped the account's supplier. `overdue`: the step has taken too long. */
export type Flowed<T> = Answer<T> | { readonly kind: 'stopped' } | { readonly kind: 'overdue' };
