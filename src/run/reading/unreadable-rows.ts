import { exitCodes } from '../../domain/exit-codes.ts';
import { counted } from '../../report/format.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { formatProblem } from './format-problem.ts';
import type { Plans } from './plans.ts';

const mostNamed = 20;
const remedy = 'Fix or remove them, or run without them with --skip-unreadable.';
const cutRemedy = 'Export it again, or run without the missing rows with --skip-unreadable.';

/** If rows may belong to any account, or are missing, every account may be incomplete: throws CannotStart. */
export function refuseUnreadable({ faults }: Pick<Plans, 'faults'>): void {
  const unreadable = unreadableRows(faults);
  if (unreadable.length === 0) return;
  const more = unreadable.length - mostNamed;
  const { isCut, isUnknown } = kindsOf(unreadable);
  throw new CannotStart(
    exitCodes.usage,
    [
      ...unreadable.slice(0, mostNamed).map(formatProblem),
      ...(more > 0 ? [`${counted(more, 'more row')} like these; --json lists all.`] : []),
      ...(isCut
        ? [`A file is cut off, so nothing was sent: rows of any account may be missing. ${cutRemedy}`]
        : []),
      ...(isUnknown
        ? [
            `It is not known which accounts these rows belong to, so nothing was sent: each account may lack some. ${remedy}`,
          ]
        : []),
    ],
    unreadable,
  );
}

/** The message of `validate` if a run would refuse these rows; undefined if it would not. */
export function wouldRefuse({ faults }: Pick<Plans, 'faults'>): string | undefined {
  const { isCut, isUnknown } = kindsOf(unreadableRows(faults));
  if (isCut)
    return `A run would send nothing: a file is cut off, and rows of any account may be missing. ${cutRemedy}`;
  return isUnknown
    ? `A run would send nothing: it is not known which accounts some rows belong to. ${remedy}`
    : undefined;
}

function unreadableRows(faults: Plans['faults']): Plans['faults'] {
  return faults.filter((fault) => fault.holdsBack);
}

function kindsOf(unreadable: Plans['faults']): { readonly isCut: boolean; readonly isUnknown: boolean } {
  return {
    isCut: unreadable.some(({ code }) => code === truncated),
    isUnknown: unreadable.some(({ code }) => code !== truncated),
  };
}

const truncated = 'truncated_file';
