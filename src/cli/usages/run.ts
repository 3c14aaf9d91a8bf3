import { Option } from '../commander.ts';
import {
  bomOption,
  contractOption,
  delimiterOption,
  encodingOption,
  maxFailures,
  port,
  stepList,
  snapshotOption,
  strictContractOption,
  wholeNumber,
  withNewOption,
  withOption,
} from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const runUsage = () =>
  new Usage('run')
    .description('Migrate every account of an export that has work left; can be stopped and run again')
    .example('migrate run ./export --dry-run', 'migrate run ./export --profile live --yes')
    .argument(
      '[export]',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input; not needed if the mapping names a database',
    )
    .option(
      '--plan <file>',
      'Send exactly what is in this file from plan --out; refuse to send anything else',
    )
    .option('--dry-run', "Use the platform's own dry run: create nothing")
    .addOption(withOption)
    .addOption(withNewOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'Only this import supplier; also used for accounts whose data gives none')
    .option('--threads <n>', 'Read a sorted export in this many threads on its first run; default: 1')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .option('--steps <list>', 'Only these steps, separated by commas', stepList)
    .option('--team <name>', 'Operations team of the accounts')
    .option(
      '--concurrency <n>',
      'At most this many accounts at the same time, in all runs of the book; fewer if the platform allows fewer',
    )
    .option('--rate <n>', 'At most this many requests per second, in all runs of the book')
    .option('--until <time>', 'Stop this run at this time of day, HH:MM')
    .option('--window <times>', 'Run only between these times of day, HH:MM-HH:MM')
    .option(
      '--time-zone <zone>',
      "Time zone of --until and --window, such as Europe/Berlin; default: the machine's",
    )
    .option('--limit <n>', 'Stop this run after this many accounts', wholeNumber(1))
    .option(
      '--max-failures <n>',
      'Stop all runs of the book once one of them has this many rejected and failed accounts, or this share (5%)',
      maxFailures,
    )
    .option('--adopt', 'Adopt accounts that the platform has and this journal did not create')
    .option(
      '--checksum',
      'Compare a completed export by the contents of its files, not by their sizes and times',
    )
    .option(
      '--accept-shrinkage',
      'Run unattended once although the export or a code table has shrunk by more than maxShrinkage since the last run',
    )
    .option(
      '--accept-changes',
      'Run unattended once although more than maxChanged of the completed accounts, or of the values of a code table, have changed',
    )
    .option('--skip-unreadable', 'Run even if rows could not be read and may belong to any account')
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
    .option('--yes', 'Do not ask for confirmation before accounts are created');

export type RunFlags = FlagsOf<typeof runUsage>;
