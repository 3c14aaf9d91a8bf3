import { Command } from 'commander';
import type { ExitCode } from '../domain/exit-codes.ts';
import { helpHint } from './help-hint.ts';
import { doctorUsage } from './program/doctor.ts';
import { explainUsage } from './program/explain.ts';
import { generateUsage } from './program/generate.ts';
import { historyUsage } from './program/history.ts';
import { initUsage } from './program/init.ts';
import { numbersUsage } from './program/numbers.ts';
import { planUsage } from './program/plan.ts';
import { resolveUsage } from './program/resolve.ts';
import { retryUsage } from './program/retry.ts';
import { runUsage } from './program/run.ts';
import { serveUsage } from './program/serve.ts';
import { showUsage } from './program/show.ts';
import { statusUsage } from './program/status.ts';
import { validateUsage } from './program/validate.ts';
import type { Shell } from './shell.ts';
import { version } from './version.ts';

/** In the order of the help. */
const commands = [
  validateUsage,
  explainUsage,
  planUsage,
  runUsage,
  statusUsage,
  showUsage,
  retryUsage,
  resolveUsage,
  historyUsage,
  numbersUsage,
  initUsage,
  doctorUsage,
  serveUsage,
  generateUsage,
];

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

  for (const usage of commands) {
    const command = usage({ shell, ended }).copyInheritedSettings(program);
    common(command);
    program.addCommand(command);
  }
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
