import { leftOfBook } from '../advice/of-book.ts';
import { nextSteps } from '../advice/remedies.ts';
import { quoted } from '../command-line.ts';
import { formatTime } from '../format.ts';
import { html, type Html } from './markup.ts';
import { pageDocument } from './page-document.ts';
import {
  accountsSection,
  failuresSection,
  moneySection,
  runsSection,
  section,
  slowestSection,
  stepsSection,
  timeSection,
  warningsSection,
  type ReportView,
} from './sections.ts';
import { runLine } from '../run-state.ts';
import { readingLines } from '../readings.ts';
import { morningAnswers, morningHeadline, nextCommand } from '../morning/morning-text.ts';
import type { Survey } from './survey.ts';
import { headlineOf } from './headline.ts';
import { nextStepsList } from './next-steps.ts';

/** The whole report as one self-contained HTML page. It contains account numbers, places and who started the runs: no customer names, no values. */
export function reportPage(view: ReportView): string {
  const { supplier, platformLabel, at, timeZone, version, overview, survey } = view;
  const title = supplier === undefined ? 'Migration' : `Migration of ${supplier}`;
  const time = `${formatTime(at, timeZone).slice(0, 16)} (${timeZone})`;
  const where =
    platformLabel === undefined
      ? ''
      : ` to ${platformLabel === 'embedded' ? 'the embedded platform (a rehearsal)' : platformLabel}`;
  const body = html`<header>
      <h1>${title}${where}</h1>
      <p class="faint">State of the journal on ${time}</p>
    </header>
    <main>
      ${headlineSection(view)} ${nightSection(view)} ${steps(view)}
      ${overview === undefined ? '' : accountsSection(overview)}
      ${survey === undefined ? '' : timeSection(survey, view.runs, timeZone)}
      ${overview === undefined || survey === undefined ? '' : stepsSection(overview, survey.durations, view.notOffered ?? [])}
      ${survey === undefined ? '' : lists(view, survey)} ${readingsSection(view)} ${runsSection(view)}
    </main>
    <footer>
      <p>
        Made by migrate ${version}. This page needs no network. It holds account numbers, places in files, and
        who started the runs: no customer names, no values.
      </p>
    </footer>`;
  return pageDocument(title, body);
}

/** The lists of accounts, and the money. */
function lists(view: ReportView, survey: Survey): readonly Html[] {
  const { supplier = 'CODE', flags, sentences = new Map<string, string>() } = view;
  const list = `migrate list --supplier ${quoted(supplier)}${flags}`;
  const states = [...new Set(survey.failures.map(({ state }) => state))];
  const commands = states.map((state) => `${list} --state ${state} --csv ${state}.csv`);
  return [
    failuresSection(survey, commands, sentences),
    warningsSection(survey, `${list} --code`, sentences),
    slowestSection(survey),
    moneySection(survey.money),
  ];
}

function nightSection({ night, timeZone, supplier }: ReportView): Html | string {
  if (night?.run === undefined) return '';
  return section(
    'night',
    morningHeadline(night),
    html`${morningAnswers(night, timeZone).map((line) => html`<p>${line}</p>`)}
      <pre><code>${nextCommand(night, { supplier })}</code></pre>`,
  );
}

function readingsSection({ readings = [], timeZone }: ReportView): Html | string {
  if (readings.length === 0) return '';
  const lines = readingLines(readings, timeZone).map((line) => html`<p>${line}</p>`);
  return section('readings', 'Read back', lines);
}

function headlineSection({ overview, runs, running, timeZone, empty, survey }: ReportView): Html {
  const { tone, headline, sentence } = headlineOf(overview, runs, empty, survey?.warned);
  return html`<section class="headline ${tone}" aria-labelledby="headline">
    <h2 id="headline">${headline}</h2>
    ${runs.length === 0 ? '' : html`<p class="run">${runLine({ runs, running, timeZone })}</p>`}
    <p>${sentence}</p>
  </section> `;
}

function steps(view: ReportView): Html {
  const { supplier = 'CODE', flags, survey, ...seen } = view;
  const left = leftOfBook({ ...seen, place: { supplier, flags }, survey });
  return section('next', 'What to do next', nextStepsList(nextSteps(left)));
}
