import type { ExitCode } from '../../domain/exit-codes.ts';
import type { Shell } from '../shell.ts';

/** What a command's action works with; `ended` is told its exit code. */
export interface Action {
  readonly shell: Shell;
  readonly ended: (exit: ExitCode) => void;
}
