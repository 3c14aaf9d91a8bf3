import { counted, formatCount } from '../format.ts';
import { paragraph } from '../paragraph.ts';
import type { Page } from '../terminal.ts';

export interface ReadBackView {
  readonly result: {
    readonly population: number;
    readonly chosen: number;
    readonly read: number;
    readonly differ: number;
    readonly notReadable: number;
    readonly unread: number;
    readonly changed: number;
    readonly notInExport: number;
    readonly differences: number;
    readonly requests: number;
    readonly points: number;
    readonly since: number;
    readonly datesMoved: number;
    readonly notCompared: readonly string[];
    readonly stopped: 'budget' | 'interrupted' | undefined;
  };
  readonly selection: 'all' | 'sample' | 'accounts';
  readonly seed: string;
  readonly perHour: number | undefined;
  /** Of a sample: the share of all accounts that differ at most, with 95 % confidence. */
  readonly atMost: number | undefined;
}

/** What a sample proves; null for other selections. */
function confidenceOf({ selection, atMost, result, seed }: ReadBackView): object | null {
  if (selection !== 'sample' || atMost === undefined) return null;
  return { level: 0.95, population: result.population, atMost: Number(atMost.toPrecision(4)), seed };
}

/** For programs: the summary of the comparison, with what was read back. */
export function readBackSummary(compared: object, view: ReadBackView): object {
  const { read, differ, notReadable, unread, changed, notInExport, requests, points } = view.result;
  const { since, datesMoved, notCompared, stopped = null, differences } = view.result;
  const before =
    'differences' in compared && typeof compared.differences === 'number' ? compared.differences : 0;
  return {
    ...compared,
    matches: before + differences === 0,
    differences: before + differences,
    readBack: {
      ...{ read, differ, notReadable, unread, changed, notInExport, confidence: confidenceOf(view) },
      ...{
        selection: view.selection,
        differences,
        requests,
        points,
        since,
        datesMoved,
        notCompared,
        stopped,
      },
    },
  };
}

/** For people. */
export function readBackText(page: Page, view: ReadBackView): string {
  const { bold, green, red } = page.paint;
  const { result } = view;
  const { read, differ, notReadable, unread, changed, notInExport, requests, points } = result;
  const passedOver = changed + notInExport;
  const headline =
    differ > 0
      ? red(`The platform's ledger differs: ${formatCount(differ)} of ${counted(read, 'account')}.`)
      : notReadable > 0 || unread > 0 || passedOver > 0 || read === 0
        ? `No difference was found in ${counted(read, 'account')}, but not everything was read.`
        : green(`The platform holds what was sent: 0 of ${counted(read, 'account')} differ.`);
  const perAccount = (count: number) => formatCount(Math.round(count / Math.max(1, read)));
  return [
    bold('Read back from the platform'),
    ...[
      ...(notReadable > 0
        ? [`Of ${counted(notReadable, 'account')}, something could not be read: that proves nothing.`]
        : []),
      ...(unread > 0
        ? [`At most ${counted(unread, 'account')} not read yet. Run the same command again: it continues.`]
        : []),
      ...(changed > 0
        ? [`${counted(changed, 'account')} not read: the data changed since it was sent.`]
        : []),
      ...(notInExport > 0
        ? [
            `${counted(notInExport, 'account')} not read: not in this export, so nothing says what they should hold.`,
          ]
        : []),
      ...(result.stopped === 'budget'
        ? [`The budget of ${formatCount(view.perHour ?? 0)} points for this hour is spent.`]
        : []),
      ...(result.since > 0
        ? [`${counted(result.since, 'item')} that came on the platform since are no differences.`]
        : []),
      ...(result.datesMoved > 0
        ? [`The platform moved ${counted(result.datesMoved, 'date')}, as it said when they were sent.`]
        : []),
      ...(result.notCompared.length > 0
        ? [`Not compared, because readBack names no place for it: ${result.notCompared.join(', ')}.`]
        : []),
      ...(requests > 0
        ? [`An account cost ${perAccount(requests)} requests and ${perAccount(points)} points.`]
        : []),
      ...(view.atMost === undefined || view.selection !== 'sample'
        ? []
        : [
            `${formatCount(differ)} of ${formatCount(read)} differ: with 95 % confidence, at most ${percent(view.atMost)} of ${formatCount(result.population)} do.${passedOver > 0 ? ' That says nothing of accounts that are not in this export, or whose data changed.' : ''}`,
          ]),
    ].map((remark) => paragraph(page, remark, '')),
    bold(headline),
  ].join('\n');
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}
