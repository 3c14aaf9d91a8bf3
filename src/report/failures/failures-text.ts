import { shownText } from '../../domain/foreign-text.ts';
import { counted, formatCount } from '../format.ts';
import { paragraph } from '../paragraph.ts';
import { table, type Column } from '../table.ts';
import type { Page } from '../terminal.ts';
import type { FailureGroup } from './failure-groups.ts';

/** One sentence about a group: how many, where, and what all of them share. */
export function failureText({ state, code, accounts, step, column, shared }: FailureGroup): string {
  const where = step === undefined ? '' : ` at ${step}`;
  const why = code === '' ? '' : ` with ${shownText(code)}`;
  const all = accounts === 1 ? '' : 'all ';
  const place =
    column === undefined ? '' : `, ${all}in column ${shownText(column.column)} of ${shownText(column.file)}`;
  const start = `${formatCount(accounts)} ${state}${where}${why}${place}.`;
  return shared === undefined ? start : `${start} ${sharedText(shared)}`;
}

/** The largest groups, and how many others there are. */
export function failureTexts(groups: readonly FailureGroup[], most: number): string[] {
  const rest = groups.slice(most);
  const others = rest.reduce((sum, { accounts }) => sum + accounts, 0);
  return [
    ...groups.slice(0, most).map(failureText),
    ...(rest.length === 0
      ? []
      : [
          `${counted(others, 'account')} with ${counted(rest.length, 'other code')}: migrate list --summary.`,
        ]),
  ];
}

/** For people: all groups as a table, with what they share below. */
export function failuresTable(page: Page, groups: readonly FailureGroup[]): string {
  if (groups.length === 0) return 'No account is rejected or failed.';
  const columns: Column[] = [
    { title: 'Accounts', align: 'right' },
    { title: 'State' },
    { title: 'Code', whole: true },
    { title: 'Step' },
    { title: 'Column' },
  ];
  const rows = groups.map(({ accounts, state, code, step, column }) => [
    formatCount(accounts),
    state,
    shownText(code),
    step ?? '',
    column === undefined ? '' : shownText(`${column.file}:${column.column}`),
  ]);
  return [table(page, columns, rows), ...sharedTexts(page, groups)].join('\n');
}

function sharedTexts(page: Page, groups: readonly FailureGroup[]): string[] {
  return groups.flatMap(({ shared, code }) =>
    shared === undefined ? [] : ['', paragraph(page, `${shownText(code)}: ${sharedText(shared)}`, '')],
  );
}

/** What a run found that a group shares, beyond step, code and column. */
export function sharedText({
  run,
  accounts,
  compared,
  differences,
}: NonNullable<FailureGroup['shared']>): string {
  return `What all ${formatCount(accounts)} share that run ${run} compared, and none of ${formatCount(compared)} completed ones: ${differences.map(shownText).join('; ')}.`;
}

/** A group as one JSON line, and in the summary of `morning`. */
export function failureRecord({ state, code, accounts, step, column, shared }: FailureGroup): object {
  return {
    ...{ state, code: code === '' ? null : code, accounts },
    step: step ?? null,
    file: column?.file ?? null,
    column: column?.column ?? null,
    shared:
      shared === undefined
        ? null
        : {
            run: shared.run,
            accounts: shared.accounts,
            compared: shared.compared,
            differences: shared.differences,
          },
  };
}
