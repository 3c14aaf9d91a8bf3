import type { ExitCode } from '../../domain/exit-codes.ts';

/** The result of one check of `doctor`. */
export interface Finding {
  readonly check: 'configuration' | 'secrets' | 'journal' | 'reachability' | 'clock' | 'token';
  /** `skipped`: there was nothing to check. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** The finding, in one sentence. */
  readonly detail: string;
  /** The remedy; absent if nothing is to be done. */
  readonly remedy?: string;
  /** The exit code of a run with this fault. */
  readonly exit?: ExitCode;
}
