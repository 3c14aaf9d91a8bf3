import type { ExitCode } from '../../domain/exit-codes.ts';
import { problemRecord } from '../../report/json-records.ts';
import type { Page } from '../../report/terminal.ts';
import type { AnyCommand } from '../commander.ts';
import { limitHeap } from '../heap-limits.ts';
import {
  bomOption,
  contractOption,
  delimiterOption,
  encodingOption,
  snapshotOption,
  strictContractOption,
  withNewOption,
  withOption,
} from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('validate')
    .description('Map and check every account locally; send no request, except with --remote')
    .example('migrate validate ./export', 'migrate validate ./export --mapping mapping.yaml --json')
    .argument(
      '[export]',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input; not needed if the mapping names a database',
    )
    .addOption(withOption)
    .addOption(withNewOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'Only this import supplier; also used for accounts whose data gives none')
    .option(
      '--threads <n>',
      'Check accounts in this many threads; default: one less than there are processors',
    )
    .option('--remote', 'Also let the platform validate each account that passes; it stores nothing')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--documents <dir>', 'Look up every document path in this directory')
    .option('--problems <file>', 'Write every problem to this file, .csv or .ndjson')
    .addOption(bomOption)
    .option(
      '--rejects <path>',
      'Copy the rows of rejected accounts to this new or empty directory, or new workbook (.xlsx), to fix them for --with',
    )
    .option('--values', 'With --problems and --rejects: also write the faulty values')
    .option('--force', 'Overwrite output files of another kind');

type Flags = FlagsOf<typeof usage>;

export function validateCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (path, flags) => ended(await validate(shell, path, flags)));
}

/** `migrate validate`: maps and checks every account locally; asks the platform only with --remote. */
async function validate(shell: Shell, named: string | undefined, flags: Flags): Promise<ExitCode> {
  const { validateSummary, validateText } = await import('../../report/validate-summary.ts');
  const { checkExport } = await import('../../run/check-export.ts');
  const { placeExport } = await import('../../run/reading/place-export.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { usingExport } = await import('../using-export.ts');
  limitHeap();
  return conclude(shell, 'validate', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { snapshot, remote } = flags;
    if (remote === true)
      printer.info(
        config.baseUrl === undefined
          ? 'No platform is configured: the embedded platform validates the accounts.'
          : `The platform ${config.baseUrl} validates the accounts. Nothing is created.`,
      );
    const choice = { path: named, snapshot, config, purpose: 'read' } as const;
    const placed = await placeExport(shell, printer, choice);
    return usingExport(placed, async () => {
      const ending = await checkExport(
        shell,
        { ...flags, path: placed.path, config },
        { reporter: printer, tell: (problem) => printer.line(problemRecord(problem)) },
      );
      const { exit, errors, heldBack } = ending;
      // Programs get only the counts, which do not show it.
      if (flags.json === true && heldBack !== undefined) printer.warn(heldBack);
      const hasProblems = ending.problems.problems > 0;
      const result = {
        exit,
        errors,
        summary: validateSummary(ending),
        text: (page: Page) => validateText(page, ending, flags.rejects),
        evenIfQuiet: hasProblems,
      };
      return { result, hasProblems };
    });
  });
}
