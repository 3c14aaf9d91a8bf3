import { readFile } from 'node:fs/promises';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { packaged } from '../../app/system/packaged.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import type { Shell } from '../shell.ts';

/** `migrate completion`: prints the completion script of a shell. */
export function completionCommand(shell: Shell, name: string, flags: CommonFlags): Promise<ExitCode> {
  return conclude(shell, 'completion', flags, async () => {
    const script = await readFile(packaged(`completions/migrate.${name}`), 'utf8');
    return { exit: exitCodes.done, summary: { script }, text: () => script.trimEnd() };
  });
}
