import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { isServerAddress } from '../../domain/journal-name.ts';
import { stepNames } from '../../domain/steps.ts';
import { type AnyCommand, type AnyOption } from '../commander.ts';
import { helpTopics } from '../help-topics.ts';
import { eachValue } from '../options.ts';
import type { Shell } from '../shell.ts';
import { visibleCommands, type CommonFlags } from '../usage.ts';
import { readFile } from 'node:fs/promises';
import { packaged } from '../../host/packaged.ts';

/** `migrate completion`: prints the completion script of a shell. */
export async function completion(shell: Shell, name: string, flags: CommonFlags): Promise<ExitCode> {
  const { conclude } = await import('../conclude.ts');
  return conclude(shell, 'completion', flags, async () => {
    const script = await readFile(packaged(`completions/migrate.${name}`), 'utf8');
    return { exit: exitCodes.done, summary: { script }, text: () => script.trimEnd(), evenIfQuiet: true };
  });
}

/**
 * `migrate complete`, which the scripts of `migrate completion` call: one candidate per line, with a tab before its
 * description. Loads code only for names that need it, because a person waits.
 */
export async function complete(
  shell: Shell,
  words: readonly string[],
  { newWord: isNew = false }: { readonly newWord?: boolean },
  command: AnyCommand,
): Promise<ExitCode> {
  const line = isNew ? [...words, ''] : words;
  const found = await candidates(command.parent ?? command, line, namesOf(shell));
  for (const { word, description } of found)
    shell.stdout.write(description === '' ? `${word}\n` : `${word}\t${description}\n`);
  return exitCodes.done;
}

function namesOf(shell: Shell): Names {
  return {
    suppliers: async (given) => (await suppliers(shell, given)).filter(isPlain),
    profiles: async (given) => {
      const { profileNames } = await import('../../config/profiles.ts');
      return (await profileNames(shell.cwd, given.get('--config'))).filter(isPlain);
    },
    topics: helpTopics,
  };
}

/** Those of the journal; a journal that cannot be opened has none. */
async function suppliers(shell: Shell, given: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const { resolveSettings } = await import('../conclude.ts');
  const { recordedSuppliers } = await import('../recorded-suppliers.ts');
  const { journalOf } = await import('../../run/session/journal-of.ts');
  const { DatabaseRefused } = await import('../../domain/database-refused.ts');
  const flags = Object.fromEntries(
    ['config', 'profile', 'journal'].flatMap((name) => {
      const value = given.get(`--${name}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  try {
    const { supplier: _, ...config } = await resolveSettings(shell, flags);
    // Its password may be a command's, and a person who presses a key has not asked to connect.
    if (isServerAddress(config.journal)) return [];
    const journal = await journalOf(shell, config).open({ create: false, reading: true });
    try {
      return [...new Set((await recordedSuppliers(journal, config)).map((one) => one.supplier))];
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (error instanceof CannotStart || error instanceof DatabaseRefused) return [];
    throw error;
  }
}

/** Whether a shell takes a word unquoted, and no command takes it as an option. */
function isPlain(word: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(word);
}

/** A candidate word at the cursor. */
interface Candidate {
  readonly word: string;
  /** Its description in one line; '' if the word is enough. */
  readonly description: string;
}

/**
 * Names that only the configuration or the journal knows, loaded only if needed. `given` has the options of the line.
 */
interface Names {
  suppliers(given: PartialLine['given']): Promise<readonly string[]>;
  profiles(given: PartialLine['given']): Promise<readonly string[]>;
  topics(): readonly { readonly name: string; readonly title: string }[];
}

/**
 * The candidates at the end of a partial command line; `words` are those after the tool's own name, the last one
 * incomplete. None if the tool has nothing to offer, such as for a file's name.
 */
async function candidates(
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

/** A command line up to the incomplete word. */
interface PartialLine {
  /** The innermost command that it names. */
  readonly command: AnyCommand;
  /** The number of arguments of that command so far. */
  readonly operands: number;
  /** Options so far, by their long names, with their values; '' for a flag. */
  readonly given: ReadonlyMap<string, string>;
  /** The option whose value is incomplete. */
  readonly awaiting: AnyOption | undefined;
  /** After `--`: a word that begins with a dash is not an option. */
  readonly isLiteral: boolean;
  readonly current: string;
}

/** Parses the words of a line as the parser will, without reporting errors. */
function parsePartialLine(program: AnyCommand, words: readonly string[]): PartialLine {
  const last = words.at(-1) ?? '';
  const given = new Map<string, string>();
  let command = program;
  let operands = 0;
  let awaiting: AnyOption | undefined;
  let isLiteral = false;
  for (const word of words.slice(0, -1)) {
    if (awaiting !== undefined) {
      // bash passes `--profile=live` as three words.
      if (word === '=') continue;
      given.set(awaiting.long ?? '', word);
      awaiting = undefined;
    } else if (!isLiteral && word.startsWith('-')) {
      isLiteral = word === '--';
      const [option, value] = splitOption(command, word);
      if (option === undefined) continue;
      given.set(option.long ?? '', value ?? '');
      if (value === undefined && takesValue(option)) awaiting = option;
    } else {
      const inner: AnyCommand | undefined = command.commands.find((one) => one.name() === word);
      if (operands === 0 && inner !== undefined) command = inner;
      else operands += 1;
    }
  }
  const current = awaiting !== undefined && last === '=' ? '' : last;
  return { command, operands, given, awaiting, isLiteral, current };
}

/** The option of a word, and its value after `=`. */
function splitOption(
  command: AnyCommand,
  word: string,
): readonly [option: AnyOption | undefined, value: string | undefined] {
  const [name = '', ...rest] = word.split('=');
  const option = command.options.find(({ long, short }) => long === name || short === name);
  return [option, rest.length === 0 ? undefined : rest.join('=')];
}

function takesValue({ required, optional }: AnyOption): boolean {
  return required || optional;
}
