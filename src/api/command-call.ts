import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import { isJsonObject, parseJson, type JsonObject } from '../domain/json.ts';
import { run } from '../cli/run-program.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { machine } from '../host/machine.ts';
import { interrupts } from './call.ts';
import { checkOptions, plain, signal, text, type OptionCheck } from './checks.ts';
import type { CommandEnding, CommandLines, CommandOptions } from './command-options.ts';
import { ofOptions } from './of-options.ts';

/** A command of the command line, and its options here. */
export interface EmbeddedCommand {
  readonly name: string;
  /** The option that is the command's argument. */
  readonly argument?: string;
  readonly isNeeded?: boolean;
  /** Options that are flags there, by their names in camel case. */
  readonly flags: Readonly<Record<string, OptionCheck>>;
  readonly needed?: readonly string[];
  /** Flags that are always given. */
  readonly always?: readonly string[];
}

const common: Readonly<Record<string, OptionCheck>> = {
  settings: plain,
  configFile: text,
  profile: text,
  env: plain,
  cwd: text,
  signal,
};

/** Ends that say that nothing was done. */
const refusals: ReadonlySet<ExitCode> = new Set([
  exitCodes.usage,
  exitCodes.credentialsRefused,
  exitCodes.unavailable,
  exitCodes.stoppedEarly,
  exitCodes.supplierHeld,
]);

/**
 * Runs a command within this process. Throws CannotStart (`invalid_option`) at once for wrong options; the ending rejects with
 * CannotStart if the command cannot do its work.
 */
export function commandCall(command: EmbeddedCommand, options: CommandOptions): CommandLines {
  const { argument, flags, needed = [], isNeeded = false } = command;
  const checks = { ...common, ...flags, ...(argument === undefined ? {} : { [argument]: text }) };
  checkOptions(options, checks, [...needed, ...(isNeeded && argument !== undefined ? [argument] : [])]);
  const lines = new Lines(options.signal);
  const ending = ended(command, options, lines);
  // Who takes only the lines hears of a failure there.
  ending.catch((error: unknown) => lines.fail(error));
  return { ending, [Symbol.asyncIterator]: () => lines.taken() };
}

async function ended(
  command: EmbeddedCommand,
  options: CommandOptions,
  lines: Lines,
): Promise<CommandEnding> {
  const { settings, env = {}, cwd, signal: stop } = options;
  if (stop?.aborted === true)
    throw new CannotStart(exitCodes.stoppedEarly, 'It was aborted before it began. Nothing was done.');
  const own = machine();
  let summary: JsonObject = {};
  const exit = await run(
    {
      ...own,
      cwd: cwd ?? own.cwd,
      env,
      ...{ settings: settings === undefined ? {} : { ...settings }, interactive: false },
      stdout: {
        write: (written) => {
          for (const line of written.split('\n')) {
            const record = line === '' ? undefined : parseJson(line);
            if (!isJsonObject(record)) continue;
            if (record['type'] === 'summary') summary = record;
            else lines.add(record);
          }
          return true;
        },
      },
      stderr: { write: () => true },
      confirm: () => Promise.resolve(false),
      inputEnded: () => Promise.resolve(),
      onInterrupt: interrupts(stop ?? new AbortController().signal),
    },
    argumentsOf(command, options),
  );
  const { errors } = summary;
  const told = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string') : [];
  if (exit === exitCodes.bug) throw new Error(told.join('\n'));
  if (refusals.has(exit) && told.length > 0)
    throw new CannotStart(
      exit,
      told.map((line) => ofOptions(line, Object.keys(command.flags))),
    );
  lines.end();
  return { exit, summary };
}

function argumentsOf({ name, argument, flags, always = [] }: EmbeddedCommand, options: object): string[] {
  const given = new Map<string, unknown>(Object.entries(options));
  const args = [name, '--json', ...always];
  for (const option of [...Object.keys(flags), 'profile']) {
    const value = given.get(option);
    if (value === undefined || value === false) continue;
    const flag = `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) args.push(flag);
    else for (const one of Array.isArray(value) ? value : [value]) args.push(`${flag}=${String(one)}`);
  }
  const config = given.get('configFile');
  if (typeof config === 'string') args.push(`--config=${config}`);
  const main = argument === undefined ? undefined : given.get(argument);
  return typeof main === 'string' ? [...args, '--', main] : args;
}

/** Lines that wait for whoever takes them. */
class Lines {
  readonly #waiting: JsonObject[] = [];
  readonly #signal: AbortSignal | undefined;
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener('abort', () => this.#wake(), { once: true });
  }

  add(line: JsonObject): void {
    this.#waiting.push(line);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }

  async *taken(): AsyncGenerator<JsonObject> {
    for (;;) {
      if (this.#failure !== undefined && this.#waiting.length === 0) throw this.#failure.error;
      this.#signal?.throwIfAborted();
      const line = this.#waiting.shift();
      if (line !== undefined) yield line;
      else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
