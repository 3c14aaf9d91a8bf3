import { shownText } from '../../domain/foreign-text.ts';
import { counted, formatCount } from '../format.ts';
import { paragraph } from '../paragraph.ts';
import type { Page } from '../terminal.ts';
import type { Commands } from '../advice/commands.ts';
import { whoActs } from '../advice/remedy.ts';
import { causeOf } from './causes.ts';
import type { FaultyColumn } from './common-columns.ts';
import type { FailureGroup } from './failure-groups.ts';

/** One sentence about a group: how many, why, from which column, who must act, and what all of them share. */
export function failureText(group: FailureGroup): string {
  const { state, accounts, column, shared } = group;
  const place = column === undefined ? '' : `, ${accounts === 1 ? '' : 'all '}from ${columnText(column)}`;
  const { who } = causeOf(state, group.code);
  const start = `${formatCount(accounts)} ${state}${causeText(group)}${place}. For ${whoActs[who]}.`;
  return shared === undefined ? start : `${start} ${sharedText(shared)}`;
}

function causeText({ state, code, step, isUnsent = false }: FailureGroup): string {
  const { words } = causeOf(state, code);
  const where = isUnsent ? ' before anything was sent' : step === undefined ? '' : ` at ${step}`;
  if (words !== undefined) return `${where}: ${words} (${shownText(code)})`;
  return code === '' ? where : `${where} with ${shownText(code)}`;
}

/** Such as `KUNDEN.csv:PLZ`, as cells are named. */
export function columnText({ file, column }: FaultyColumn): string {
  return shownText(`${file}:${column}`);
}

/** The largest groups, and how many others there are. */
export function failureTexts(
  groups: readonly FailureGroup[],
  most: number,
  list: Commands['list'],
): string[] {
  const rest = groups.length - most;
  return [
    ...groups.slice(0, most).map(failureText),
    ...(rest <= 0 ? [] : [`${counted(rest, 'more cause')}: \`${list('--summary')}\`.`]),
  ];
}

/** For people: all groups, the largest first, each with its cause. */
export function failuresList(page: Page, groups: readonly FailureGroup[]): string {
  if (groups.length === 0) return 'No account is rejected or failed.';
  return groups.map((group) => paragraph(page, failureText(group), '', '  ')).join('\n');
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
    who: causeOf(state, code).who,
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
