import { directoryOf } from '../advice/run-directory.ts';
import { leftOfBook } from '../advice/of-book.ts';
import { nextSteps, openSteps, type NextStep } from '../advice/remedies.ts';
import { counted } from '../format.ts';
import { html, type Html } from './markup.ts';
import { nextStepsList } from './next-steps.ts';
import { section } from './sections.ts';

/** What a supplier's advice is made of. */
type SeenSupplier = Omit<Parameters<typeof leftOfBook>[0], 'place'> & {
  readonly supplier?: string | undefined;
  /** Those of settings and journal, as text to append to a command. */
  readonly flags: string;
};

/** What is to be mended for any of them. */
export function allOpenSteps(suppliers: readonly SeenSupplier[]): readonly NextStep[] {
  return suppliers.flatMap(({ supplier = 'CODE', flags, ...seen }) =>
    openSteps(leftOfBook({ ...seen, place: { supplier, flags } })),
  );
}

/** What comes first for each supplier, and for whom else there is something to do. */
export function firstSteps(suppliers: readonly SeenSupplier[]): Html {
  let hidden = 0;
  const steps = suppliers.flatMap(({ supplier = 'CODE', flags, ...seen }) => {
    const left = leftOfBook({ ...seen, place: { supplier, flags } });
    const open = openSteps(left);
    const all = open.length > 0 ? open : nextSteps(left).slice(0, 1);
    const firsts = all.filter(({ who }, at) => all.findIndex((one) => one.who === who) === at);
    hidden += all.length - firsts.length;
    return firsts.map((step, at) => ({
      at: step.urgent === undefined ? 1 + at : 0,
      ...step,
      sentence: `${supplier}: ${step.sentence}`,
      commands: step.commands.slice(0, 1),
    }));
  });
  return section('next', 'What to do next', [
    nextStepsList(
      steps.toSorted((one, other) => one.at - other.at),
      suppliers.map(({ runs }) => directoryOf(runs)),
    ),
    html`<p class="faint">
      What comes first of each supplier, for each who must act.
      ${hidden === 0 ? '' : `${counted(hidden, 'more step')} ${hidden === 1 ? 'is' : 'are'} with the suppliers.`}
    </p>`,
  ]);
}
