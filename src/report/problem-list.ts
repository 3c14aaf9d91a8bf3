import type { RecordedProblem } from '../journal/journal.ts';
import { counted, formatCount } from './format.ts';
import { paragraph } from './paragraph.ts';
import { place } from '../domain/cell.ts';
import type { ProblemTotals, ShownProblem } from './ending.ts';
import { table } from './table.ts';
import type { Page } from './terminal.ts';
import { shownText } from '../domain/foreign-text.ts';
import { textWidth } from './text-width.ts';

/** What is wrong and where: the worst problems with their cells, and how many there are of each code. */
export function problemList(page: Page, totals: ProblemTotals): string {
  if (totals.problems === 0) return '';
  const { bold } = page.paint;
  const told = totals.worst.reduce((sum, { times = 1 }) => sum + times, 0);
  const rest = totals.problems - told;
  const all = totals.file === undefined ? '--problems FILE lists all' : `all in ${shownText(totals.file)}`;
  const byCode = Object.entries(totals.byCode).map(([code, count]) => [formatCount(count), code]);
  return [
    bold(
      rest === 0 ? 'Problems' : `Problems (${formatCount(told)} of ${formatCount(totals.problems)}; ${all})`,
    ),
    ...totals.worst.map((problem) => entry(page, problem)),
    '',
    bold('Problems by code'),
    // Codes are copied.
    table(
      page,
      [
        { title: '', align: 'right' },
        { title: '', whole: true },
      ],
      byCode,
    ),
  ].join('\n');
}

function entry(page: Page, problem: ShownProblem): string {
  const { red, yellow, bold } = page.paint;
  const where = shownText(faultyPlace(problem));
  const code = shownText(problem.code) + (problem.severity === 'warning' ? ' (warning)' : '');
  const fits = textWidth(`  ${where}  ${code}`) <= page.columns;
  const painted = problem.severity === 'error' ? red(code) : yellow(code);
  return `  ${bold(where)}${fits ? '  ' : '\n    '}${painted}\n${paragraph(page, described(problem), '    ')}`;
}

/** Where to look: the cell, else the path in the payload. */
export function faultyPlace({ cell, path }: Pick<RecordedProblem, 'cell' | 'path'>): string {
  if (cell !== undefined) return place(cell);
  return path === '' ? 'the whole account' : path;
}

function described({ account, detail, path, cell, value, times }: ShownProblem): string {
  if (times !== undefined) {
    const where = path === '' ? '' : `${path} is `;
    const count =
      times === 1 ? `account ${account}` : `${formatCount(times)} times, first in account ${account}`;
    return `${shownText(`${where}${value ?? ''}`)}. ${detail} (${count})`;
  }
  const known = path === '' || cell === undefined || path === cell.column;
  const whose = [...(account === null ? [] : [`account ${account}`]), ...(known ? [] : [path])];
  return whose.length === 0 ? detail : `${detail} (${whose.join(', ')})`;
}

/** `6 problems, 1 of them a warning`. */
export function problemCount({ problems, warnings }: ProblemTotals): string {
  if (warnings === 0) return counted(problems, 'problem');
  return `${counted(problems, 'problem')}, ${formatCount(warnings)} of them ${warnings === 1 ? 'a warning' : 'warnings'}`;
}
