import type { AccountEntry, Journal } from '../../journal/journal.ts';

/** Whether other accounts of the platform have the number of this one, as far as the journal knows. */
export type SharesNumber = (entry: Pick<AccountEntry, 'krakenAccountNumber'> | undefined) => Promise<boolean>;

/** Asks for each account only if there is such a number at all. */
export async function sharedNumbers(
  journal: Pick<Journal, 'sharedNumbers' | 'holders'>,
  platform: string,
): Promise<SharesNumber> {
  const first = await journal.sharedNumbers(platform)[Symbol.asyncIterator]().next();
  if (first.done === true) return () => Promise.resolve(false);
  return async (entry) => {
    const number = entry?.krakenAccountNumber;
    return number !== undefined && (await journal.holders(platform, number)).length > 1;
  };
}
