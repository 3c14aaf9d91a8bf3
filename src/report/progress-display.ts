import cliProgress from 'cli-progress';
import { Writable } from 'node:stream';
import { barLine, lastLine, plainLine, type Progressed } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

/** How progress is shown. */
export interface Display {
  /** Milliseconds between two times that it is drawn. */
  readonly everyMs: number;
  draw(job: Progressed): void;
  /** Lets others write whole lines. */
  aside(write: () => void): void;
  finish(job: Progressed): void;
}

/** A line every now and then. */
export function plainDisplay(terminal: Terminal, everyMs: number): Display {
  return {
    everyMs,
    draw: (job) => terminal.write(`${plainLine(job)}\n`),
    aside: (write) => write(),
    finish: (job) => terminal.write(`${lastLine(job)}\n`),
  };
}

/** Nothing at all. */
export const noDisplay: Display = {
  everyMs: 86_400_000,
  draw: () => undefined,
  aside: (write) => write(),
  finish: () => undefined,
};

/** A bar in the terminal's last line. */
export function barDisplay(terminal: Terminal, start: Progressed): Display {
  let job = start;
  const bar = new cliProgress.SingleBar({
    stream: streamOf(terminal),
    format: (options, { progress }) =>
      barLine(job, terminal.columns, (barsize) =>
        cliProgress.Format.BarFormat(progress, { ...options, barsize }),
      ),
    barCompleteChar: '=',
    barIncompleteChar: '-',
    forceRedraw: true,
    gracefulExit: false,
    // The line fits; wrapping is left as it is, so that a crash leaves no terminal that cuts lines.
    linewrap: true,
    // Drawn when it is told to, by the clock that the tests own, and not by the library's own timer.
    fps: 1 / 86_400,
    synchronousUpdate: false,
  });
  bar.start(start.total, start.done);

  const draw = (now: Progressed): void => {
    job = now;
    bar.update(now.done);
    bar.render();
  };
  return {
    everyMs: 200,
    draw,
    aside(write) {
      terminal.write(clearLine);
      write();
      bar.render();
    },
    finish(now) {
      draw(now);
      bar.stop();
    },
  };
}

const clearLine = '\r\u001b[2K';
const cursorMoves = new Set(['\u001b7', '\u001b8']);

/**
 * The terminal as the stream that the bar's library writes to. It saves the cursor when it starts and goes back there
 * when it ends, which is another line when messages were written meanwhile: those two moves are left out.
 */
function streamOf(terminal: Terminal): NodeJS.WritableStream {
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      if (!cursorMoves.has(text)) terminal.write(text);
      done();
    },
  });
  return Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => terminal.columns },
  });
}
