import { whoActs } from '../advice/remedy.ts';
import { causeOf } from '../failures/causes.ts';
import { quoted } from '../command-line.ts';
import { columnText } from '../failures/failures-text.ts';
import { formatCount } from '../format.ts';
import { dataTable, html, type Html } from './markup.ts';
import { accountNumber, breakable, machineName, section } from './sections.ts';
import { statePill } from './state-pill.ts';
import type { Survey, SurveyedGroup } from './survey.ts';

/** Whose reasons are told. */
export interface CausesSeen {
  readonly supplier?: string | undefined;
  /** Those of settings and journal, as text to append to a command. */
  readonly flags: string;
  /** What each problem code means, in a sentence; default: nothing is said. */
  readonly sentences?: ReadonlyMap<string, string>;
}

/** Of all suppliers together; each has all of its own. */
const mostTogether = 12;

/** Why accounts did not arrive, by cause; then the warnings. With the commands that list every account. */
export function causesSections(seen: CausesSeen, survey: Survey): readonly Html[] {
  const { supplier = 'CODE', flags, sentences = new Map<string, string>() } = seen;
  const list = `migrate list --supplier ${quoted(supplier)}${flags}`;
  const states = [...new Set(survey.failures.map(({ state }) => state))];
  const commands = states.map((state) => `${list} --state ${state} --csv ${state}.csv`);
  return [failuresSection(survey, commands, sentences), warningsSection(survey, `${list} --code`, sentences)];
}

/** The causes of several suppliers, the most frequent first; nothing where none has any. */
export function causesTogether(
  suppliers: readonly { readonly supplier?: string | undefined; readonly survey?: Survey | undefined }[],
  sentences: ReadonlyMap<string, string> = new Map(),
): Html {
  const groups = suppliers
    .flatMap(({ supplier = '', survey }) => (survey?.failures ?? []).map((group) => ({ supplier, group })))
    .sort((one, other) => other.group.accounts - one.group.accounts);
  if (groups.length === 0) return html``;
  const columns = [
    { title: 'Supplier' },
    { title: 'Accounts', isNumber: true },
    { title: 'Cause' },
    { title: 'Who must act' },
  ];
  const rows = groups
    .slice(0, mostTogether)
    .map(({ supplier, group }) => [
      breakable(supplier),
      formatCount(group.accounts),
      causeCell(group, sentences, false),
      whoActs[causeOf(group.state, group.code).who],
    ]);
  const others = groups.length - rows.length;
  return section('causes', 'What went wrong', [
    dataTable(
      'Accounts that did not arrive completely, by supplier and reason',
      columns,
      rows,
      groups.slice(0, mostTogether).map(({ supplier, group }) => `${supplier} ${group.state} ${group.code}`),
    ),
    ...(others > 0 ? [html`<p>${formatCount(others)} more reasons are with their suppliers.</p>`] : []),
  ]);
}

/** `commands`: that list every account, with all its cells. */
function failuresSection(
  { failures, otherFailures }: Survey,
  commands: readonly string[],
  sentences: ReadonlyMap<string, string>,
): Html {
  if (failures.length === 0)
    return section(
      'failures',
      'What went wrong',
      html`<p>Nothing: no account was rejected, failed or skipped.</p>`,
    );
  const more =
    otherFailures === 0
      ? []
      : [html`<p>Further reasons, ${formatCount(otherFailures)} times, are not in this table.</p>`];
  return section('failures', 'What went wrong', [
    reasonsTable(
      'Accounts that did not arrive completely, or whose data in the export is refused now, by reason',
      failures,
      sentences,
    ),
    ...more,
    html`<p>
      An account with several reasons is in the row of each.
      ${commands.length === 1 ? 'This command lists' : 'These commands list'} every account with all its
      cells:
    </p>`,
    ...commands.map((command) => html`<pre><code>${command}</code></pre>`),
    html`<p class="faint">
      An example is an account number and the faulty cell: file, line and column, or a path in its data.
    </p>`,
  ]);
}

/** What held nothing back: the platform's changes, and data that looks wrong. `listing`: the command, up to the code. */
function warningsSection(
  { warnings }: Survey,
  listing: string,
  sentences: ReadonlyMap<string, string>,
): Html {
  const [first] = warnings;
  if (first === undefined) return html``;
  return section('warnings', 'Warnings', [
    html`<p>What the platform changed in accounts, or what looks wrong in them, and held nothing back:</p>`,
    reasonsTable('Accounts with warnings, by code', warnings, sentences, true),
    html`<p>
      This command lists ${warnings.length === 1 ? 'the accounts' : 'those of the first code'}, with the
      cells:
    </p>`,
    html`<pre><code>${listing} ${first.code}</code></pre>`,
  ]);
}

function reasonsTable(
  caption: string,
  groups: readonly SurveyedGroup[],
  sentences: ReadonlyMap<string, string>,
  isOfWarnings = false,
): Html {
  const columns = [
    { title: 'Accounts', isNumber: true },
    { title: 'Cause' },
    ...(isOfWarnings ? [] : [{ title: 'Who must act' }]),
    { title: 'For example' },
  ];
  const rows = groups.map((group) => {
    const examples = group.examples.map(({ account, places }) => {
      const where = places.map((place) => html` <code>${place}</code>`);
      return html`<li>${accountNumber(account)}${where}</li>`;
    });
    return [
      formatCount(group.accounts),
      causeCell(group, sentences, isOfWarnings),
      ...(isOfWarnings ? [] : [whoActs[causeOf(group.state, group.code).who]]),
      html`<ul>
        ${examples}
      </ul>`,
    ];
  });
  return dataTable(
    caption,
    columns,
    rows,
    groups.map(({ state, code }) => (isOfWarnings ? code : `${state} ${code}`)),
  );
}

/** The cause first, then the column that all share, the code, and what it means. */
function causeCell(
  { state, code, column }: SurveyedGroup,
  sentences: ReadonlyMap<string, string>,
  isWarning: boolean,
): Html {
  const { words = code.replaceAll('_', ' ') } = isWarning ? {} : causeOf(state, code);
  const from = column === undefined ? '' : html`, all from <code>${columnText(column)}</code>`;
  // Such as `http_`, of all statuses.
  const sentence = sentences.get(code) ?? sentences.get(code.replace(/\d+$/, ''));
  const meaning = sentence === undefined ? '' : html`<span class="meaning">${sentence}</span>`;
  return html`<strong>${words === '' ? state : words}</strong
    >${from}<br />${isWarning ? '' : statePill(state)} ${code === '' ? '' : machineName(code)}${meaning}`;
}
