import { stepNames } from '../domain/steps.ts';
import { meaningOf, type AccountHistory } from '../report/account-history.ts';
import { attemptRows } from '../report/attempt-rows.ts';
import { actorText, formatDuration, formatTime } from '../report/format.ts';
import { dataTable, html, type Html, type Piece } from '../report/html-report/markup.ts';
import { pageDocument } from '../report/html-report/page-document.ts';
import { accountNumber, machineName, section } from '../report/html-report/sections.ts';
import { cellsOf, placesOf } from '../report/listed-part.ts';
import { faultyPlace } from '../report/problem-list.ts';
import { accountForm } from './night-page.ts';

export interface AccountView {
  /** The requested number. */
  readonly account: string;
  /** What the journal has of it: once for each supplier and platform. */
  readonly found: readonly AccountHistory[];
  /** IANA name. */
  readonly timeZone: string;
}

/** Everything that the journal has of an account: its state, every request and answer, and the faulty cells. */
export function accountPage({ account, found, timeZone }: AccountView): string {
  const title = `Account ${account}`;
  const body = html`<header>
      <p><a href="./">All suppliers</a></p>
      <h1>${title}</h1>
      ${accountForm()}
    </header>
    <main>
      ${
        found.length === 0
          ? html`<p>The journal has no account with this number. Check the number.</p>`
          : found.map((story, at) => storySection(story, timeZone, `account-${at}`))
      }
    </main>`;
  return pageDocument(title, body, { sendsForms: true });
}

function storySection(story: AccountHistory, timeZone: string, id: string): Html {
  const { platformLabel, entry } = story;
  const { key, state, code, krakenAccountNumber, steps, from, dataFrom = from } = entry;
  const facts: Piece[][] = [
    ['State', html`${state}: ${meaningOf(entry)}`],
    ...(code === '' ? [] : [['Reason', machineName(code)]]),
    ...(krakenAccountNumber === undefined ? [] : [['New number', accountNumber(krakenAccountNumber)]]),
    ...(dataFrom === undefined ? [] : [['Export', html`<code>${dataFrom}</code>`]]),
    ...stepNames.filter((step) => steps[step] !== 'none').map((step) => [step, steps[step]]),
  ];
  const heading = `${key.supplier} on ${platformLabel}`;
  return section(id, heading, [
    dataTable(`State and steps, ${heading}`, [{ title: 'Field' }, { title: 'Value' }], facts),
    ...attemptsPart(story, timeZone),
    ...cellsPart(story),
    ...problemsPart(story),
    ...interventionsPart(story, timeZone),
  ]);
}

function attemptsPart({ attempts }: AccountHistory, timeZone: string): Html[] {
  if (attempts.length === 0) return [html`<p>No request was sent.</p>`];
  const columns = [
    { title: `Sent (${timeZone})` },
    { title: 'Run', isNumber: true },
    { title: 'Step' },
    { title: 'Part', isNumber: true },
    { title: 'Try', isNumber: true },
    { title: 'Took', isNumber: true },
    { title: 'State' },
    { title: 'Answer' },
  ];
  const rows = attemptRows(attempts).map(
    ({ sentAt, answeredAt, run, step, part, attempt, state, answer }) => [
      formatTime(sentAt, timeZone),
      run,
      step,
      part + 1,
      attempt,
      answeredAt === undefined ? '' : formatDuration(answeredAt - sentAt),
      state,
      answer,
    ],
  );
  return [html`<h3>Requests and answers</h3>`, dataTable('Requests and answers', columns, rows)];
}

function cellsPart(story: AccountHistory): Html[] {
  const rows = story.entry.parts.flatMap((part) => {
    if (part.state === 'done') return [];
    const places = placesOf({ cells: cellsOf(story.entry, part, story) });
    if (places.length === 0) return [];
    return [
      [`${part.step} part ${part.part + 1}`, part.state, places.map((place) => html`<code>${place}</code> `)],
    ];
  });
  if (rows.length === 0) return [];
  const columns = ['Part', 'State', 'Cells'].map((title) => ({ title }));
  return [html`<h3>Cells of its parts</h3>`, dataTable('Cells of its parts', columns, rows)];
}

function problemsPart({ problems }: AccountHistory): Html[] {
  if (problems.length === 0) return [];
  const rows = problems.map((problem) => [
    html`<code>${faultyPlace(problem)}</code>`,
    machineName(problem.code),
    problem.isWarning === true ? 'warning' : 'error',
    [problem.step, problem.path].filter((text) => text !== undefined && text !== '').join(' '),
  ]);
  const columns = ['Place', 'Code', 'Severity', 'Field'].map((title) => ({ title }));
  return [html`<h3>Problems</h3>`, dataTable('Problems', columns, rows)];
}

function interventionsPart({ interventions }: AccountHistory, timeZone: string): Html[] {
  if (interventions.length === 0) return [];
  const rows = interventions.map(({ at, command, by }) => [
    formatTime(at, timeZone),
    command,
    by === undefined ? 'not recorded' : actorText(by),
  ]);
  const columns = [`When (${timeZone})`, 'Command', 'By'].map((title) => ({ title }));
  return [
    html`<h3>Rulings, retries and restores</h3>`,
    dataTable('Rulings, retries and restores', columns, rows),
  ];
}
