import type { Environment } from '../../app/environment.ts';
import { journalOf } from '../../app/journal-of.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import type { JournalStore } from '../../journal/store.ts';
import { formatCount } from '../../report/format.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { markWarning } from '../../app/open-to-change.ts';
import type { Finding } from './finding.ts';

const check = 'journal';
/** Free space in bytes below which a night's journal may not fit: about 200,000 accounts. */
const scarce = 1024 ** 3;

/** Checks that the journal can be used or created, and has room to grow. */
export async function examineJournal(environment: Environment, config: Config): Promise<Finding> {
  try {
    const store = journalOf(environment, config);
    const room = await store.room();
    if (room.kind === 'unwritable')
      return {
        check,
        state: 'failed',
        detail: `You cannot write to ${room.place}.`,
        remedy: 'Change its permissions, or name another place with --journal.',
        exit: exitCodes.usage,
      };
    const { free = Infinity } = room;
    const { detail, warning } = await contents(store);
    if (warning !== undefined)
      return {
        check,
        state: 'warning',
        detail: warning,
        remedy: 'Make sure that this is the journal you mean before the next run.',
      };
    if (free >= scarce) return { check, state: 'ok', detail };
    return {
      check,
      state: 'warning',
      detail: `${detail} Its disk has ${formatCount(free / 1024 ** 2)} MB left.`,
      remedy: 'Free space: a journal takes about 5 KB for each account.',
    };
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    return { check, state: 'failed', detail: error.message, exit: exitCodes.usage };
  }
}

async function contents(
  store: JournalStore,
): Promise<{ readonly detail: string; readonly warning?: string | undefined }> {
  try {
    const journal = await store.open({ create: false });
    try {
      const suppliers = (await journal.overview()).map(({ supplier }) => supplier);
      const known = suppliers.length === 0 ? 'no accounts yet' : `accounts of ${suppliers.join(', ')}`;
      const warning = markWarning(store.location, await journal.compareMark());
      const detail = `${store.location} is in order and has ${known}.`;
      return { detail, warning };
    } finally {
      await journal.close();
    }
  } catch (error) {
    // Its directory was already checked.
    if (!(error instanceof DatabaseRefused) || error.reason !== 'missing') throw error;
    return { detail: `${store.location} does not exist yet; the first run creates it.` };
  }
}
