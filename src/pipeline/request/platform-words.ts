import type { Refusal } from '../../contract/refusal.ts';
import type { SentValues } from '../../contract/sent-values.ts';

/** The most characters. */
const longest = 200;
const mostMessages = 3;

/** The pattern of an email address without its `@`, so that a long word is scanned once. */
const word = /[^\s<>"'()]+/g;
/** Six digits or more, even in groups. */
const longNumber = /\+?\d(?:[\s./()-]{0,2}\d){5,}/g;

/**
 * The messages of a refusal for the journal, without the customer's data, shortened; undefined if there are none.
 * Every value that was sent about the account is replaced by its path, then everything that looks like an email address
 * or a long number.
 */
export function platformWords({ problems, detail }: Refusal, sent: SentValues): string | undefined {
  const messages = new Set(problems.map((problem) => problem.detail).filter((said) => said !== ''));
  const said = [...(messages.size === 0 ? [detail] : messages)].slice(0, mostMessages).join('; ');
  const words = sent
    // Addresses and numbers become shorter.
    .replacedIn(said, 10 * longest)
    .replaceAll(word, (found) => (found.slice(1, -1).includes('@') ? '<email>' : found))
    .replaceAll(longNumber, '<number>');
  if (words === '') return undefined;
  return words.length > longest ? `${words.slice(0, longest - 3)}...` : words;
}
