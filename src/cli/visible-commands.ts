import type { Command } from 'commander';

/** The commands that a command has for people; not those that the tool has for itself. */
export function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}
