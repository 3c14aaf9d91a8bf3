import { systemShell, type Shell } from '../../src/cli/shell.ts';
import { run } from '../../src/cli/run-program.ts';
import type { Ended } from './tool.ts';

/** Runs the command line within this process, as it is in the sources: nobody is at the terminal. */
export async function ranHere(
  args: readonly string[],
  cwd: string,
  own: Partial<Shell> = {},
): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const code = await run(
    {
      ...systemShell(),
      stdout: { write: (text) => ((stdout += text), true) },
      stderr: { write: (text) => ((stderr += text), true) },
      env: {},
      cwd,
      interactive: false,
      ...own,
    },
    args,
  );
  return { code, stdout, stderr };
}
