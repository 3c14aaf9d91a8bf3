import type { ReadBackRecords } from '../read-back-records.ts';
import type { Driver } from './driver.ts';

/** Readings of one account within this time add their cost up (ms). */
const hourMs = 3_600_000;

/** The record of accounts that were read back. */
export function readBackRecordsOf(driver: Pick<Driver, 'read' | 'write'>): ReadBackRecords {
  return {
    begin: (platform, supplier, selection, at) =>
      driver.write('none', ({ readBack }) => readBack.begin(platform, supplier, selection, at)),
    end: (pass, at) => driver.write('none', ({ readBack }) => readBack.end(pass, at)),
    note: (reading) => driver.write('none', ({ readBack }) => readBack.put(reading, hourMs)),
    latest: (accountId) => driver.read(({ readBack }) => readBack.latest(accountId)),
    pointsSince: async (at) => (await driver.read(({ readBack }) => readBack.pointsSince(at))) ?? 0,
    counts: async (platform, supplier) => {
      const row = await driver.read(({ readBack }) => readBack.counts(platform, supplier));
      return {
        read: row?.read ?? 0,
        differ: row?.differ ?? 0,
        notReadable: row?.notReadable ?? 0,
        latest: row?.latest ?? undefined,
      };
    },
  };
}
