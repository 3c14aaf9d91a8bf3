import type { ExitCode } from '../../domain/exit-codes.ts';

/** What one check of `doctor` found. */
export interface Finding {
  readonly check: 'configuration' | 'secrets' | 'journal' | 'reachability' | 'clock' | 'token';
  /** `skipped`: there was nothing to look at. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What is so, in one sentence. */
  readonly detail: string;
  /** What to do; absent where nothing is to be done. */
  readonly remedy?: string;
  /** The exit code that a run would end with; for what failed. */
  readonly exit?: ExitCode;
}
