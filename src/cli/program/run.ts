import { Option } from 'commander';
import type { RunFlags } from '../commands/run.ts';
import { maxFailures, port, stepList, wholeNumber } from '../flag-values.ts';
import type { Action } from './action.ts';
import { delimiterOption, encodingOption } from './format-options.ts';
import { Usage } from './usage.ts';
import { withOption } from './with-option.ts';

export function runUsage({ shell, ended }: Action): Usage {
  return new Usage('run')
    .description('drive every account of an export that has work left; can be stopped and run again')
    .argument('<export>', 'export directory, or one file')
    .option('--dry-run', "the platform's own dry run: creates nothing")
    .addOption(withOption())
    .option('--mapping <file>', 'mapping file; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'take this import supplier alone, and name it where the data gives none')
    .option('--accounts <file>', 'take the external account numbers of this file alone, one a line')
    .option('--steps <list>', 'drive these steps alone, separated by commas', stepList)
    .option('--team <name>', 'operations team of the accounts')
    .option('--concurrency <n>', 'accounts side by side, at most; fewer where the platform takes fewer')
    .option('--rate <n>', 'requests per second, at most')
    .option('--until <time>', 'stop at this time of day, HH:MM')
    .option('--window <times>', 'work between these times of day alone, HH:MM-HH:MM')
    .option(
      '--time-zone <zone>',
      "of --until and --window, such as Europe/Berlin; the machine's own by default",
    )
    .option('--limit <n>', 'stop after this many accounts', wholeNumber(1))
    .option(
      '--max-failures <n>',
      'stop after this many rejected and failed accounts, or this share (5%)',
      maxFailures,
    )
    .option('--adopt', 'go on with accounts that the platform has though this journal did not create them')
    .option(
      '--checksum',
      'tell whether a finished export has changed by what its files hold, not by their size and times',
    )
    .option('--skip-unreadable', 'run although rows could not be read and may belong to any account')
    .option('--contract <file>', 'also check payloads against this OpenAPI contract')
    .option('--documents <dir>', 'look every document path up in this directory')
    .option('--problems <file>', 'write every problem to this file, .csv or .ndjson')
    .option(
      '--rejects <dir>',
      'copy the rows of rejected accounts to this directory, new or empty, to be fixed and fed back',
    )
    .option('--values', 'with --problems and --rejects: also write what the cells hold')
    .option('--log <file>', 'write a line of JSON for each thing that happens to this file')
    .addOption(
      new Option('--log-level <level>', 'how much of it').choices(['error', 'warn', 'info', 'debug']),
    )
    .option('--metrics-port <n>', 'serve Prometheus metrics on this port of loopback; 0 picks one', port)
    .option('--metrics-file <file>', 'write the metrics to this file now and then, and at the end')
    .option('--force', 'overwrite output files that are there and of another kind')
    .option('--yes', 'do not ask before accounts are created')
    .example('migrate run ./export --dry-run', 'migrate run ./export --profile live --yes')
    .action(async (path: string, flags: RunFlags) => {
      const { runCommand } = await import('../commands/run.ts');
      ended(await runCommand(shell, path, flags));
    });
}
