import type { ExitCode } from '../domain/exit-codes.ts';
import { messageText } from '../report/paragraph.ts';
import { helpTopics } from './help-topics.ts';
import {
  commandGroup,
  does,
  helpHint,
  Usage,
  usageError,
  withCommonOptions,
  type Declared,
} from './usage.ts';
import type { Shell } from './shell.ts';
import { completionUsage, completeUsage } from './usages/complete.ts';
import { conformanceUsage } from './usages/conformance.ts';
import { contractSchemaUsage, contractRulesUsage } from './usages/contract.ts';
import { dashboardUsage } from './usages/dashboard.ts';
import { doctorUsage } from './usages/doctor.ts';
import { explainUsage } from './usages/explain.ts';
import { generateUsage } from './usages/generate.ts';
import { helpUsage } from './usages/help.ts';
import { historyUsage } from './usages/history.ts';
import { initUsage } from './usages/init.ts';
import {
  journalCheckUsage,
  journalBackupUsage,
  journalRestoreUsage,
  journalUpgradeUsage,
  journalMoveUsage,
  journalExportUsage,
} from './usages/journal.ts';
import { listUsage } from './usages/list.ts';
import { mappingCheckUsage, mappingTestUsage } from './usages/mapping.ts';
import { meterpointsUsage } from './usages/meterpoints.ts';
import { morningUsage } from './usages/morning.ts';
import { numbersUsage } from './usages/numbers.ts';
import { planUsage } from './usages/plan.ts';
import { reconcileUsage } from './usages/reconcile.ts';
import { registerUsage } from './usages/register.ts';
import { reportUsage } from './usages/report.ts';
import { resolveUsage } from './usages/resolve.ts';
import { retryUsage } from './usages/retry.ts';
import { runUsage } from './usages/run.ts';
import { serveUsage } from './usages/serve.ts';
import { settleUsage } from './usages/settle.ts';
import { showUsage } from './usages/show.ts';
import { statusUsage } from './usages/status.ts';
import { validateUsage } from './usages/validate.ts';
import { versionAndCommit } from '../host/packaged.ts';

/** In the order of the work; the work of each is loaded when it is called. */
const groups: Readonly<Record<string, readonly Declared[]>> = {
  'Prepare:': [
    does(doctorUsage, async () => (await import('./commands/doctor.ts')).doctor),
    does(initUsage, async () => (await import('./commands/init.ts')).init),
    commandGroup('contract', "Show what a tenancy's contract decides", [
      does(contractSchemaUsage, async () => (await import('./commands/contract.ts')).contractSchema),
      does(contractRulesUsage, async () => (await import('./commands/contract.ts')).contractRules),
    ]),
    commandGroup('mapping', 'Check and test a mapping file', [
      does(mappingCheckUsage, async () => (await import('./commands/mapping.ts')).mappingCheck),
      does(mappingTestUsage, async () => (await import('./commands/mapping.ts')).mappingTest),
    ]),
    does(validateUsage, async () => (await import('./commands/validate.ts')).validate),
    does(explainUsage, async () => (await import('./commands/explain.ts')).explain),
  ],
  'Move the accounts:': [
    does(planUsage, async () => (await import('./commands/plan.ts')).plan),
    does(runUsage, async () => (await import('./commands/run.ts')).run),
  ],
  'See what happened:': [
    does(morningUsage, async () => (await import('./commands/morning.ts')).morning),
    does(statusUsage, async () => (await import('./commands/status.ts')).status),
    does(dashboardUsage, async () => (await import('./commands/dashboard.ts')).dashboard),
    does(listUsage, async () => (await import('./commands/list.ts')).list),
    does(showUsage, async () => (await import('./commands/show.ts')).show),
    does(historyUsage, async () => (await import('./commands/history.ts')).history),
  ],
  'Fix leftovers:': [
    does(retryUsage, async () => (await import('./commands/retry.ts')).retry),
    does(resolveUsage, async () => (await import('./commands/resolve.ts')).resolve),
    does(settleUsage, async () => (await import('./commands/settle.ts')).settle),
    commandGroup('journal', 'Check, copy, restore, upgrade, move and export the journal', [
      does(journalCheckUsage, async () => (await import('./commands/journal.ts')).journalCheck),
      does(journalBackupUsage, async () => (await import('./commands/journal.ts')).journalBackup),
      does(journalRestoreUsage, async () => (await import('./commands/journal.ts')).journalRestore),
      does(journalUpgradeUsage, async () => (await import('./commands/journal.ts')).journalUpgrade),
      does(journalMoveUsage, async () => (await import('./commands/journal.ts')).journalMove),
      does(journalExportUsage, async () => (await import('./commands/journal.ts')).journalExport),
    ]),
  ],
  'Hand over:': [
    does(reconcileUsage, async () => (await import('./commands/reconcile.ts')).reconcile),
    does(reportUsage, async () => (await import('./commands/report.ts')).report),
    does(numbersUsage, async () => (await import('./commands/numbers.ts')).numbers),
    does(meterpointsUsage, async () => (await import('./commands/meterpoints.ts')).meterpoints),
    does(registerUsage, async () => (await import('./commands/register.ts')).register),
  ],
  'Rehearse:': [
    does(serveUsage, async () => (await import('./commands/serve.ts')).serve),
    does(generateUsage, async () => (await import('./commands/generate.ts')).generate),
    does(conformanceUsage, async () => (await import('./commands/conformance.ts')).conformance),
  ],
  'Help and completion:': [
    does(helpUsage, async () => (await import('./commands/help.ts')).help),
    does(completionUsage, async () => (await import('./commands/complete.ts')).completion),
  ],
};

/** What the scripts of `migrate completion` call. */
const completing = does(completeUsage, async () => (await import('./commands/complete.ts')).complete);

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
  program.addCommand(completing({ shell, ended }), { hidden: true });
  return program;
}
