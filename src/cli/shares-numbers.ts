import type { Journal } from '../journal/journal.ts';

/** Whether any platform number belongs to more than one account of the platform, as the journal has them. */
export async function sharesNumbers(journal: Journal, platform: string): Promise<boolean> {
  const first = await journal.sharedNumbers(platform)[Symbol.asyncIterator]().next();
  return first.done !== true;
}
