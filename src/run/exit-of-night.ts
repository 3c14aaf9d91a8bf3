import { exitCodeOf } from '../domain/exit-codes.ts';
import { endedWell } from '../domain/stop-reason.ts';
import type { RunEnding } from '../report/ending.ts';
import type { NightTold } from '../telemetry/run-observer.ts';

type Judged = Pick<RunEnding, 'run' | 'exit' | 'errors' | 'stopped'>;

/**
 * The end of a run that nobody attends, with what `migrate morning` says of its night. Where the run ended as it was told to and the
 * night is not good, its exit code is that of `morning` too, and an error says why: a scheduler notices nothing else.
 */
export function withNight<Ending extends Judged>(
  ending: Ending,
  night: NightTold | undefined,
): Ending & Pick<RunEnding, 'night'> {
  // Another run of the night may go on.
  if (night === undefined || night.run !== ending.run || night.reason === 'running') return ending;
  const told = { ...ending, night: { good: night.good, reason: night.reason } };
  if (night.good || !endedWell(ending.exit, ending.stopped?.reason)) return told;
  const exit = exitCodeOf([ending.exit, night.exit]);
  return exit === ending.exit ? told : { ...told, exit, errors: [...ending.errors, night.headline] };
}
