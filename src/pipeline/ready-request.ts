/** A request of a further step as it is sent where nothing of the step was sent before. */
export interface ReadyRequest {
  /** Serialised JSON, as text or in UTF-8. */
  readonly body: string | Buffer;
  /** What the journal knows it by. */
  readonly hash: string;
  /** What it carries, as `writeMoney` has it. */
  readonly money: string | undefined;
  /** How many items of the step's array it holds; 1 where a payload is sent whole. */
  readonly items: number;
  /** Prints of its items (steps/item-prints.ts); absent where a changed item is another one. */
  readonly prints?: string | undefined;
}
