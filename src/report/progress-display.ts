import { stripVTControlCharacters } from 'node:util';
import { barLine, lastLine, noteLines, plainLine, type Progressed } from './progress-line.ts';
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

/** A block in the terminal's last lines: what is to be seen beside the bar, and the bar. */
export function blockDisplay(terminal: Terminal): Display {
  /** As it stands on the screen, from its first line; the cursor is at its end. */
  let shown: readonly string[] = [];

  /** To the first line of the block. A narrower terminal has wrapped what was wider. */
  const toStart = (): string => {
    const rows = shown.map((line) => Math.max(1, Math.ceil(width(line) / terminal.columns)));
    const above = rows.reduce((sum, count) => sum + count, 0) - 1;
    return above > 0 ? `\r\u001b[${above}A` : '\r';
  };
  const show = (lines: readonly string[], end = ''): void => {
    const drawn = lines.map((line) => `${line}${clearRight}`).join('\n');
    // In one piece, over what stands there, so that nothing flickers.
    terminal.write(`${toStart()}${drawn}${clearBelow}${end}`);
    shown = end === '' ? lines : [];
  };
  return {
    everyMs: 200,
    draw: (job) => show(block(job, terminal)),
    aside(write) {
      const lines = shown;
      terminal.write(`${toStart()}${clearBelow}`);
      shown = [];
      write();
      if (lines.length > 0) show(lines);
    },
    finish: (job) => show([barLine(job, terminal.columns)], '\n'),
  };
}

/** The bar, with what stands beside it where there is room for all of it. */
function block(job: Progressed, { columns, rows }: Terminal): string[] {
  const bar = barLine(job, columns);
  const beside = job.beside === '' ? [] : [...job.beside.split('\n'), ''];
  const lines = [bar, ...noteLines(job, columns)];
  const fits = beside.length + lines.length < rows && beside.every((line) => width(line) < columns);
  return fits ? [...beside, ...lines] : lines;
}

const width = (line: string): number => stripVTControlCharacters(line).length;
const clearRight = '\u001b[K';
const clearBelow = '\u001b[J';
