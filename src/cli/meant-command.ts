import type { AnyCommand } from './commander.ts';

/** Names under which people look for commands, with the group in which they look, and what to run instead. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ['check', 'migrate validate'],
  ['config', 'migrate doctor'],
  ['continue', 'migrate run'],
  ['create', 'migrate init'],
  ['diff', 'migrate explain --diff'],
  ['dry-run', 'migrate run --dry-run'],
  ['errors', 'migrate list'],
  ['import', 'migrate run'],
  ['log', 'migrate history'],
  ['new', 'migrate init'],
  ['problems', 'migrate validate --problems'],
  ['resume', 'migrate run'],
  ['runs', 'migrate history'],
  ['start', 'migrate run'],
  ['test', 'migrate validate'],
  ['verify', 'migrate reconcile'],
  ['contract check', 'migrate validate --contract'],
  ['contract validate', 'migrate validate --contract'],
  ['mapping create', 'migrate init'],
  ['mapping diff', 'migrate explain --diff'],
  ['mapping generate', 'migrate init'],
  ['mapping lint', 'migrate mapping check'],
  ['mapping new', 'migrate init'],
  ['mapping validate', 'migrate mapping check'],
]);

/** The command that an unknown one of `parent` most likely means, if it is elsewhere or has another name. */
export function meantCommand(parent: AnyCommand, name: string): string | undefined {
  const root = parent.parent ?? parent;
  const known = otherNames.get(parent === root ? name : `${parent.name()} ${name}`);
  if (known !== undefined) return known;
  const found = [root, ...root.commands]
    .flatMap((group) => group.createHelp().visibleCommands(group))
    .find((command) => command.name() === name);
  return found === undefined ? undefined : pathOf(found);
}

function pathOf(command: AnyCommand): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
