import { Chalk, type ChalkInstance } from 'chalk';
import { zoneForPeople } from './format.ts';

/** Where text is shown: a terminal, or a file or pipe that takes its place. */
export interface Terminal {
  write(text: string): void;
  /** Whether it is a screen on which what was written can be drawn over. */
  readonly isTty: boolean;
  /** Width in columns; may change while the program runs. */
  readonly columns: number;
  /** Height in lines; may change too. */
  readonly rows: number;
  readonly colour: boolean;
}

/** What a result is written on, for people. */
export interface Page {
  readonly columns: number;
  readonly paint: ChalkInstance;
  /** Times are shown in this zone (IANA name). */
  readonly timeZone: string;
}

interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Anything that is not a terminal is laid out for one of this width. */
const usualColumns = 80;
const usualRows = 24;

/** Whether a stream is a terminal whose cursor can be moved. */
export function isScreen({ isTTY }: Pick<OutputStream, 'isTTY'>, env: NodeJS.ProcessEnv): boolean {
  return isTTY === true && env['TERM'] !== 'dumb';
}

/** A stream as a terminal. Colours only on a terminal, and never under --no-color, NO_COLOR or TERM=dumb. */
export function terminalOf(stream: OutputStream, env: NodeJS.ProcessEnv, noColor = false): Terminal {
  const isTty = isScreen(stream, env);
  return {
    write: (text) => void stream.write(text),
    isTty,
    get columns() {
      return stream.isTTY === true ? stream.columns || usualColumns : usualColumns;
    },
    get rows() {
      return stream.isTTY === true ? stream.rows || usualRows : usualRows;
    },
    colour: isTty && !noColor && !env['NO_COLOR'],
  };
}

/** `timeZone` is the machine's own unless another is given. */
export function pageOf(terminal: Terminal, timeZone?: string): Page {
  return {
    columns: terminal.columns,
    paint: painter(terminal),
    // Asked for when a time is shown, for it takes time to load.
    get timeZone() {
      return zoneForPeople(timeZone);
    },
  };
}

export function painter(terminal: Terminal): ChalkInstance {
  return new Chalk({ level: terminal.colour ? 1 : 0 });
}
