import type { Answer } from '../../client/platform-client.ts';
import type { MinorUnits } from '../../contract/money.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { ExtraStepName, StepName } from '../../domain/steps.ts';
import type { AccountEntry, PartEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';

/** A place in the payloads of a step. */
export interface ItemPlace {
  readonly path: string;
  /** One of the step's payloads, from zero. */
  readonly request: number;
}

/** Which entry of the journal each item of an account's further steps was sent with. */
export interface SentItems {
  /** The entry that sent what has this place; undefined if nothing of it was sent. */
  of(place: ItemPlace & { readonly step: StepName }): PartEntry | undefined;
  /** Where what an entry sent begins; undefined if the export does not have it as it was sent. */
  placeOf(entry: PartEntry): ItemPlace | undefined;
  /** Whether all that the platform may have of a step is in the export as it was sent. */
  isWhole(step: ExtraStepName): boolean;
}

/** An account of which requests have an unknown effect. */
export interface AccountInDoubt {
  /** Its platform number. */
  readonly number: string;
  readonly entry: AccountEntry;
  readonly payload: () => JsonObject;
  readonly extras: AccountPlan['extras'];
  readonly minorUnits?: MinorUnits | undefined;
  /** The data of the account is what it was created from. */
  readonly isAsCreated: boolean;
  readonly sentBy: SentItems;
  /** The requests: all are in the export as they were sent. */
  readonly asked: readonly PartEntry[];
  /** Whether a request that is not seen may count as absent. */
  readonly mayBeAbsent: boolean;
}

/**
 * What reading shows of a request. `doubled`: it is there, and once more than expected. `absent`: it can be sent again.
 * `seen`: what was seen of one that stays unknown; absent if nothing could be read.
 */
export interface FoundByReading {
  readonly part: PartEntry;
  readonly decision: 'done' | 'doubled' | 'absent' | 'unknown';
  readonly seen?: 'missing' | 'unclear';
}

/** How the questions of a run, or of a command, reach the platform. Whatever is stopped gives undefined, or false. */
export interface ReadingWay {
  /** The account's number as the platform has it now, over a connection of its own. */
  readonly number: () => Promise<string | undefined>;
  /** Sends one GraphQL query. */
  readonly post: (body: string, path: string | undefined) => Promise<Answer<JsonValue> | undefined>;
  readonly discardToken: (tokenId: number) => void;
  /** Waits before a question is asked again; `tries` from 1, `askedMs` is the platform's wish. */
  readonly pause: (tries: number, askedMs: number | undefined) => Promise<void>;
  /** How long one of the requests may still be under way, in ms. */
  readonly quietMs: () => number;
  readonly wait: (ms: number) => Promise<boolean>;
}

/** Finds out by reading what became of requests. Reads nothing else, and changes nothing. */
export interface ByReading {
  find(account: AccountInDoubt, way: ReadingWay): Promise<readonly FoundByReading[]>;
}
