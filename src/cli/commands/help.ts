import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { nearest } from '../../domain/nearest.ts';
import type { CommandResult } from '../../report/printer.ts';
import type { AnyCommand } from '../commander.ts';
import { helpTopics } from '../help-topics.ts';
import type { Shell } from '../shell.ts';
import { visibleCommands } from '../usage.ts';
import { conclude } from '../conclude.ts';
import type { HelpFlags } from '../usages/help.ts';

/** `migrate help`: lists commands and topics, or shows a command's help or a topic's guide. */
export async function help(
  shell: Shell,
  words: readonly string[],
  flags: HelpFlags,
  command: AnyCommand,
): Promise<ExitCode> {
  return conclude(shell, 'help', flags, () => helpFor(command.parent ?? command, words));
}

async function helpFor(program: AnyCommand, words: readonly string[]): Promise<CommandResult> {
  const command = commandAt(program, words);
  if (command !== undefined) {
    const text = command.helpInformation().trimEnd();
    return { exit: exitCodes.done, summary: { text }, text: () => text, evenIfQuiet: true };
  }

  const name = words.join(' ');
  const topics = helpTopics();
  const topic = topics.find((one) => one.name === name);
  if (topic !== undefined) {
    const { guideText } = await import('../../report/guide-text.ts');
    const { text } = topic;
    return {
      exit: exitCodes.done,
      summary: { text },
      text: (page) => guideText(page, text),
      evenIfQuiet: true,
    };
  }

  const known = [...visibleCommands(program).map((one) => one.name()), ...topics.map((one) => one.name)];
  const near = nearest(name, known);
  const remedy = near === undefined ? 'Run migrate help for a list.' : `Did you mean ${near}?`;
  return { exit: exitCodes.usage, errors: [`There is no command or topic '${name}'. ${remedy}`] };
}

/** The command that words lead to; the program itself without words. */
function commandAt(command: AnyCommand, [word, ...rest]: readonly string[]): AnyCommand | undefined {
  if (word === undefined) return command;
  const inner = visibleCommands(command).find((one) => one.name() === word);
  return inner === undefined ? undefined : commandAt(inner, rest);
}
