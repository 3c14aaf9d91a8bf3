/** A request's body is larger than a gateway, or the setting `bytesPerRequest`, allows. */
export const requestTooLarge = 'request_too_large';

/** The largest bodies of a run, if a gateway refused one for its size. */
export interface BodyLimit {
  /** The smallest body that was refused, in bytes. */
  readonly refusedBytes: number;
  /** The largest body that came through, in bytes; 0 if none did. */
  readonly acceptedBytes: number;
}

/** What an earlier run found. */
export interface LearntBodyLimit extends BodyLimit {
  readonly run: number;
}
