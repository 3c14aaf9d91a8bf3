import { Usage, type FlagsOf } from '../usage.ts';

export const reportUsage = () =>
  new Usage('report')
    .description('Write what happened and what to do next, as one self-contained HTML page')
    .example('migrate report --supplier TENTACLE_ENERGY --out report.html')
    .requiredOption('--out <file>', 'File to write; - for standard output')
    .option('--supplier <code>', 'Only this import supplier; default: all of the journal, together and each')
    .option('--force', 'Overwrite a file of another kind');

export type ReportFlags = FlagsOf<typeof reportUsage>;
