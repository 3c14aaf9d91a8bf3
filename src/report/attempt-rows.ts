import type { PartEntry } from '../journal/journal.ts';

/** Says no more than the words beside it. */
const lostAnswer = 'lost_answer';

/** One request, with everything that became of it. */
export interface AttemptRow extends Pick<
  PartEntry,
  'step' | 'part' | 'attempt' | 'run' | 'sentAt' | 'state'
> {
  /** When its answer came, or was given up, in ms since the epoch; absent while it is under way. */
  readonly answeredAt?: number | undefined;
  /** For people: status, code and message of its answer, or that it was lost; '' if there is nothing to say. */
  readonly answer: string;
}

/**
 * One row for each request, in their order: what the journal recorded of it later, such as that its effect cannot be known, or a
 * ruling, is in the same row.
 */
export function attemptRows(attempts: readonly PartEntry[]): readonly AttemptRow[] {
  const records = new Map<string, PartEntry[]>();
  for (const one of attempts) {
    const name = [one.step, one.part, one.attempt, one.sentAt].join(' ');
    records.set(name, [...(records.get(name) ?? []), one]);
  }
  return [...records.values()].flatMap((all) => {
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { step, part, attempt, run, sentAt, answeredAt } = first;
    const answer = [...new Set(all.map(answerOf).filter((text) => text !== ''))].join('; ');
    return [{ step, part, attempt, run, sentAt, answeredAt, state: last.state, answer }];
  });
}

function answerOf({ answeredAt, outcome, status, code, words }: PartEntry): string {
  if (answeredAt === undefined) return 'no answer yet, or lost';
  if (outcome === 'unknown' && status === undefined)
    return code === undefined || code === '' || code === lostAnswer
      ? 'sent, answer lost'
      : `sent, answer lost (${code})`;
  // The message says more than the code that every refusal has.
  const isPlain = words !== undefined && code === 'invalid';
  return [status ?? outcome, isPlain ? '' : code, words]
    .filter((said) => said !== undefined && said !== '')
    .join(' ');
}
