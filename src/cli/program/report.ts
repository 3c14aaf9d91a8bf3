import type { ReportFlags } from '../commands/report.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function reportUsage({ shell, ended }: Action): Usage {
  return new Usage('report')
    .description('Write what happened and what to do next, as one self-contained HTML page')
    .requiredOption('--out <file>', 'File to write; - for standard output')
    .option('--supplier <code>', 'Import supplier; not needed if the journal has only one')
    .option('--force', 'Overwrite a file of another kind')
    .example('migrate report --supplier TENTACLE_ENERGY --out report.html')
    .action(async (flags: ReportFlags) => {
      const { reportCommand } = await import('../commands/report.ts');
      ended(await reportCommand(shell, flags));
    });
}
