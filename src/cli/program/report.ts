import type { AnyCommand } from '../commander.ts';
import type { ReportFlags } from '../commands/report.ts';
import { Usage, type Action } from '../usage.ts';

export function reportUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('report')
    .description('Write what happened and what to do next, as one self-contained HTML page')
    .example('migrate report --supplier TENTACLE_ENERGY --out report.html')
    .requiredOption('--out <file>', 'File to write; - for standard output')
    .option('--supplier <code>', 'Import supplier; not needed if the journal has only one')
    .option('--force', 'Overwrite a file of another kind')
    .action(async (flags: ReportFlags) => {
      const { reportCommand } = await import('../commands/report.ts');
      ended(await reportCommand(shell, flags));
    });
}
