import type { AnyCommand } from './commander.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { messageText } from '../report/paragraph.ts';
import { helpTopics } from './help-topics.ts';
import { completeCommand, completionCommand } from './commands/complete.ts';
import { conformanceCommand } from './commands/conformance.ts';
import { contractCommand } from './commands/contract.ts';
import { dashboardCommand } from './commands/dashboard.ts';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { generateCommand } from './commands/generate.ts';
import { helpCommand } from './commands/help.ts';
import { historyCommand } from './commands/history.ts';
import { initCommand } from './commands/init.ts';
import { journalCommand } from './commands/journal.ts';
import { listCommand } from './commands/list.ts';
import { mappingCommand } from './commands/mapping.ts';
import { morningCommand } from './commands/morning.ts';
import { numbersCommand } from './commands/numbers.ts';
import { planCommand } from './commands/plan.ts';
import { reconcileCommand } from './commands/reconcile.ts';
import { reportCommand } from './commands/report.ts';
import { resolveCommand } from './commands/resolve.ts';
import { retryCommand } from './commands/retry.ts';
import { runCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';
import { settleCommand } from './commands/settle.ts';
import { showCommand } from './commands/show.ts';
import { statusCommand } from './commands/status.ts';
import { helpHint, Usage, usageError, withCommonOptions, type Action } from './usage.ts';
import { validateCommand } from './commands/validate.ts';
import type { Shell } from './shell.ts';
import { versionAndCommit } from '../host/packaged.ts';

/** In the order of the work. */
const groups: Readonly<Record<string, readonly ((action: Action) => AnyCommand)[]>> = {
  'Prepare:': [doctorCommand, initCommand, contractCommand, mappingCommand, validateCommand, explainCommand],
  'Move the accounts:': [planCommand, runCommand],
  'See what happened:': [
    morningCommand,
    statusCommand,
    dashboardCommand,
    listCommand,
    showCommand,
    historyCommand,
  ],
  'Fix leftovers:': [retryCommand, resolveCommand, settleCommand, journalCommand],
  'Hand over:': [reconcileCommand, reportCommand, numbersCommand],
  'Rehearse:': [serveCommand, generateCommand, conformanceCommand],
  'Help and completion:': [helpCommand, completionCommand],
};

/**
 * The command line. A command's work is loaded only when it is called, so that `--help` is quick; `ended`
 * receives its exit code.
 */
export function makeProgram(shell: Shell, ended: (exit: ExitCode) => void, hint = helpHint): Usage {
  const program = new Usage('migrate')
    .description(
      'Migrate customer accounts in bulk from an old system to a billing platform. Runs can be resumed.',
    )
    .version(versionAndCommit(), '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void shell.stderr.write(text),
      outputError: (text, write) =>
        write(`${messageText(usageError(text, hint), shell.stderr.columns, 'error: ')}\n`),
      getOutHelpWidth: () => shell.stdout.columns ?? 80,
      getErrHelpWidth: () => shell.stderr.columns ?? 80,
    })
    .example('migrate validate ./export', 'migrate run ./export')
    .exitOverride();
  program.topics = helpTopics;

  for (const [group, declared] of Object.entries(groups)) {
    program.commandsGroup(group);
    for (const declare of declared) {
      const command = declare({ shell, ended }).copyInheritedSettings(program);
      for (const inner of command.commands) withCommonOptions(inner.copyInheritedSettings(command));
      if (command.commands.length === 0) withCommonOptions(command);
      program.addCommand(command);
    }
  }
  program.addCommand(completeCommand({ shell, ended }), { hidden: true });
  return program;
}
