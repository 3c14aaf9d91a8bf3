import type { Command } from 'commander';

/** The commands that a command has for people; not those that the tool has for itself. */
export function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

/** Every command that does something, those within others too. */
export function leafCommands(command: Command): readonly Command[] {
  const inner = visibleCommands(command);
  return inner.length === 0 ? [command] : inner.flatMap(leafCommands);
}
