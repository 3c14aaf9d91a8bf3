import type { PostEndpoint } from '../../client/platform-client.ts';
import type { TransactionsQuery } from '../../contract/schemas/transactions.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { PartPolicy } from '../request/part.ts';
import type { ReadyRequest } from '../request/ready-request.ts';
import type { Marks } from './item-prints.ts';
import type { RequestItems } from './sent-items.ts';

/** A step whose payload is one array, sent in several requests if it is long. */
export interface ItemsStep {
  readonly kind: 'items';
  readonly step: ExtraStepName;
  readonly endpoint: PostEndpoint;
  /** The payload's array: notes, transactions or statements. */
  readonly array: string;
  /** The most items in one request. */
  readonly size: number;
  readonly query?: TransactionsQuery;
  policy(sent: RequestItems): PartPolicy;
  /**
   * Whether the item is sent in a request of its own: nothing shows what of a refused request was done before
   * the refusal.
   */
  isAlone(item: JsonObject): boolean;
  /** How a changed item is recognised; absent if a changed item counts as another one. */
  readonly marks?: Marks;
  /** Whether the platform would take one item for the other. */
  readonly isLike?: (item: JsonObject, other: JsonObject) => boolean;
  /** Whether its items have ids, so that it can be said which field of which item changed. */
  readonly hasIds?: true;
  /** What names an item in other payloads of the account too. */
  readonly nameOf?: (item: JsonObject) => string | undefined;
  /** Whether items of a request that was refused with this code may be on the platform all the same. */
  readonly keepsEarlier?: (code: string) => boolean;
  /** Whether the platform recognises an existing item, so that sending it again has no second effect. */
  isRecognised(item: JsonObject): boolean;
}

/** A range of items in one request: [from, to). */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly prior?: PartEntry;
  /** Its part number in the journal, if it has one. */
  readonly number?: number;
  /** Whether a refused request may have added some of them. */
  readonly mayBeThere?: true | undefined;
  /** It was part of a request that was refused as a whole. */
  readonly isSplit?: true;
  /** The request, if it was prepared. */
  readonly ready?: ReadyRequest;
}
