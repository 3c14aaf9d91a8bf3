import type { AccountKey } from '../../domain/account-key.ts';
import type { RunContext } from '../run/context.ts';
import { pause, waitAfter } from '../request/retry.ts';

/**
 * The numbers in the platform's list for these accounts: for each external account number, every number that it is
 * listed with.
 */
export type ListedNumbers =
  | { readonly kind: 'listed'; readonly numbersOf: (key: AccountKey) => readonly string[] }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'stopped' };

const lists = ['importedProcesses', 'allProcesses'] as const;

/**
 * Finds accounts in the list of imported ones (endpoint 7), or of all if the platform does not give that (endpoint
 * 5), over fresh connections. A list may contain millions and is streamed; only these accounts are kept.
 */
export async function listedNumbers(
  context: RunContext,
  keys: readonly AccountKey[],
): Promise<ListedNumbers> {
  const found = new Map<string, Set<string>>();
  for (const supplier of new Set(keys.map((key) => key.supplier))) {
    const wanted = new Set(keys.filter((key) => key.supplier === supplier).map(({ account }) => account));
    const ended = await readLists(context, supplier, () => {
      const numbers = new Map([...wanted].map((account) => [account, new Set<string>()]));
      for (const [account, set] of numbers) found.set(nameOf({ supplier, account }), set);
      return (account, number) => void numbers.get(account)?.add(number);
    });
    if (ended !== undefined) return ended;
  }
  return { kind: 'listed', numbersOf: (key) => [...(found.get(nameOf(key)) ?? [])] };
}

const nameOf = ({ supplier, account }: AccountKey): string => JSON.stringify([supplier, account]);

/** `begin` is called before each attempt: an incomplete list does not count. undefined: one was read completely. */
async function readLists(
  { client, clock, settings: { retry }, stop, random, tally }: RunContext,
  supplier: string,
  begin: () => (account: string, number: string) => void,
): Promise<Exclude<ListedNumbers, { kind: 'listed' }> | undefined> {
  let code = '';
  for (const list of lists)
    for (let tries = 1; tries <= retry.attempts; tries += 1) {
      if (stop.draining.aborted) return { kind: 'stopped' };
      const take = begin();
      tally.requests += 1;
      const answer = await client.list(
        list,
        supplier,
        ({ external_account_number: account, kraken_account_number: number }) => {
          if (number) take(account, number);
        },
        { signal: stop.aborting, fresh: true },
      );
      if (answer.kind === 'ok') return undefined;
      code = 'cause' in answer ? answer.cause : `list_http_${answer.status}`;
      if (answer.kind === 'refused' || answer.kind === 'not-found') break;
      if (answer.kind === 'unauthorized') client.discardToken(answer.tokenId);
      const asked = answer.kind === 'throttled' ? answer.retryAfterMs : undefined;
      if (
        tries < retry.attempts &&
        !(await pause(clock, waitAfter(asked, tries, retry, random), stop.draining))
      )
        return { kind: 'stopped' };
    }
  return { kind: 'failed', code };
}
