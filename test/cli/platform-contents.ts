import { dumpAccounts } from '../../src/platform/dump.ts';

/** Every time in a generated export lies before this test was written. */
const platformTime = /"created_at":"20(2[6-9]|[3-9]\d)-[^"]+"/;

/** What a platform holds, a text for each account, without what depends on the moment: numbers, and times of its own. */
export function contents(state: string): Map<string, string> {
  return new Map(
    [...dumpAccounts(state)].map(({ krakenAccountNumber, createdAt, ...account }) => {
      if (krakenAccountNumber === null || createdAt === null)
        throw new Error(`${account.account} was not created`);
      const notes = account.notes.map((note) => note.replace(platformTime, '"created_at":"by the platform"'));
      return [account.account, JSON.stringify({ ...account, notes })];
    }),
  );
}
