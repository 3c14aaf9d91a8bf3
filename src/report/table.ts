import type Table from 'cli-table3';
import { lazily, load } from '../domain/lazily.ts';
import type { Page } from './terminal.ts';
import { shownText } from '../domain/foreign-text.ts';
import { textWidth } from './text-width.ts';

export interface Column {
  /** '' if the table needs no header. */
  readonly title: string;
  /** Numbers are aligned to the right. They are never cut short. */
  readonly align?: 'right';
  /** Never cut short, like a number, and neither is its title. */
  readonly whole?: boolean;
  /** Wraps to the next line if it is too wide, instead of being cut short. */
  readonly wrap?: boolean;
  /** A column of text is never narrower, unless its cells are; default: 6. */
  readonly least?: number;
  /** Left out if the page is too narrow for all. */
  readonly spare?: boolean;
  /** Colours a cell. */
  readonly paint?: (cell: string) => string;
}

const tableClass = lazily(() => load('cli-table3') as typeof Table);

const indent = '  ';
const gap = '  ';
/** Below this width a column of text is not readable. */
const leastText = 6;

/**
 * A table without a frame that fits the page: if it would be too wide, spare columns are left out and the
 * widest columns of text are cut short. Cells may come from outside; what a terminal would act on is made
 * visible.
 */
export function table(page: Page, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(shownText));
  const headed = columns.some(({ title }) => title !== '');
  const body = shown.map((row) => row.map((cell, at) => columns[at]?.paint?.(cell) ?? cell));
  const all = headed ? [columns.map(({ title }) => page.paint.bold(title)), ...body] : body;

  const natural: (number | null)[] = [];
  draw(columns, all, natural);
  const sized = columns.map((column, at): Sized => {
    const width = natural[at] ?? 0;
    const longest = shown.reduce(
      (most, row) => Math.max(most, textWidth(row[at] ?? '')),
      column.whole === true ? textWidth(column.title) : Math.min(textWidth(column.title), 4),
    );
    const whole = column.whole === true || column.align === 'right';
    return { column, at, width, least: Math.min(width, whole ? longest : (column.least ?? leastText)) };
  });
  const kept = keep(sized, page.columns);
  return draw(
    kept.map(({ column }) => column),
    all.map((row) => kept.map(({ at }) => row[at] ?? '')),
    fit(kept, page.columns),
  );
}

interface Sized {
  readonly column: Column;
  readonly at: number;
  /** What its cells need. */
  readonly width: number;
  /** What it can be cut down to. */
  readonly least: number;
}

/** Leaves out spare columns, the last first, until the others can be made to fit. */
function keep(columns: readonly Sized[], pageColumns: number): readonly Sized[] {
  const excess = columns.reduce((sum, { least }) => sum + least, 0) - room(columns, pageColumns);
  const spare = columns.findLastIndex(({ column }) => column.spare === true);
  if (excess <= 0 || spare === -1) return columns;
  return keep(columns.toSpliced(spare, 1), pageColumns);
}

/** Takes from the widest column that can give, until all fit or none can give more. */
function fit(columns: readonly Sized[], pageColumns: number): number[] {
  const widths = columns.map(({ width }) => width);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room(columns, pageColumns);
  for (; excess > 0; excess--) {
    const giving = widths.map((width, at) => (width > (columns[at]?.least ?? 1) ? width : 0));
    const widest = Math.max(...giving);
    if (widest === 0) break;
    widths[giving.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function room(columns: readonly Sized[], pageColumns: number): number {
  return pageColumns - indent.length - gap.length * (columns.length - 1);
}

/** Draws with the given widths; if there are none, the library uses the widths that the cells need. */
function draw(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  widths: (number | null)[],
): string {
  const drawn = new (tableClass())({
    chars: { ...noFrame, left: indent, middle: gap },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: columns.map(({ align }) => align ?? 'left'),
    colWidths: widths,
    // A console in a code page of Windows, and its fonts, may have no ellipsis.
    truncate: '...',
    wordWrap: columns.some(({ wrap }) => wrap === true),
  });
  for (const row of rows) drawn.push([...row]);
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const noFrame = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
};
