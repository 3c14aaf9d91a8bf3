import type { CheckEnding } from './ending.ts';
import { copiedRowsText } from './copied-rows-text.ts';
import { counted, formatCount } from './format.ts';
import { ignoredRowsText } from './partly-read.ts';
import { paragraph } from './paragraph.ts';
import { problemCount, problemList } from './problem-list.ts';
import type { Page } from './terminal.ts';

type ValidateView = Pick<
  CheckEnding,
  'accounts' | 'valid' | 'ignoredRows' | 'problems' | 'heldBack' | 'requests' | 'rejectedRows'
>;

/** For programs: the fields of the summary of `validate`. `problems` counts errors and warnings. */
export function validateSummary({ accounts, valid, ignoredRows, problems, requests }: ValidateView): object {
  return {
    accounts,
    valid,
    invalid: accounts - valid,
    problems: problems.problems,
    warnings: problems.warnings,
    byCode: problems.byCode,
    ignoredRows,
    requests,
  };
}

/** For people. `rejects`: where rejected rows were to be copied. */
export function validateText(
  page: Page,
  { accounts, valid, ignoredRows, problems, heldBack, requests, rejectedRows = 0 }: ValidateView,
  rejects?: string,
): string {
  const { bold, green } = page.paint;
  const result = `${counted(accounts, 'account')} checked: ${formatCount(valid)} valid, ${formatCount(accounts - valid)} invalid`;
  const asked =
    requests === undefined
      ? []
      : [
          `The platform was asked about those that passed the local checks, in ${counted(requests, 'request')}.`,
        ];
  const ignored = [...asked, ...ignoredRowsText(ignoredRows)].map((line) => paragraph(page, line));
  if (problems.problems === 0) return [green(`${result}, no problems`), ...ignored].join('\n');
  const title = paragraph(page, `${result}, ${problemCount(problems)}`, '');
  const held = heldBack === undefined ? [] : [paragraph(page, heldBack)];
  const copied =
    rejects === undefined || rejectedRows === 0
      ? []
      : [paragraph(page, copiedRowsText(rejectedRows, rejects))];
  return [problemList(page, problems), '', bold(title), ...ignored, ...held, ...copied].join('\n');
}
