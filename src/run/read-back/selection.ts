import { exitCodes } from '../../domain/exit-codes.ts';
import { stepNames } from '../../domain/steps.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { AccountEntry, Journal } from '../../journal/journal.ts';
import { StratifiedSample } from '../../read-back/sample.ts';

/** Which accounts are read back. */
export type Selection =
  | { readonly kind: 'all' }
  | { readonly kind: 'sample'; readonly size: number; readonly seed: string }
  | { readonly kind: 'accounts'; readonly accounts: ReadonlySet<string> };

/** The words after `--read-back`, and those that belong to the command itself. */
export function selectionWords(words: readonly string[]): {
  readonly kind: Selection['kind'];
  readonly value: string;
  readonly rest: readonly string[];
} {
  const [kind, ...others] = words;
  if (kind === 'all') return { kind, value: '', rest: others };
  const [value, ...rest] = others;
  if (kind === 'sample' && value !== undefined && /^[1-9]\d{0,8}$/.test(value)) return { kind, value, rest };
  if (kind === 'accounts' && value !== undefined) return { kind, value, rest };
  throw new CannotStart(
    exitCodes.usage,
    '--read-back: give all, sample and a number of accounts, or accounts and a file that lists them.',
  );
}

/** Whether the platform has the account, by the journal. */
export function isCreated(entry: AccountEntry): boolean {
  return entry.steps.process === 'done' && entry.krakenAccountNumber !== undefined;
}

/** The accounts that are chosen, and how many could be. */
export interface Chosen {
  readonly population: number;
  readonly size: number;
  has(account: string): boolean;
}

/** Chooses among the accounts of a supplier that exist on the platform. Keeps the names of a sample, and of no others. */
export async function choose(
  journal: Journal,
  { platform, supplier }: { readonly platform: string; readonly supplier: string },
  selection: Selection,
): Promise<Chosen> {
  const strata = new Map<string, number>();
  let [population, listed] = [0, 0];
  for await (const entry of journal.accounts(platform, supplier)) {
    if (!isCreated(entry)) continue;
    population += 1;
    if (selection.kind === 'accounts' && selection.accounts.has(entry.key.account)) listed += 1;
    const stratum = stratumOf(entry);
    strata.set(stratum, (strata.get(stratum) ?? 0) + 1);
  }
  if (selection.kind === 'all') return { population, size: population, has: () => true };
  if (selection.kind === 'accounts')
    return { population, size: listed, has: (account) => selection.accounts.has(account) };
  const sample = new StratifiedSample(`${selection.seed}/${supplier}`, selection.size, strata);
  for await (const entry of journal.accounts(platform, supplier))
    if (isCreated(entry)) sample.offer(stratumOf(entry), entry.key.account);
  const { items } = sample;
  return { population, size: items.size, has: (account) => items.has(account) };
}

/** What an account has: the steps that have something for it. */
function stratumOf({ steps }: AccountEntry): string {
  return stepNames.filter((step) => steps[step] !== 'none').join();
}
