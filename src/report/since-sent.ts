import type { StepName } from '../domain/steps.ts';
import { paragraph } from './paragraph.ts';
import type { Page } from './terminal.ts';

/** What of an account's data is not as it was sent, as far as the journal shows. */
export interface SinceSent {
  /** The run that created the account. */
  readonly run?: number | undefined;
  readonly isAsSent: boolean;
  readonly changes: readonly {
    readonly is: 'changed' | 'added' | 'gone';
    readonly step: StepName;
    readonly request: number;
    readonly path: string;
  }[];
}

/** How a value relates to what was sent: `unknown` if its record differs, and the journal does not show in what. */
export type ValueMark = 'changed' | 'added' | 'unknown';

/** The mark of a value; undefined if nothing shows that it is not as it was sent. */
export function markOf(
  since: SinceSent | undefined,
  { step, request }: { readonly step: StepName; readonly request: number },
  path: string,
): ValueMark | undefined {
  let mark: ValueMark | undefined;
  for (const change of since?.changes ?? []) {
    if (change.step !== step || change.request !== request || change.is === 'gone') continue;
    if (change.path === path) return change.is;
    if (change.path === '' || path.startsWith(`${change.path}.`))
      mark = change.is === 'added' ? 'added' : (mark ?? 'unknown');
  }
  return mark;
}

/** Before a value of that mark. */
export const markSigns: Readonly<Record<ValueMark, string>> = { changed: '*', added: '+', unknown: '?' };

/** For programs: how many values have which mark, and how many records are gone; null if the account was not sent. */
export function sinceSentRecord(since: SinceSent | undefined, marks: readonly ValueMark[]): object | null {
  if (since === undefined) return null;
  const count = (mark: ValueMark) => marks.filter((other) => other === mark).length;
  return {
    run: since.run ?? null,
    isAsSent: since.isAsSent,
    ...{ changed: count('changed'), added: count('added'), unknown: count('unknown') },
    gone: since.changes.filter(({ is }) => is === 'gone').length,
  };
}

/** For people: what the marks mean, and what has none. */
export function sinceSentText(page: Page, since: SinceSent, marks: readonly ValueMark[]): string[] {
  const sent = since.run === undefined ? 'it was sent' : `run ${since.run} sent it`;
  if (since.isAsSent) return [paragraph(page, `All of it is as ${sent}.`, '')];
  const gone = since.changes.filter(({ is }) => is === 'gone').map(({ step }) => step);
  const said = [
    ...(marks.includes('changed') ? [`* differs from what was sent.`] : []),
    ...(marks.includes('added') ? ['+ was not sent.'] : []),
    ...(marks.includes('unknown') ? ['? Its record differs; the journal does not show in which field.'] : []),
    ...(gone.length === 0 ? [] : [`A record that was sent is not here as it was sent: ${gone.join(', ')}.`]),
  ];
  const about =
    said.length === 0
      ? `It differs from what was sent since ${sent}; the journal does not show where.`
      : `Since ${sent}: ${said.join(' ')}`;
  const limit = 'The journal keeps six bits of a digest of each field: one change in 64 has no mark.';
  return [paragraph(page, `${about} ${limit}`, '')];
}
