import type { Night, NightSource } from '../../src/dashboard/night.ts';
import type { AccountHistory } from '../../src/report/account-history.ts';
import { overview } from '../report/fixture.ts';

/** A night with one supplier. */
export function nightOf(accounts: Parameters<typeof overview>[1], supplier = 'TENTACLE_ENERGY'): Night {
  const status = {
    ...overview(supplier, accounts),
    watched: { perSecond: 4, averagePerSecond: 2, rest: 120, flow: '8 at once (rate)', troubles: [] },
  };
  return {
    suppliers: [{ status, failures: [] }],
    runs: [],
    running: new Set(),
    warnings: [],
  };
}

/** A journal whose state the test changes. */
export class OwnSource implements NightSource {
  night: Night | Error = nightOf({ pending: 120, completed: 5 });
  readonly found: AccountHistory[] = [];

  look(): Promise<Night> {
    return this.night instanceof Error ? Promise.reject(this.night) : Promise.resolve(this.night);
  }

  find(): Promise<readonly AccountHistory[]> {
    return Promise.resolve(this.found);
  }
}
