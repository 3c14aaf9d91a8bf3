import type { AnyCommand, AnyOption } from '../commander.ts';

/** A command line up to the incomplete word. */
export interface PartialLine {
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
export function parsePartialLine(program: AnyCommand, words: readonly string[]): PartialLine {
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
export function splitOption(
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
