import type { Clock } from '../../src/domain/clock.ts';
import { run } from '../../src/cli/run-program.ts';
import { systemShell } from '../../src/cli/shell.ts';
import { seen } from '../report/fixture.ts';

/** What a person sees of a command in a terminal that is so wide, from the command line to its exit code. */
export async function screenOf(
  args: readonly string[],
  where: {
    readonly directory: string;
    readonly columns: number;
    readonly env?: Record<string, string>;
    readonly clock?: Clock;
  },
): Promise<string> {
  const { directory, columns, env = {}, clock } = where;
  let written = '';
  // Standard output and standard error share the screen.
  const terminal = { write: (text: string) => ((written += text), true), isTTY: true, columns, rows: 50 };
  const code = await run(
    {
      ...systemShell(),
      ...(clock === undefined ? {} : { clock }),
      ...{ stdout: terminal, stderr: terminal, env: { NO_COLOR: '1', MIGRATE_TIME_ZONE: 'UTC', ...env } },
      ...{ cwd: directory, interactive: false },
    },
    args,
  );
  const lines = seen(written).map((line) => line.trimEnd());
  return [`$ migrate ${args.join(' ')}`, lines.join('\n').trimEnd(), `[exit ${code}]`].join('\n');
}

/** A clock that stands at this time (ms since the epoch). */
export function standing(at: number): Clock {
  return { now: () => at, monotonic: () => at, sleep: () => new Promise(() => undefined) };
}

/** The file of what people see in a terminal that is so wide. */
export function kept(name: string, columns: number): string {
  return `golden/${name}.${columns}.txt`;
}
