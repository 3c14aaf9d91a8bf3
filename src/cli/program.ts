import { Command, Option } from 'commander';
import type { ExitCode } from '../domain/exit-codes.ts';
import type { CommonFlags } from './common-flags.ts';
import type { ExplainFlags } from './commands/explain.ts';
import type { GenerateFlags } from './commands/generate.ts';
import type { HistoryFlags } from './commands/history.ts';
import type { ResolveFlags } from './commands/resolve.ts';
import type { RetryFlags } from './commands/retry.ts';
import type { RunFlags } from './commands/run.ts';
import type { ServeFlags } from './commands/serve.ts';
import type { ShowFlags } from './commands/show.ts';
import type { StatusFlags } from './commands/status.ts';
import type { ValidateFlags } from './commands/validate.ts';
import { maxFailures, operatorChange, stepList, stepName, wholeNumber } from './flag-values.ts';
import { helpHint } from './help-hint.ts';
import type { Shell } from './shell.ts';
import { version } from './version.ts';

/**
 * The command line. A command's work is loaded only when it is called, so that `--help` is quick; `ended` is told its
 * exit code.
 */
export function makeProgram(shell: Shell, ended: (exit: ExitCode) => void): Command {
  const program = new Command('migrate')
    .description(
      'Moves customer accounts in bulk out of an old system and onto a billing platform, resumably.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showSuggestionAfterError()
    .showHelpAfterError(helpHint)
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void shell.stderr.write(text),
      getOutHelpWidth: () => shell.stdout.columns ?? 80,
      getErrHelpWidth: () => shell.stderr.columns ?? 80,
    })
    .exitOverride();

  program
    .command('validate')
    .description('map and check every account locally; no request is sent')
    .argument('<export>', 'export directory, or one file')
    .option('--mapping <file>', 'mapping file; not needed for the two built-in shapes')
    .option('--supplier <code>', 'take this import supplier alone, and name it where the data gives none')
    .option('--contract <file>', "the tenancy's own OpenAPI contract, to be kept too")
    .option('--documents <dir>', 'look every document path up in this directory')
    .option('--problems <file>', 'write every problem to this file, .csv or .ndjson')
    .option(
      '--rejects <dir>',
      'copy the rows of rejected accounts to this directory, to be fixed and fed back',
    )
    .addHelpText(
      'after',
      example('migrate validate ./export', 'migrate validate ./export --mapping mapping.yaml --json'),
    )
    .action(async (path: string, flags: ValidateFlags) => {
      const { validateCommand } = await import('./commands/validate.ts');
      ended(await validateCommand(shell, path, flags));
    });

  program
    .command('explain')
    .description('the payloads that mapping builds for one account, each value with the cell it came from')
    .argument('<export>', 'export directory, or one file')
    .argument('<account>', 'external account number')
    .option('--mapping <file>', 'mapping file; not needed for the two built-in shapes')
    .option('--supplier <code>', 'names the import supplier where the data gives none')
    .addHelpText('after', example('migrate explain ./export EXT-000042 --mapping mapping.yaml'))
    .action(async (path: string, account: string, flags: ExplainFlags) => {
      const { explainCommand } = await import('./commands/explain.ts');
      ended(await explainCommand(shell, path, account, flags));
    });

  program
    .command('run')
    .description('drive every account of an export that has work left; can be stopped and run again')
    .argument('<export>', 'export directory, or one file')
    .option('--dry-run', "the platform's own dry run: creates nothing")
    .option('--mapping <file>', 'mapping file; not needed for the two built-in shapes')
    .option('--supplier <code>', 'take this import supplier alone, and name it where the data gives none')
    .option('--accounts <file>', 'take the external account numbers of this file alone, one a line')
    .option('--steps <list>', 'drive these steps alone, separated by commas', stepList)
    .option('--team <name>', 'operations team of the accounts')
    .option('--concurrency <n>', 'accounts side by side, at most')
    .option('--limit <n>', 'stop after this many accounts', wholeNumber(1))
    .option(
      '--max-failures <n>',
      'stop after this many rejected and failed accounts, or this share (5%)',
      maxFailures,
    )
    .option('--adopt', 'go on with accounts that the platform has though this journal did not create them')
    .option('--skip-unreadable', 'run although rows could not be read and may belong to any account')
    .option('--contract <file>', "the tenancy's own OpenAPI contract, to be kept too")
    .option('--documents <dir>', 'look every document path up in this directory')
    .option('--problems <file>', 'write every problem to this file, .csv or .ndjson')
    .option(
      '--rejects <dir>',
      'copy the rows of rejected accounts to this directory, to be fixed and fed back',
    )
    .option('--yes', 'do not ask before accounts are created')
    .addHelpText(
      'after',
      example('migrate run ./export --dry-run', 'migrate run ./export --profile live --yes'),
    )
    .action(async (path: string, flags: RunFlags) => {
      const { runCommand } = await import('./commands/run.ts');
      ended(await runCommand(shell, path, flags));
    });

  program
    .command('status')
    .description('progress from the journal')
    .option('--supplier <code>', 'this import supplier alone')
    .option('--account <number>', 'one account')
    .addHelpText('after', example('migrate status --supplier TENTACLE_ENERGY'))
    .action(async (flags: StatusFlags) => {
      const { statusCommand } = await import('./commands/status.ts');
      ended(await statusCommand(shell, flags));
    });

  program
    .command('show')
    .description("one account's whole history: steps, attempts, answers, source cells")
    .argument('<account>', 'external account number')
    .option('--supplier <code>', 'its import supplier; needed where the journal knows several')
    .addHelpText('after', example('migrate show EXT-000042 --supplier TENTACLE_ENERGY'))
    .action(async (account: string, flags: ShowFlags) => {
      const { showCommand } = await import('./commands/show.ts');
      ended(await showCommand(shell, account, flags));
    });

  program
    .command('retry')
    .description('put rejected and failed accounts back in line; the next run sends them as they are')
    .option('--supplier <code>', 'of this import supplier alone')
    .addOption(
      new Option('--state <state>', 'of accounts in this state alone')
        .choices(['rejected', 'failed', 'both'])
        .default('both'),
    )
    .option('--code <code>', 'of accounts with this code alone')
    .option('--step <step>', 'what was refused or failed in this step alone', stepName)
    .option('--accounts <file>', 'of the external account numbers of this file alone, one a line')
    .addHelpText('after', example('migrate retry --supplier TENTACLE_ENERGY --step payment-instruction'))
    .action(async (flags: RetryFlags) => {
      const { retryCommand } = await import('./commands/retry.ts');
      ended(await retryCommand(shell, flags));
    });

  program
    .command('resolve')
    .description(
      'your ruling on an uncertain step: its effect is there (done), or it is to be sent again (repeat)',
    )
    .argument('[account]', 'external account number')
    .requiredOption('--step <step>', 'the uncertain step', stepName)
    .addOption(new Option('--as <ruling>', 'the ruling').choices(['done', 'repeat']).makeOptionMandatory())
    .option('--number <number>', 'the account number that the platform gave, for process as done')
    .option('--accounts <file>', 'many at once: external account numbers, one a line')
    .option('--supplier <code>', 'of this import supplier alone')
    .addHelpText('after', example('migrate resolve EXT-000042 --step agreements --as done'))
    .action(async (account: string | undefined, flags: ResolveFlags) => {
      const { resolveCommand } = await import('./commands/resolve.ts');
      ended(await resolveCommand(shell, account, flags));
    });

  program
    .command('history')
    .description('runs so far, newest first')
    .option('--limit <n>', 'this many', wholeNumber(1), 20)
    .addHelpText('after', example('migrate history'))
    .action(async (flags: HistoryFlags) => {
      const { historyCommand } = await import('./commands/history.ts');
      ended(await historyCommand(shell, flags));
    });

  program
    .command('init')
    .description("write a mapping and a .migraterc to begin with, guessed from an export's files")
    .argument('[dir]', 'export directory, or one file', '.')
    .addHelpText('after', example('migrate init ./export'))
    .action(async (directory: string, flags: CommonFlags) => {
      const { initCommand } = await import('./commands/init.ts');
      ended(await initCommand(shell, directory, flags));
    });

  program
    .command('serve')
    .description('the embedded platform on a port of this machine, for rehearsals')
    .option('--port <n>', '0 picks a free one', wholeNumber(0), 0)
    .option('--state <file>', 'where it keeps its state; in memory where this is not given')
    .option('--operator <file>', 'operator file: suppliers, teams, faults and the rest')
    .option('--set <key=value...>', 'one decision of the operator, over the file', operatorChange, {})
    .option('--control', "open the operator's own endpoints, to change decisions while it runs")
    .option('--log <file>', 'add a line to this file for each request, without customer data')
    .addOption(new Option('--attached', 'end when standard input ends').hideHelp())
    .addHelpText(
      'after',
      example(
        'migrate serve --port 4010 --state platform.db --operator operator.yaml',
        'migrate serve --set suppliers.TENTACLE_ENERGY.status=Paused --control',
      ),
    )
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('./commands/serve.ts');
      ended(await serveCommand(shell, flags));
    });

  program
    .command('generate')
    .description('a synthetic export with every field and step in it, the same for the same seed')
    .argument('<dir>', 'a new or empty directory')
    .option('--accounts <n>', 'how many', wholeNumber(1), 50)
    .option('--seed <n>', 'what it grows from', wholeNumber(0), 1)
    .addOption(
      new Option('--shape <shape>', "the interface's own records, or flat CSV")
        .choices(['interface', 'flat'])
        .default('interface'),
    )
    .option('--supplier <code>', 'import supplier of the accounts', 'TENTACLE_ENERGY')
    .addHelpText('after', example('migrate generate ./export --accounts 1000 --seed 7 --shape flat'))
    .action(async (directory: string, flags: GenerateFlags) => {
      const { generateCommand } = await import('./commands/generate.ts');
      ended(await generateCommand(shell, directory, flags));
    });

  for (const command of program.commands) common(command);
  return program;
}

/** What every command takes stands after what is its own. */
function common(command: Command): void {
  command
    .option('--json', 'JSON lines on standard output; the last one is the summary')
    .option('--quiet', 'no progress and no messages but errors')
    .option('--verbose', 'more messages')
    .option('--no-color', 'no colours')
    .option('--config <file>', 'configuration file, in place of the .migraterc found upward from here')
    .option('--profile <name>', 'profile of the configuration')
    .option('--journal <file>', 'journal, in place of .migrate/journal.db');
}

function example(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
