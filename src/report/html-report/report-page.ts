import { nightReasons } from '../../domain/night-reasons.ts';
import { zeroCounts } from '../../domain/account-state.ts';
import { changedAfterImport, notOurs } from '../../domain/shared-codes.ts';
import { quoted } from '../command-line.ts';
import { changedText } from '../changed-text.ts';
import { counted, formatCount, formatTime } from '../format.ts';
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
import { activeRun, activeText, runLine } from '../run-state.ts';
import { readingLines } from '../readings.ts';
import { morningAnswers, morningHeadline, nextCommand } from '../morning/morning-text.ts';
import type { Survey } from './survey.ts';
import { withoutSupplierIn } from '../without-supplier.ts';
import { hasRowsOfNoAccount, headlineOf } from './headline.ts';

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

/** What is left for the next run, and what comes before it. */
function unfinishedText(
  { failed, unfinished }: { readonly failed: number; readonly unfinished: number },
  night: ReportView['night'],
): string {
  const what = [
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(unfinished > 0 ? [`${formatCount(unfinished)} not finished`] : []),
  ].join(', ');
  const first = night === undefined || night.good ? '' : nightReasons[night.reason].first;
  const again = 'the same command again, with the flags of your runs.';
  return first === '' ? `${what}: run ${again}` : `${what}: ${first} Then run ${again}`;
}

interface NextStep {
  readonly what: string;
  /** Commands ready to type; accounts and paths are quoted for a shell. */
  readonly commands: readonly string[];
}

/** What to do now, most urgent first, with the exact commands. */
function nextSteps(view: ReportView): readonly NextStep[] {
  const { supplier = 'CODE', flags, overview, runs, survey } = view;
  const source = quoted(runs.find(({ dryRun }) => !dryRun)?.export ?? runs[0]?.export ?? './export');
  const of = `--supplier ${quoted(supplier)}${flags}`;
  const run = `migrate run ${source} ${of}`;
  const { pending, staged, imported, completed, rejected, failed, uncertain, skipped } =
    overview?.accounts ?? zeroCounts();
  const unfinished = pending + staged + imported;
  const active = activeRun(runs, view.running);
  const steps: NextStep[] = [];
  if (uncertain > 0) {
    const { account, step } = survey?.uncertain ?? { account: 'ACCOUNT', step: 'STEP' };
    steps.push({
      what: `${formatCount(uncertain)} uncertain: find out on the platform whether the step took effect, and record a ruling. Nothing is sent again for it until then.${uncertain > 1 ? ' For many, fill in the column ruling of the list.' : ''}`,
      commands: [
        `migrate show ${quoted(account)} ${of}`,
        `migrate resolve ${quoted(account)} ${of} --step ${step} --as done`,
        `migrate resolve ${quoted(account)} ${of} --step ${step} --as repeat`,
        ...(uncertain > 1
          ? [
              `migrate list ${of} --state uncertain --csv uncertain.csv`,
              `migrate resolve --from uncertain.csv${flags}`,
            ]
          : []),
        ...(step === 'process' ? [`migrate resolve ${quoted(account)} ${of} --step process --as skip`] : []),
      ],
    });
  }
  const changed = overview?.changedAfterImport ?? 0;
  const refused = rejected - changed;
  if (refused > 0)
    steps.push({
      what: `${formatCount(refused)} rejected: correct the cells that this list names, and run the export again. If the platform was at fault and the data is right, send them again unchanged.`,
      commands: [
        `migrate list ${of} --state rejected --csv rejected.csv`,
        `migrate validate ${source} ${of}`,
        run,
        `migrate retry ${of}`,
      ],
    });
  if (changed > 0)
    steps.push({
      what: changedText(changed),
      commands: [
        `migrate list ${of} --code ${changedAfterImport}`,
        `migrate explain ${source} --earlier OLD_EXPORT`,
        `migrate resolve ACCOUNT ${of} --as corrected`,
      ],
    });
  const refusedData = overview?.refusedData ?? 0;
  if (refusedData > 0)
    steps.push({
      what: `${counted(refusedData, 'completed account')} ${refusedData === 1 ? 'has' : 'have'} data in the export now that is refused: what arrived stays as it is, and nothing more is sent. Correct the cells named below, and run the export again.`,
      commands: [`migrate validate ${source} ${of}`, run],
    });
  const unnamed = withoutSupplierIn(runs);
  if (unnamed !== undefined)
    steps.push({
      what: `${counted(unnamed.accounts, 'account')} without an import supplier: correct the rows in the export, and run it again.`,
      commands: [`migrate validate ${quoted(unnamed.export)}${flags}`, run],
    });
  if (hasRowsOfNoAccount(runs, refusedData))
    steps.push({
      what: 'Rows of the export belong to no account: correct them, and run the export again.',
      commands: [`migrate validate ${source} ${of}`, run],
    });
  const partlyRead = overview?.partlyRead ?? [];
  if (active === undefined && failed + unfinished === 0 && partlyRead.length > 0)
    steps.push({
      what: 'An export was not read to its end: run the same command again, with the flags of your runs.',
      commands: [run],
    });
  if (active !== undefined)
    steps.unshift({
      what: `Run ${active.id} ${activeText(active, view.timeZone)}. Wait for its end; the rest of this list is as of now.`,
      commands: [`migrate status --watch ${of}`],
    });
  if (active === undefined && failed + unfinished > 0)
    steps.push({
      what: unfinishedText({ failed, unfinished }, view.night),
      commands: [run],
    });
  const ruled = survey?.failures.find(({ state, code }) => state === 'skipped' && code === notOurs);
  const theirs = skipped - (ruled?.accounts ?? 0);
  if (theirs > 0)
    steps.push({
      what: `${formatCount(theirs)} skipped: the platform has them, and this journal did not create them. Find out who did. To leave them alone, write skip into the column ruling of the list, and record it. If they are yours, --adopt continues with them.`,
      commands: [
        `migrate list ${of} --state skipped --csv theirs.csv`,
        `migrate resolve --from theirs.csv${flags}`,
        `${run} --adopt`,
      ],
    });
  if (completed > 0)
    steps.push({
      what: 'Prove that everything arrived: compare export, journal and platform, account by account, to the last penny.',
      commands: [`migrate reconcile ${source} ${of}`],
    });
  if (steps.length === 0)
    steps.push({
      what: 'Check the export, then run it.',
      commands: [`migrate validate ${source} ${of}`, run],
    });
  if (steps.length === 1 && completed > 0)
    steps.push({
      what: 'Pass the new account numbers on to downstream systems.',
      commands: [`migrate numbers ${of} --out numbers.csv`],
    });
  return steps;
}
