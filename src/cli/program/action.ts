import type { ExitCode } from '../../domain/exit-codes.ts';
import type { Shell } from '../shell.ts';

/** The context of a command's action; `ended` receives its exit code. */
export interface Action {
  readonly shell: Shell;
  readonly ended: (exit: ExitCode) => void;
}
