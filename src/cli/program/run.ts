import { Option, type AnyCommand } from '../commander.ts';
import type { RunFlags } from '../commands/run.ts';
import {
  contractOption,
  delimiterOption,
  encodingOption,
  maxFailures,
  port,
  stepList,
  strictContractOption,
  wholeNumber,
  withOption,
} from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function runUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('run')
    .description('Migrate every account of an export that has work left; can be stopped and run again')
    .example('migrate run ./export --dry-run', 'migrate run ./export --profile live --yes')
    .argument('<export>', 'Export directory, or one file')
    .option('--dry-run', "Use the platform's own dry run: create nothing")
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'Only this import supplier, also for accounts whose data gives none')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .option('--steps <list>', 'Only these steps, separated by commas', stepList)
    .option('--team <name>', 'Operations team of the accounts')
    .option(
      '--concurrency <n>',
      'At most this many accounts at the same time; fewer if the platform takes fewer',
    )
    .option('--rate <n>', 'At most this many requests per second')
    .option('--until <time>', 'Stop at this time of day, HH:MM')
    .option('--window <times>', 'Run only between these times of day, HH:MM-HH:MM')
    .option(
      '--time-zone <zone>',
      "Time zone of --until and --window, such as Europe/Berlin; default: the machine's",
    )
    .option('--limit <n>', 'Stop after this many accounts', wholeNumber(1))
    .option(
      '--max-failures <n>',
      'Stop after this many rejected and failed accounts, or this share (5%)',
      maxFailures,
    )
    .option('--adopt', 'Adopt accounts that the platform has and this journal did not create')
    .option(
      '--checksum',
      'Compare a completed export by the contents of its files, not by their sizes and times',
    )
    .option('--skip-unreadable', 'Run even if rows could not be read and may belong to any account')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--documents <dir>', 'Look up every document path in this directory')
    .option('--problems <file>', 'Write every problem to this file, .csv or .ndjson')
    .option(
      '--rejects <dir>',
      'Copy the rows of rejected accounts to this new or empty directory, to fix them for --with',
    )
    .option('--values', 'With --problems and --rejects: also write the values of the cells')
    .option('--log <file>', 'Append a JSON line for each event to this file')
    .addOption(
      new Option('--log-level <level>', 'Least severe level to write with --log').choices([
        'error',
        'warn',
        'info',
        'debug',
      ]),
    )
    .option(
      '--metrics-port <n>',
      'Serve Prometheus metrics on this port of the loopback interface; 0 picks a free one',
      port,
    )
    .option('--metrics-file <file>', 'Write the metrics to this file every fifteen seconds and at the end')
    .option('--force', 'Overwrite output files of another kind')
    .option('--yes', 'Do not ask for confirmation before accounts are created')
    .action(async (path: string, flags: RunFlags) => {
      const { runCommand } = await import('../commands/run.ts');
      ended(await runCommand(shell, path, flags));
    });
}
