import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { CannotGenerate, generateExport } from '../../generate/generate-export.ts';
import { counted } from '../../report/format.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import type { Shell } from '../shell.ts';

export interface GenerateFlags extends CommonFlags {
  readonly accounts: number;
  readonly seed: number;
  readonly shape: 'interface' | 'flat';
  readonly supplier: string;
}

/** `migrate generate`: writes a synthetic export. */
export function generateCommand(shell: Shell, directory: string, flags: GenerateFlags): Promise<ExitCode> {
  return conclude(shell, 'generate', flags, async (printer) => {
    const { accounts, seed, shape, supplier } = flags;
    printer.progress.begin(accounts, 'account');
    try {
      const generated = await generateExport({
        directory: resolve(shell.cwd, directory),
        accounts,
        seed,
        shape,
        supplier,
        onAccount: () => printer.progress.advance(1),
      });
      return {
        exit: exitCodes.done,
        summary: { ...generated, directory, seed, shape },
        text: () =>
          `${counted(accounts, 'account')} in ${counted(generated.files.length, 'file')}: ${directory}`,
      };
    } catch (error) {
      if (error instanceof CannotGenerate) throw new CannotStart(exitCodes.usage, error.message);
      throw error;
    }
  });
}
