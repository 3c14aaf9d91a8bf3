import { CommanderError } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';
import type { Usage } from '../../src/cli/usage.ts';
import { systemShell } from '../../src/cli/shell.ts';
import { leafCommands } from '../../src/cli/usage.ts';

/** The program as it is, which says nothing and does nothing when it is called. */
export function idleProgram(): Usage {
  const silent = { write: () => true };
  const program = makeProgram({ ...systemShell(), stdout: silent, stderr: silent }, () => undefined);
  for (const command of leafCommands(program)) command.action(() => undefined);
  return program;
}

/** Every `migrate ...` of a piece of shell, without what surrounds it. */
export function commandLines(shell: string): readonly string[] {
  const calls = shell
    .replaceAll(/\\\n\s*/g, ' ')
    .matchAll(/(?:^|[\s(]|bin\/)migrate(?![\w./-])((?: [^\n|;&)>#]*)?)/g);
  return [...calls].map(([, line = '']) => line.trim());
}

/** What the real definition of the command line objects to in a line; undefined where it is right. */
export async function objectionTo(line: string): Promise<string | undefined> {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  try {
    await idleProgram().parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    return `migrate ${line}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
