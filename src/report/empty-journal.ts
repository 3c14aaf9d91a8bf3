/**
 * Why the journal shows no account.
 *
 * - `new`: nothing was run
 * - `not-yet`: its last run has no end, and recorded no account: it is running, or was killed before the first one
 * - `no-accounts`: it has runs that ended, and no account of any supplier
 * - `elsewhere`: it has accounts, but none of the chosen platform and supplier
 */
export type EmptyJournal = 'new' | 'not-yet' | 'no-accounts' | 'elsewhere';

interface EmptyText {
  readonly headline: string;
  readonly sentence: string;
}

/** The same for people. `headline` is without a full stop. */
export const emptyJournalTexts: Readonly<Record<EmptyJournal, EmptyText>> = {
  new: { headline: 'Nothing was run yet', sentence: 'The journal has no accounts.' },
  'not-yet': {
    headline: 'No accounts yet',
    sentence:
      'The journal has no accounts yet: the last run is still before its first account, or was killed before it. Start the same run again; it sends nothing twice.',
  },
  'no-accounts': {
    headline: 'No accounts',
    sentence:
      'The journal has runs, and no accounts: no account that was read names an import supplier, or no account was read.',
  },
  elsewhere: {
    headline: 'No accounts here',
    sentence:
      'The journal has accounts, but none of this platform and supplier. Check --profile, MIGRATE_BASE_URL and --supplier.',
  },
};

/** The same as one line. */
export function emptyJournalText(empty: EmptyJournal): string {
  return empty === 'new'
    ? 'Nothing was run yet: the journal has no accounts.'
    : emptyJournalTexts[empty].sentence;
}
