import { directoryOf } from '../advice/run-directory.ts';
import { leftOfBook } from '../advice/of-book.ts';
import type { Outstanding } from '../advice/outstanding.ts';
import { nextSteps, openSteps } from '../advice/remedies.ts';
import { formatTime } from '../format.ts';
import { html, type Html } from './markup.ts';
import { pageDocument } from './page-document.ts';
import { causesSections } from './failures-section.ts';
import { moneyOfBook } from './money-section.ts';
import { nightsSection } from './nights-section.ts';
import {
  accountsSection,
  runsSection,
  section,
  slowestSection,
  stepsSection,
  timeSection,
  type ReportView,
} from './sections.ts';
import { activeRun } from '../run-state.ts';
import { readingLines } from '../readings.ts';
import { morningAnswers, morningHeadline, nextCommand, nightsLeftText } from '../morning/morning-text.ts';
import { headlineBox } from './headline-box.ts';
import { headlineOf } from './headline.ts';
import { inText, nextStepsList } from './next-steps.ts';

/** The whole report as one self-contained HTML page. It contains account numbers, places, who started the runs, and sums of amounts: no customer names, no values of an account. */
export function reportPage(view: ReportView): string {
  const { supplier, platformLabel, at, timeZone, version } = view;
  const title = supplier === undefined ? 'Migration' : `Migration of ${supplier}`;
  const time = `${formatTime(at, timeZone).slice(0, 16)} (${timeZone})`;
  const where =
    platformLabel === undefined
      ? ''
      : ` to ${platformLabel === 'embedded' ? 'the embedded platform (a rehearsal)' : platformLabel}`;
  const body = html`<header>
      <h1>${title}${where}</h1>
      <p class="faint">State of the journal on ${time}${isActive(view) ? `. ${readInTurn}` : ''}</p>
    </header>
    <main>${bookParts(view)}</main>
    ${reportFooter(version)}`;
  return pageDocument(title, body);
}

/** What a page says that was made during a run. */
export const readInTurn =
  'A run is under way: what is below was read one after another, so figures may differ by what it does meanwhile.';

/** Whether a run of the supplier is under way. */
export function isActive({ runs, running }: Pick<ReportView, 'runs' | 'running'>): boolean {
  return activeRun(runs, running) !== undefined;
}

/** What is said of one supplier: first what to do and why, then the figures. */
export function bookParts(view: ReportView): Html {
  const { overview, survey } = view;
  return html`${headlineSection(view)} ${steps(view)}
  ${survey === undefined ? '' : causesSections(view, survey)} ${nightSection(view)}
  ${nightsSection(view, view.night?.pace)} ${overview === undefined ? '' : accountsSection(overview)}
  ${survey === undefined ? '' : moneyOfBook(view, survey.money)}
  ${survey === undefined ? '' : timeSection(survey, view)}
  ${overview === undefined || survey === undefined ? '' : stepsSection(overview, survey.durations, view.notOffered ?? [])}
  ${survey === undefined ? '' : slowestSection(survey)} ${readingsSection(view)} ${runsSection(view)}`;
}

/** The end of every report. */
export function reportFooter(version: string): Html {
  return html`<footer>
    <p>
      Made by migrate ${version}. This page needs no network. It holds account numbers, places in files, who
      started the runs, and sums of amounts: no customer names, no values of an account.
    </p>
  </footer>`;
}

function nightSection({ night, timeZone, supplier, flags }: ReportView): Html | string {
  if (night?.run === undefined) return '';
  // The next steps say where to type commands.
  const here = night.continues && directoryOf([night.continues]);
  const given = { supplier, text: flags, ...(here === undefined ? {} : { here }) };
  return section(
    'night',
    morningHeadline(night),
    html`${morningAnswers(night, timeZone, given).map((line) => html`<p>${inText(line)}</p>`)}
      <pre><code>${nextCommand(night, given)}</code></pre>`,
  );
}

function readingsSection({ readings = [], timeZone }: ReportView): Html | string {
  if (readings.length === 0) return '';
  const lines = readingLines(readings, timeZone).map((line) => html`<p>${line}</p>`);
  return section('readings', 'Read back', lines);
}

function headlineSection(view: ReportView): Html {
  const { overview, runs, running, timeZone, empty, survey, night } = view;
  return headlineBox(headlineOf(overview, runs, empty, survey?.warned), {
    ...{ runs, running, timeZone },
    steps: openSteps(leftIn(view)),
    more: nightsLeftText(night?.pace),
  });
}

function steps(view: ReportView): Html {
  return section('next', 'What to do next', nextStepsList(nextSteps(leftIn(view)), [directoryOf(view.runs)]));
}

function leftIn({ supplier = 'CODE', flags, survey, ...seen }: ReportView): Outstanding {
  return leftOfBook({ ...seen, place: { supplier, flags }, survey });
}
