import type { ReportFlags } from '../commands/report.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function reportUsage({ shell, ended }: Action): Usage {
  return new Usage('report')
    .description('what happened and what to do next, as one HTML page that needs no network')
    .requiredOption('--out <file>', 'the page to write; - for standard output')
    .option('--supplier <code>', 'the import supplier; not needed where the journal has one alone')
    .option('--force', 'overwrite a file of another kind')
    .example('migrate report --supplier TENTACLE_ENERGY --out report.html')
    .action(async (flags: ReportFlags) => {
      const { reportCommand } = await import('../commands/report.ts');
      ended(await reportCommand(shell, flags));
    });
}
