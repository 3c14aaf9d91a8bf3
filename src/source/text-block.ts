/** A piece of a file as UTF-8, never cut within a character or within CRLF. */
export interface TextBlock {
  readonly bytes: Buffer;
  /** Positions in `bytes` of each U+FFFD that replaces an invalid byte. */
  readonly invalid: readonly number[];
}
