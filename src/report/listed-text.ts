import { shownText } from '../domain/foreign-text.ts';
import { formatTime } from './format.ts';
import { listingText, placesOf, skipCommand, type ListedPart } from './listed-part.ts';
import { paragraph } from './paragraph.ts';
import { paintState, pendingMeaning, refusedNow, stateMeaning } from './state-table.ts';
import type { Page } from './terminal.ts';
import { textWidth } from './text-width.ts';

const gap = '  ';
const below = '    ';

/**
 * For people: the lines of `migrate list` as rows under one header, each with its cells and what to do below it. Nothing is cut: a
 * reason that does not fit beside its account is below it.
 *
 * @param options.hasSuppliers whether the rows are of several suppliers
 * @param options.hasHeader whether these are the first rows
 */
export function listedText(
  page: Page,
  lines: readonly ListedPart[],
  { hasSuppliers, hasHeader }: { readonly hasSuppliers: boolean; readonly hasHeader: boolean },
): string {
  const heads = ['Account', ...(hasSuppliers ? ['Supplier'] : []), 'State', 'Step and part', 'Reason'];
  const rows = lines.map((line) => ({
    line,
    cells: [line.account, ...(hasSuppliers ? [line.supplier] : []), line.state, stepText(line)].map(
      shownText,
    ),
    reason: shownText(line.codes.length > 1 ? line.codes.join(', ') : line.code || unnamedReason(line)),
  }));
  const widths = heads
    .slice(0, -1)
    .map((head, at) => Math.max(textWidth(head), ...rows.map(({ cells }) => textWidth(cells[at] ?? ''))));
  const stateAt = hasSuppliers ? 2 : 1;
  const texts = rows.map(({ line, cells, reason }) => {
    const padded = cells.map((cell, at) => padTo(cell, widths[at] ?? 0));
    const room = page.columns - textWidth([...padded, ''].join(gap));
    const isBeside = textWidth(reason) <= room;
    const painted = padded.map((cell, at) => {
      if (at === 0) return page.paint.bold(cell);
      return at === stateAt ? cell.replace(line.state, paintState(page, line.state)) : cell;
    });
    const row = [...painted, ...(isBeside ? [reason] : [])].join(gap).trimEnd();
    return [row, ...(isBeside ? [] : [`${below}${reason}`]), ...detailsOf(line, page)].join('\n');
  });
  const header = heads.map((head, at) => padTo(head, widths[at] ?? 0)).join(gap);
  return [...(hasHeader ? [page.paint.bold(header.trimEnd())] : []), ...texts].join('\n');
}

/** Without a code, the state says why nothing more is there. */
function unnamedReason({ state, partState, stagedByDryRun }: ListedPart): string {
  if (partState === 'sent') return 'sent, no answer';
  return state === 'completed' || stagedByDryRun ? '' : stateMeaning(state);
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function stepText({ step, part }: ListedPart): string {
  if (step === undefined) return '';
  return part === undefined ? step : `${step} part ${part + 1}`;
}

/** What is known of it, its cells, and what to type. */
function detailsOf(line: ListedPart, page: Page): readonly string[] {
  const { sentAt, attempts } = line;
  const sent =
    sentAt === undefined
      ? []
      : [`sent ${timesOf(attempts)}, last ${formatTime(sentAt, page.timeZone)} (${page.timeZone})`];
  const command = line.step === 'process' ? skipCommand(line) : undefined;
  return [
    ...[
      ...sent,
      ...(line.stagedByDryRun ? [pendingMeaning(1, 1)] : []),
      ...(line.isRefusedNow ? [refusedNow] : []),
      ...(line.words === undefined ? [] : [line.words]),
      ...(line.listing === undefined ? [] : [listingText(line.listing)]),
    ].map((text) => paragraph(page, text, below)),
    // Paths and commands are copied.
    ...[...placesOf(line), ...unknownPlace(line)].map((where) => `${below}${shownText(where)}`),
    ...(command === undefined
      ? []
      : [paragraph(page, 'If the account on the platform is not yours:', below), `${below}  ${command}`]),
  ];
}

/** For an uncertain part whose cells are not recorded: what is known instead. */
function unknownPlace(line: ListedPart): readonly string[] {
  if (line.partState !== 'uncertain' || line.cells.length > 0) return [];
  return [
    line.export === undefined ? 'cells not recorded' : `cells not recorded; last read from ${line.export}`,
  ];
}

function timesOf(attempts: number): string {
  if (attempts === 1) return 'once';
  return attempts === 2 ? 'twice' : `${attempts} times`;
}
