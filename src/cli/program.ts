import type { AnyCommand } from './commander.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { messageText } from '../report/paragraph.ts';
import { helpTopics } from './help-topics.ts';
import { conformanceUsage } from './commands/conformance.ts';
import { completeUsage } from './program/complete.ts';
import { completionUsage } from './program/completion.ts';
import { contractUsage } from './program/contract.ts';
import { doctorUsage } from './program/doctor.ts';
import { explainUsage } from './program/explain.ts';
import { generateUsage } from './program/generate.ts';
import { helpUsage } from './program/help.ts';
import { historyUsage } from './program/history.ts';
import { initUsage } from './program/init.ts';
import { listUsage } from './program/list.ts';
import { journalUsage } from './program/journal.ts';
import { numbersUsage } from './program/numbers.ts';
import { planUsage } from './program/plan.ts';
import { reconcileUsage } from './program/reconcile.ts';
import { reportUsage } from './program/report.ts';
import { resolveUsage } from './program/resolve.ts';
import { retryUsage } from './program/retry.ts';
import { runUsage } from './program/run.ts';
import { serveUsage } from './program/serve.ts';
import { showUsage } from './program/show.ts';
import { statusUsage } from './program/status.ts';
import { helpHint, Usage, withCommonOptions, type Action } from './usage.ts';
import { validateUsage } from './program/validate.ts';
import type { Shell } from './shell.ts';
import { version } from '../app/system/version.ts';

/** In the order of the work. */
const groups: Readonly<Record<string, readonly ((action: Action) => AnyCommand)[]>> = {
  'Prepare:': [doctorUsage, initUsage, contractUsage, validateUsage, explainUsage],
  'Move the accounts:': [planUsage, runUsage],
  'See what happened:': [statusUsage, listUsage, showUsage, historyUsage],
  'Fix leftovers:': [retryUsage, resolveUsage, journalUsage],
  'Hand over:': [reconcileUsage, reportUsage, numbersUsage],
  'Rehearse:': [serveUsage, generateUsage, conformanceUsage],
  'Help and completion:': [helpUsage, completionUsage],
};

/**
 * The command line. A command's work is loaded only when it is called, so that `--help` is quick; `ended` is told its
 * exit code.
 */
export function makeProgram(shell: Shell, ended: (exit: ExitCode) => void): Usage {
  const program = new Usage('migrate')
    .description(
      'Migrate customer accounts in bulk from an old system to a billing platform. Runs can be resumed.',
    )
    .version(version(), '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError(helpHint)
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void shell.stderr.write(text),
      outputError: (text, write) => write(messageText(text, shell.stderr.columns)),
      getOutHelpWidth: () => shell.stdout.columns ?? 80,
      getErrHelpWidth: () => shell.stderr.columns ?? 80,
    })
    .example('migrate validate ./export', 'migrate run ./export')
    .exitOverride();
  program.topics = helpTopics;

  for (const [group, usages] of Object.entries(groups)) {
    program.commandsGroup(group);
    for (const usage of usages) {
      const command = usage({ shell, ended }).copyInheritedSettings(program);
      for (const inner of command.commands) withCommonOptions(inner.copyInheritedSettings(command));
      if (command.commands.length === 0) withCommonOptions(command);
      program.addCommand(command);
    }
  }
  program.addCommand(completeUsage({ shell, ended }), { hidden: true });
  return program;
}
