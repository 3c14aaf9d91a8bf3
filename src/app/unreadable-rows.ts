import { exitCodes } from '../domain/exit-codes.ts';
import { counted } from '../report/format.ts';
import { CannotStart } from './cannot-start.ts';
import { formatProblem } from './format-problem.ts';
import type { Plans } from './open-plans.ts';

const mostNamed = 20;
const remedy = 'Fix or remove them, or run without them with --skip-unreadable.';

/** If rows may belong to any account, every account may be incomplete: throws CannotStart. */
export function refuseUnreadable({ faults }: Pick<Plans, 'faults'>): void {
  const unreadable = unreadableRows(faults);
  if (unreadable.length === 0) return;
  const more = unreadable.length - mostNamed;
  throw new CannotStart(
    exitCodes.usage,
    [
      ...unreadable.slice(0, mostNamed).map(formatProblem),
      ...(more > 0 ? [`${counted(more, 'more row')} like these; --json lists all.`] : []),
      `It is not known which accounts these rows belong to, so nothing was sent: any account may lack them. ${remedy}`,
    ],
    unreadable,
  );
}

/** The message of `validate` if a run would refuse these rows; undefined if it would not. */
export function wouldRefuse({ faults }: Pick<Plans, 'faults'>): string | undefined {
  return unreadableRows(faults).length === 0
    ? undefined
    : `A run would send nothing: it is not known which accounts some rows belong to. ${remedy}`;
}

function unreadableRows(faults: Plans['faults']): Plans['faults'] {
  return faults.filter((fault) => fault.holdsBack);
}
