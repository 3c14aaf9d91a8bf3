import type { AnyCommand, AnyOption } from '../commander.ts';
import { exitCodeMeanings } from '../../domain/exit-codes.ts';
import { commonOptions, leafCommands, Usage } from '../usage.ts';

/** The manual page of the whole tool, in roff, from the definition of its command line. */
export function manPage(program: Usage, version: string): string {
  const commands = leafCommands(program);
  const common = optionItems(program.commands[0] ?? program, (option) => isCommon(option));
  return `${[
    `.TH MIGRATE 1 "" "account\\-migrate ${words(version)}" "User Commands"`,
    // Unjustified, like the help: not stretched to both margins, no hyphenation.
    '.ad l\n.nh',
    section('Name', `migrate \\- ${words(name)}`),
    section('Synopsis', `${bold('migrate')} ${words('COMMAND [OPTIONS] [ARGUMENTS]')}`),
    section('Description', words(description), verbatim(program.examples)),
    section('Commands', ...commands.map(commandText)),
    section('Options of every command', ...common),
    section('Exit status', ...Object.entries(exitCodeMeanings).map(([code, meaning]) => item(code, meaning))),
    section(
      'Environment',
      paragraph(precedence),
      ...environment.map(([term, meaning]) => item(term, meaning)),
    ),
    section('Files', ...files.map(([term, meaning]) => item(term, meaning))),
    section(
      'Guides',
      paragraph(guides),
      ...program.topics().map(({ name: topic, title }) => item(topic, title)),
    ),
  ].join('\n')}\n`;
}

const name = 'migrate customer accounts in bulk to a billing platform';

const description =
  'Reads an export of an old system, maps it to the payloads of a billing platform, checks every account, and sends ' +
  'each one to the platform exactly once. A run can be stopped at any moment and started again. With no platform ' +
  'configured, it rehearses against the embedded platform.';

const precedence =
  'The command line comes before the environment, the environment before the profile, the profile before the top level ' +
  'of .migraterc. Every plain setting has a name here: retry.attempts is MIGRATE_RETRY_ATTEMPTS.';

const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['MIGRATE_BASE_URL', "the platform's address: scheme, host and port"],
  ['MIGRATE_API_KEY', 'the API key, exchanged for a token'],
  ['MIGRATE_TOKEN', 'a token, used unchanged'],
  ['MIGRATE_TEAM', 'the operations team of the accounts'],
  ['MIGRATE_SUPPLIER', 'the import supplier'],
  ['MIGRATE_PROFILE', 'the profile of the configuration'],
  ['MIGRATE_JOURNAL', 'the journal'],
  ['HTTPS_PROXY', 'the proxy to the platform; NO_PROXY lists the hosts that are reached without it'],
  ['NODE_EXTRA_CA_CERTS', "a file of certificates of private authorities, trusted in addition to Node's own"],
  ['NO_COLOR', 'no colours, whatever its value'],
];

const files: readonly (readonly [name: string, meaning: string])[] = [
  ['.migraterc', 'the configuration, searched for from the working directory upward'],
  ['.migrate/journal.db', 'the journal, under the working directory, unless another is named'],
  ['.migrate/platform.db', 'the state of the embedded platform, beside the journal'],
];

const guides = 'migrate help TOPIC shows one in the terminal:';

function commandText(command: AnyCommand): string {
  const help = command.createHelp();
  const isOwn = (option: AnyOption): boolean => !isCommon(option) && option.long !== '--help';
  return subsection(
    help.commandUsage(command),
    words(command.description()),
    ...help
      .visibleArguments(command)
      .map((argument) => item(help.argumentTerm(argument), help.argumentDescription(argument))),
    ...optionItems(command, isOwn),
    ...(command instanceof Usage ? [verbatim(command.examples)] : []),
  );
}

function optionItems(command: AnyCommand, isWanted: (option: AnyOption) => boolean): readonly string[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(isWanted)
    .map((option) => item(help.optionTerm(option), help.optionDescription(option)));
}

function isCommon({ helpGroupHeading }: AnyOption): boolean {
  return helpGroupHeading === commonOptions;
}

/** Text for roff: nothing in it is a request, an escape or a typographic quote or dash. */
function words(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(/^\./gm, '\\&.');
}

function bold(text: string): string {
  return `\\fB${words(text)}\\fR`;
}

function section(title: string, ...lines: readonly string[]): string {
  return [`.SH ${title.toUpperCase()}`, ...lines].join('\n');
}

function subsection(title: string, ...lines: readonly string[]): string {
  return [`.SS ${words(title)}`, ...lines].join('\n');
}

function paragraph(text: string): string {
  return `.PP\n${words(text)}`;
}

/** A term with its meaning beside or below it. */
function item(term: string, meaning: string): string {
  return `.TP\n${bold(term)}\n${words(meaning)}`;
}

/** Lines that are printed unchanged. */
function verbatim(lines: readonly string[]): string {
  return ['.PP', '.RS 4', '.nf', ...lines.map(words), '.fi', '.RE'].join('\n');
}
