import type { Printer } from '../report/printer.ts';
import type { Progress } from '../report/progress.ts';

/** Receives messages and progress. */
export interface Reporter extends Pick<Printer, 'info' | 'detail' | 'warn'> {
  readonly progress: Pick<Progress, 'begin' | 'advance' | 'note'>;
}
