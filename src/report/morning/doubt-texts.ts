import { counted, inSentence } from '../format.ts';
import type { NightVerdict } from './verdict.ts';

type Doubts = Pick<
  NightVerdict,
  'reason' | 'lost' | 'doubled' | 'uncertain' | 'unanswered' | 'strayRows' | 'withoutSupplier'
> &
  Partial<Pick<NightVerdict, 'unansweredGone'>>;

/** What is lost, doubled or uncertain, and what was not sent or has no answer yet: "nothing" only where none of it is known. `validate`: the command that names such rows. */
export function doubtTexts(doubts: Doubts, validate: string): readonly string[] {
  const { reason, lost, doubled, uncertain, unanswered, unansweredGone = 0 } = doubts;
  const { strayRows, withoutSupplier } = doubts;
  if (reason === 'no-journal')
    return ['Whether anything is lost, doubled or uncertain is not known without the journal.'];
  const isRunning = reason === 'running';
  const known = [
    ...(lost > 0 ? [lostText(lost)] : []),
    ...(doubled > 0 ? [`doubled: ${counted(doubled, 'account')} share a platform number`] : []),
    ...(uncertain > 0
      ? [
          `uncertain: ${counted(uncertain, 'account')}, which ${uncertain === 1 ? 'is' : 'are'} not sent again`,
        ]
      : []),
  ];
  // A run under way waits for its answers.
  const open = [
    ...(unanswered > unansweredGone && !isRunning ? [unansweredText(unanswered - unansweredGone)] : []),
    ...(unansweredGone > 0 ? [unansweredGoneText(unansweredGone)] : []),
    ...(strayRows > 0 ? [strayRowsText(strayRows, validate)] : []),
  ];
  if (known.length > 0) return [`${inSentence(known.join('; '))}.`, ...open];
  const beside = [
    ...(open.length > 0 ? ['that'] : []),
    ...(withoutSupplier === undefined ? [] : ['accounts without an import supplier']),
  ];
  const start = beside.length === 0 ? 'Nothing' : `Apart from ${beside.join(' and ')}, nothing`;
  return [
    ...open,
    `${start} is lost, doubled or uncertain${isRunning ? ' so far' : ''}, as far as the journal knows.`,
  ];
}

function lostText(lost: number): string {
  return `lost: ${counted(lost, 'account')} left the export before ${lost === 1 ? 'it was' : 'they were'} created`;
}

function unansweredText(unanswered: number): string {
  const [were, it] = unanswered === 1 ? ['was', 'it'] : ['were', 'them'];
  const [has, took] = unanswered === 1 ? ['has', 'it took'] : ['have', 'they took'];
  return `${counted(unanswered, 'request')} ${were} sent and ${has} no answer: whether ${took} effect is not known yet. The next run settles ${it} before it sends anything else for the same account.`;
}

/** No run takes up an account that its export does not have. */
function unansweredGoneText(requests: number): string {
  const [were, has, it] = requests === 1 ? ['was', 'has', 'it'] : ['were', 'have', 'they'];
  return `${counted(requests, 'request')} ${were} sent and ${has} no answer, for accounts that left the export since: whether ${it} took effect is not known, and no run settles this while the export lacks the accounts. Put them back into the export, or ask the platform's operator.`;
}

function strayRowsText(strayRows: number, validate: string): string {
  const [belongs, was] = strayRows === 1 ? ['belongs', 'was'] : ['belong', 'were'];
  return `${counted(strayRows, 'row')} of the export ${belongs} to none of its accounts and ${was} not sent: \`${validate}\` names ${strayRows === 1 ? 'it' : 'them'}.`;
}
