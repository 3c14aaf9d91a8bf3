import { expect, it } from 'vitest';
import type { Config } from '../../src/config/load-config.ts';
import type { PlatformClient } from '../../src/client/platform-client.ts';
import { readList } from '../../src/cli/connect-recorded.ts';
import type { Shell } from '../../src/cli/shell.ts';

const retry = { attempts: 3, throttledAttempts: 5, baseMs: 100, capMs: 1000, retryAfterCapMs: 1000 };

/** Reads the list of a platform that refuses the credentials for so long. */
async function readWhileRefused(forMs: number): Promise<string[]> {
  let now = 0;
  const clock = {
    monotonic: () => now,
    sleep: (ms: number) => {
      now += ms;
      return Promise.resolve();
    },
  };
  const accounts: string[] = [];
  const client = {
    discardToken: () => undefined,
    list: (_name: string, _supplier: string, each: (record: { external_account_number: string }) => void) => {
      if (now < forMs)
        return Promise.resolve({ kind: 'unauthorized', status: 401, detail: 'Invalid token.', tokenId: 1 });
      each({ external_account_number: 'A-1' });
      return Promise.resolve({ kind: 'ok', status: 200, body: undefined });
    },
  } as unknown as PlatformClient;
  const config = { retry, patience: { credentialsMs: 30_000 } } as unknown as Config;
  const shell = { clock, random: () => 0.5 } as unknown as Shell;
  await readList({ shell, config, client }, 'TENTACLE_ENERGY', () => (record) => {
    accounts.push(record.external_account_number);
  });
  return accounts;
}

it('reads the list after a refusal of the credentials that passes', async () => {
  expect(await readWhileRefused(10_000)).toEqual(['A-1']);
});

it('believes a refusal of the credentials that lasts', async () => {
  await expect(readWhileRefused(Infinity)).rejects.toMatchObject({ exit: 4 });
});
