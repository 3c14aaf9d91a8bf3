import type { AnyCommand, AnyOption } from '../commander.ts';
import { stepNames } from '../../domain/steps.ts';
import { eachValue } from '../options.ts';
import { visibleCommands } from '../usage.ts';
import { parsePartialLine, splitOption, type PartialLine } from './parse-partial-line.ts';

/** A candidate word at the cursor. */
export interface Candidate {
  readonly word: string;
  /** Its description in one line; '' if the word is enough. */
  readonly description: string;
}

/**
 * Names that only the configuration or the journal knows, loaded only if needed. `given` has the options of the line.
 */
export interface Names {
  suppliers(given: PartialLine['given']): Promise<readonly string[]>;
  profiles(given: PartialLine['given']): Promise<readonly string[]>;
  topics(): readonly { readonly name: string; readonly title: string }[];
}

/**
 * The candidates at the end of a partial command line; `words` are those after the tool's own name, the last one
 * incomplete. None where the tool has nothing to offer, such as for a file's name.
 */
export async function candidates(
  program: AnyCommand,
  words: readonly string[],
  names: Names,
): Promise<readonly Candidate[]> {
  const line = parsePartialLine(program, words);
  const { current } = line;
  return (await fitting(program, line, names)).filter(({ word }) => word.startsWith(current));
}

async function fitting(program: AnyCommand, line: PartialLine, names: Names): Promise<readonly Candidate[]> {
  const { command, awaiting, current, operands, isLiteral } = line;
  if (awaiting !== undefined) return valuesOf(awaiting, line, names);
  if (!isLiteral && current.startsWith('-')) {
    const [option, value] = splitOption(command, current);
    if (value === undefined) return optionsOf(line);
    if (option === undefined) return [];
    const prefix = current.slice(0, current.length - value.length);
    const values = await valuesOf(option, { ...line, current: value }, names);
    return values.map(({ word, description }) => ({ word: `${prefix}${word}`, description }));
  }
  const inner = visibleCommands(command);
  if (inner.length > 0) return named(inner);
  if (command.name() === 'help') {
    const topics = names.topics().map(({ name, title }) => ({ word: name, description: title }));
    return [...named(visibleCommands(program)), ...topics];
  }
  const argument = command.registeredArguments[operands];
  if (argument === undefined) return optionsOf(line);
  return plain(argument.argChoices ?? []);
}

async function valuesOf(
  option: PartialLine['command']['options'][number],
  { given, current }: PartialLine,
  names: Names,
): Promise<readonly Candidate[]> {
  if (option.argChoices !== undefined) return plain(option.argChoices);
  switch (option.long) {
    case '--supplier':
      return plain(await names.suppliers(given));
    case '--profile':
      return plain(await names.profiles(given));
    case '--step':
      return plain(stepNames);
    case '--steps': {
      const others = current.slice(0, current.lastIndexOf(',') + 1);
      return plain(stepNames.map((step) => `${others}${step}`));
    }
    default:
      return [];
  }
}

function optionsOf({ command, given }: PartialLine): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => option.long !== undefined && (isRepeatable(option) || !given.has(option.long)))
    .map(({ long, description }) => ({ word: long ?? '', description }));
}

function isRepeatable(option: AnyOption): boolean {
  return option.variadic || option.parseArg === eachValue;
}

function named(commands: readonly AnyCommand[]): readonly Candidate[] {
  return commands.map((command) => ({ word: command.name(), description: command.description() }));
}

function plain(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word, description: '' }));
}
