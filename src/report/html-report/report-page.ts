import { formatTime } from '../format.ts';
import { html, type Html } from './markup.ts';
import { pageDocument } from './page-document.ts';
import { nextSteps } from './next-steps.ts';
import type { ReportView } from './report-view.ts';
import {
  accountsSection,
  failuresSection,
  moneySection,
  runsSection,
  section,
  slowestSection,
  stepsSection,
  timeSection,
} from './sections.ts';
import { verdictOn } from './verdict.ts';

/** The whole report as one self-contained HTML page. It contains account numbers, places and who started the runs: no customer names, no values. */
export function reportPage(view: ReportView): string {
  const { supplier, platformLabel, at, timeZone, version, overview, survey } = view;
  const title = supplier === undefined ? 'Migration' : `Migration of ${supplier}`;
  const time = `${formatTime(at, timeZone).slice(0, 16)} (${timeZone})`;
  const where =
    platformLabel === undefined
      ? ''
      : ` to ${platformLabel === 'embedded' ? 'the embedded platform' : platformLabel}`;
  const body = html`<header>
      <h1>${title}${where}</h1>
      <p class="faint">State of the journal on ${time}</p>
    </header>
    <main>
      ${verdict(view)} ${steps(view)} ${overview === undefined ? '' : accountsSection(overview)}
      ${survey === undefined ? '' : timeSection(survey, timeZone)}
      ${overview === undefined || survey === undefined ? '' : stepsSection(overview, survey.durations, view.notOffered ?? [])}
      ${survey === undefined ? '' : [failuresSection(survey), slowestSection(survey), moneySection(survey.money)]}
      ${runsSection(view)}
    </main>
    <footer>
      <p>
        Made by migrate ${version}. This page needs no network. It holds account numbers, places in files, and
        who started the runs: no customer names, no values.
      </p>
    </footer>`;
  return pageDocument(title, body);
}

function verdict({ overview, empty }: ReportView): Html {
  const { tone, headline, sentence } = verdictOn(overview, empty);
  return html`<section class="verdict ${tone}" aria-labelledby="verdict">
    <h2 id="verdict">${headline}</h2>
    <p>${sentence}</p>
  </section> `;
}

function steps(view: ReportView): Html {
  const items = nextSteps(view).map(({ what, commands }) => {
    const typed = commands.map((command) => html`<pre><code>${command}</code></pre>`);
    return html`<li>${what} ${typed}</li>`;
  });
  return section(
    'next',
    'What to do next',
    html`<ol>
      ${items}
    </ol>`,
  );
}
