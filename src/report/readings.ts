import { withTotal } from '../domain/account-state.ts';
import type { Journal, SupplierOverview } from '../journal/journal.ts';
import { counted, formatCount, formatTime, isoTime } from './format.ts';
import { paragraph } from './paragraph.ts';
import type { Page } from './terminal.ts';

/** How the accounts of a supplier compared when they were last read back from the platform. */
export interface SupplierReadings {
  readonly supplier: string;
  readonly platform: string;
  /** Accounts of the book. */
  readonly accounts: number;
  readonly read: number;
  readonly differ: number;
  /** Accounts of which something could not be read. */
  readonly notReadable: number;
  /** The latest reading, in ms since the epoch. */
  readonly latest: number;
}

/** The readings of these suppliers; those that were never read back are left out. */
export async function readingsOf(
  journal: Pick<Journal, 'readBack'>,
  suppliers: readonly SupplierOverview[],
): Promise<readonly SupplierReadings[]> {
  const all: SupplierReadings[] = [];
  for (const { platform, supplier, accounts } of suppliers) {
    const { latest, ...counts } = await journal.readBack.counts(platform, supplier);
    if (latest !== undefined)
      all.push({ ...{ supplier, platform, latest }, accounts: withTotal(accounts).total, ...counts });
  }
  return all;
}

/** For programs; absent if nothing was read back. Times are UTC. */
export function readingsRecord(readings: readonly SupplierReadings[]): object {
  if (readings.length === 0) return {};
  const records = readings.map(({ supplier, platform, read, differ, notReadable, latest }) => ({
    ...{ supplier, platform, read, differ, notReadable },
    latest: isoTime(latest),
  }));
  return { readings: records };
}

/** For people: one sentence for each supplier. */
export function readingLines(readings: readonly SupplierReadings[], timeZone: string): readonly string[] {
  return readings.map(({ supplier, accounts, read, differ, notReadable, latest }) => {
    const found =
      differ > 0
        ? `${counted(differ, 'account')} ${differ === 1 ? 'differs' : 'differ'}`
        : 'no difference was found';
    const unread = notReadable === 0 ? '' : `, and of ${formatCount(notReadable)} not all could be read`;
    return `Read back from the platform: ${formatCount(read)} of ${counted(accounts, 'account')} of ${supplier}, the last on ${formatTime(latest, timeZone).slice(0, 16)} (${timeZone}): ${found}${unread}.`;
  });
}

/** A text with the readings below it. */
export function withReadings(page: Page, text: string, readings: readonly SupplierReadings[]): string {
  const lines = readingLines(readings, page.timeZone).map((line) => paragraph(page, line));
  return [text, ...lines].join(lines.length === 0 ? '' : '\n\n');
}
