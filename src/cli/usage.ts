import type { ErrorOptions, OptionValues } from '@commander-js/extra-typings';
import type { ExitCode } from '../domain/exit-codes.ts';
import { Command, Help, type AnyCommand } from './commander.ts';
import { meantCommand } from './meant-command.ts';
import type { Shell } from './shell.ts';

/** The context of a command's action; `ended` receives its exit code. */
export interface Action {
  readonly shell: Shell;
  readonly ended: (exit: ExitCode) => void;
}

/** The flags that a function declares on a command. */
export type FlagsOf<Declare extends (...args: never[]) => { opts(): unknown }> = ReturnType<
  ReturnType<Declare>['opts']
>;

/** Flags of every command, which withCommonOptions adds. */
export type CommonFlags = {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** false by --no-color. */
  readonly color: boolean;
  readonly config?: string;
  readonly profile?: string;
  readonly journal?: string;
};

/** The heading of the options that every command has. */
export const commonOptions = 'Options of every command:';

/** An error of the library that reads options, as sentences like those of all other errors. */
export function usageError(message: string, hint: string): string {
  const [wrong = '', ...more] = message
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const option = /^option '.*?(--[a-z-]+)[^']*' argument '(.*)' is invalid\. ([^]+)$/.exec(wrong);
  if (option !== null) {
    const [, name = '', given = '', remedy = ''] = option;
    const isSaid = remedy.includes(`'${given}'`);
    const text = isSaid ? inside(remedy) : `'${given}' is not valid. ${remedy}`;
    return [`${name}: ${text}`, ...more].join(' ');
  }
  const sentence = `${wrong.charAt(0).toUpperCase()}${wrong.slice(1)}`;
  const question = more.map((line) => line.replace(/^\((.*)\)$/, '$1')).join(' ');
  return [/[.?!]$/.test(sentence) ? sentence : `${sentence}.`, question, hint]
    .filter((text) => text !== '')
    .join(' ');
}

/** A sentence after a colon. */
function inside(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** The remedy for a wrong command line. */
export const helpHint = 'Run the command with --help to see its options.';

/** A command of the tool, with examples in its help. */
export class Usage<Args extends unknown[] = [], Flags extends OptionValues = CommonFlags> extends Command<
  Args,
  Flags
> {
  readonly examples: string[] = [];
  /** The topics that its help lists. */
  topics: () => readonly Topic[] = () => [];

  /** Adds examples: command lines that work unchanged. */
  example(...lines: readonly string[]): this {
    this.examples.push(...lines);
    return this;
  }

  /** An unknown command that is elsewhere, or has another name, is named. */
  override error(message: string, options?: ErrorOptions): never {
    const [name = ''] = this.args;
    const isUnknown = options?.code === 'commander.unknownCommand';
    const meant = isUnknown ? meantCommand(this, name) : undefined;
    return super.error(
      meant === undefined ? message : `${message.split('\n')[0] ?? ''}\n(Did you mean ${meant}?)`,
      options,
    );
  }

  override createHelp(): UsageHelp {
    return Object.assign(new UsageHelp(this.examples, this.topics()), this.configureHelp());
  }
}

interface Topic {
  readonly name: string;
  /** One line. */
  readonly title: string;
}

class UsageHelp extends Help {
  readonly #examples: readonly string[];
  readonly #topics: readonly Topic[];

  constructor(examples: readonly string[], topics: readonly Topic[]) {
    super();
    this.#examples = examples;
    this.#topics = topics;
  }

  override subcommandTerm(command: AnyCommand): string {
    return super.subcommandTerm(command).replace(' [options]', '');
  }

  override formatHelp(command: AnyCommand, helper: UsageHelp): string {
    const width = helper.padWidth(command, helper);
    const topics = this.#topics.map(({ name, title }) => helper.formatItem(name, width, title, helper));
    const examples = this.#examples.map((line) => `  ${line}`);
    return [
      super.formatHelp(command, helper),
      ...helper.formatItemList('Topics (migrate help TOPIC):', topics, helper),
      ...helper.formatItemList('Examples:', examples, helper),
    ]
      .join('\n')
      .trimEnd()
      .concat('\n');
  }
}

/** How a command is made for a context. */
export type Declared = (action: Action) => AnyCommand;

/** What a command gives its work: its arguments, its flags, and itself. */
type Given<Called> = Called extends Command<infer Args, infer Flags> ? [...Args, Flags, Called] : never;

/** A command and its work, which is loaded when it is called. */
export function does<Called extends AnyCommand>(
  usage: () => Called,
  load: () => Promise<(shell: Shell, ...given: Given<Called>) => Promise<ExitCode>>,
): Declared {
  return ({ shell, ended }) =>
    usage().action(async (...given) => {
      const work = await load();
      // commander calls an action with exactly these.
      ended(await work(shell, ...(given as Given<Called>)));
    });
}

/** A command that only holds others. */
export function commandGroup(name: string, description: string, inner: readonly Declared[]): Declared {
  return (action) => {
    const group = new Usage(name).description(description).helpCommand(false);
    for (const declare of inner) group.addCommand(declare(action));
    return group;
  };
}

/** Adds the options that every command has, after its own. */
export function withCommonOptions(command: AnyCommand): void {
  command
    .optionsGroup(commonOptions)
    .option('--json', 'Print JSON lines; the last one is the summary')
    .option('--quiet', 'Print nothing of a success without warnings')
    .option('--verbose', 'Print more messages')
    .option('--no-color', 'Print without colours')
    .option('--config <file>', 'Configuration file; default: .migraterc here or in a parent directory')
    .option('--profile <name>', 'Profile of the configuration')
    .option('--journal <file>', 'Journal; default: .migrate/journal.db');
}

/** The commands that a command has for people; not those that the tool has for itself. */
export function visibleCommands(command: AnyCommand): readonly AnyCommand[] {
  return command.createHelp().visibleCommands(command);
}

/** Every command that does something, those within others too. */
export function leafCommands(command: AnyCommand): readonly AnyCommand[] {
  const inner = visibleCommands(command);
  return inner.length === 0 ? [command] : inner.flatMap(leafCommands);
}
