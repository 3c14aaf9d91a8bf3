import type { Clock } from '../domain/clock.ts';
import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import { hostShortage } from '../domain/host-shortage.ts';
import { messageText } from './paragraph.ts';
import { createProgress, type Progress } from './progress.ts';
import { pageOf, painter, type Page, type Terminal } from './terminal.ts';
import { jsonLine, visibleText } from '../domain/foreign-text.ts';

/** The result of a command. */
export interface CommandResult {
  readonly exit: ExitCode;
  /** The summary's fields for programs, besides `type`, `version`, `command` and `exit`. */
  readonly summary?: object;
  /** The same for people. */
  readonly text?: (page: Page) => string;
  /** Whether --quiet prints the text after success too: it is what was asked for, or has warnings. */
  readonly evenIfQuiet?: boolean;
  /** Errors: one sentence each, for both. */
  readonly errors?: readonly string[];
}

/** The result goes to stdout, everything else to stderr. */
export interface Printer {
  readonly progress: Progress;
  /**
   * One line of the result: an object for programs (--json); for people its text, where it has one. `isPainted`: it has colours, and
   * everything from outside in it is visible.
   */
  line(record: object, text?: string, options?: { readonly isPainted?: boolean }): void;
  /** Shows a state that changes: over the one before on a terminal, below it elsewhere. */
  frame(record: object, text: (page: Page) => string): void;
  /** Reports what happens; silent under --quiet. */
  info(message: string): void;
  /** The same, only under --verbose. */
  detail(message: string): void;
  warn(message: string): void;
  /** People read times in this zone from now on (IANA name); in the machine's own where it is undefined. */
  showTimesIn(timeZone: string | undefined): void;
  /** What people read on, for what is printed before the end. */
  readonly page: Page;
  /**
   * Runs a command and prints what it ends with: the one way for a command to end, so that the summary is never
   * forgotten. An exception is a bug: exit 1. Gives the exit code.
   */
  conclude(command: string, work: () => Promise<CommandResult>): Promise<ExitCode>;
}

export interface PrinterOptions {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly clock: Clock;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export function createPrinter(options: PrinterOptions): Printer {
  const { stdout, stderr, clock, json = false, quiet = false, verbose = false } = options;
  const progress = createProgress(stderr, clock, { quiet });
  const paint = painter(stderr);
  const gathered = new GatheredWrites((text) => stdout.write(text));

  const say = (message: string, mark = '', colour = (word: string): string => word): void => {
    // Both may be the same file, so the order of the output is kept.
    gathered.flush();
    const text = messageText(message, stderr.isTty ? stderr.columns : undefined, mark);
    progress.aside(() => stderr.write(`${colour(mark)}${text.slice(mark.length)}\n`));
  };
  const out = (text: string): void => {
    // On a terminal the bar and the result share the screen.
    if (stdout.isTty) progress.aside(() => stdout.write(`${text}\n`));
    else gathered.add(`${text}\n`);
  };
  let isFirstFrame = true;
  let timeZone: string | undefined;
  const pageNow = (): Page => pageOf(stdout, timeZone);
  const fail = (message: string): void => say(message, 'error: ', paint.red);

  return {
    progress,
    line(record, text, { isPainted = false } = {}) {
      if (json) out(jsonLine(record));
      else if (text !== undefined) out(isPainted ? guarded(text) : visibleLines(text));
    },
    frame(record, text) {
      const page = pageNow();
      if (json) out(jsonLine(record));
      else if (stdout.isTty)
        stdout.write(`${isFirstFrame ? clearScreen : ''}${drawnOver(text(page).split('\n'), stdout.rows)}`);
      else out(`${text(page)}\n`);
      isFirstFrame = false;
    },
    info(message) {
      if (!quiet) say(message);
    },
    detail(message) {
      if (verbose) say(message);
    },
    warn: (message) => say(message, 'warning: ', paint.yellow),
    showTimesIn: (zone) => void (timeZone = zone),
    get page() {
      return pageNow();
    },

    async conclude(command, work) {
      const { exit, summary, errors, text } = await ended(work, pageNow, { quiet, verbose });
      progress.end();
      for (const error of errors) fail(error);
      const fixed = { type: 'summary', version: 1, command, exit };
      if (json)
        out(jsonLine({ ...fixed, errors: errors.length === 0 ? undefined : errors, ...summary, ...fixed }));
      else if (text !== '') out(guarded(text));
      gathered.flush();
      return exit;
    },
  };
}

/** Colours and styles of our own; what else a terminal would act on came in with a name or a value. */
// eslint-disable-next-line no-control-regex -- the escape that begins a colour
const ownStyle = /(\u001b\[(?:[0-4]|2[1-4]|3[0-79]|4[0-79]|9[0-7])m|\n)/;

/** The last guard of a text for people: whatever part made it, nothing of a name or a value is executed. */
function guarded(text: string): string {
  return text
    .split(ownStyle)
    .map((part, at) => (at % 2 === 1 ? part : visibleText(part)))
    .join('');
}

function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

const clearScreen = '\u001b[2J';

/** From the top of the screen, each line to its end and the rest cleared, so that nothing flickers. */
function drawnOver(text: readonly string[], rows: number): string {
  // On a screen that is too small for all, the last line is kept.
  const fitting = text.length < rows ? text : [...text.slice(0, rows - 2), ...text.slice(-1)];
  const lines = fitting.map((line) => `${line}\u001b[K\n`);
  return `\u001b[H${lines.join('')}\u001b[J`;
}

interface Ended {
  readonly exit: ExitCode;
  readonly summary: object;
  readonly errors: readonly string[];
  readonly text: string;
}

async function ended(
  work: () => Promise<CommandResult>,
  page: () => Page,
  { quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean },
): Promise<Ended> {
  try {
    const { exit, summary = {}, errors = [], text, evenIfQuiet = false } = await work();
    const isLeftOut = quiet && exit === exitCodes.done && !evenIfQuiet;
    return { exit, summary, errors, text: isLeftOut ? '' : (text?.(page()) ?? '') };
  } catch (bug) {
    const shortage = hostShortage(bug);
    if (shortage !== undefined) return { exit: exitCodes.usage, summary: {}, errors: [shortage], text: '' };
    return { exit: exitCodes.bug, summary: {}, errors: [bugReport(bug, verbose)], text: '' };
  }
}

/** An exception's message may quote a customer's data, so only its origin is printed. */
export function bugReport(bug: unknown, verbose: boolean): string {
  const name = bug instanceof Error ? bug.name : typeof bug;
  if (!verbose) return `a bug in migrate (${name}). Run it again with --verbose to see where.`;
  const frames = (bug instanceof Error ? (bug.stack ?? '') : '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line));
  return [`a bug in migrate (${name}):`, ...frames].join('\n');
}

/** The size of a pipe's buffer: more is not kept in memory, so that a slow reader slows the writer. */
const most = 65_536;

/**
 * Collects text and writes it at the end of the current turn of the event loop, because each write is a system call
 * and wakes the reader. (setImmediate is not a timer: it marks the end of the turn, so tests need no clock.)
 */
class GatheredWrites {
  readonly #write: (text: string) => void;
  #gathered = '';

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    if (this.#gathered === '') setImmediate(() => this.flush());
    this.#gathered += text;
    if (this.#gathered.length >= most) this.flush();
  }

  /** Writes the collected text at once. */
  flush(): void {
    if (this.#gathered === '') return;
    const text = this.#gathered;
    this.#gathered = '';
    this.#write(text);
  }
}
