import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { openJournal } from '../../journal/sqlite/open-journal.ts';
import { formatCount } from '../../report/format.ts';
import { DatabaseRefused } from '../../sqlite/refusal.ts';
import { markWarning } from '../../app/open-to-change.ts';
import type { Finding } from './finding.ts';

const check = 'journal';
/** Free space in bytes below which a night's journal may not fit: about 200,000 accounts. */
const scarce = 1024 ** 3;

/** Checks that the journal can be used or created, and has room to grow. */
export async function examineJournal(config: Config): Promise<Finding> {
  const place = nearestExisting(config.journal);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return {
      check,
      state: 'failed',
      detail: `You cannot write to ${place}.`,
      remedy: 'Change its permissions, or name another place with --journal.',
      exit: exitCodes.usage,
    };
  }
  try {
    const { bavail, bsize } = statfsSync(place);
    const { detail, warning } = await contents(config);
    if (warning !== undefined)
      return {
        check,
        state: 'warning',
        detail: warning,
        remedy: 'Make sure that this is the journal you mean before the next run.',
      };
    if (bavail * bsize >= scarce) return { check, state: 'ok', detail };
    return {
      check,
      state: 'warning',
      detail: `${detail} Its disk has ${formatCount((bavail * bsize) / 1024 ** 2)} MB left.`,
      remedy: 'Free space: a journal takes about 5 KB for each account.',
    };
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    return { check, state: 'failed', detail: error.message, exit: exitCodes.usage };
  }
}

async function contents(config: Config): Promise<{ readonly detail: string; readonly warning?: string }> {
  try {
    const journal = openJournal(config.journal, { synchronous: config.synchronous, create: false });
    try {
      const suppliers = (await journal.overview()).map(({ supplier }) => supplier);
      const known = suppliers.length === 0 ? 'no accounts yet' : `accounts of ${suppliers.join(', ')}`;
      const warning = markWarning(config.journal, await journal.compareMark());
      const detail = `${config.journal} is in order and has ${known}.`;
      return { detail, ...(warning === undefined ? {} : { warning }) };
    } finally {
      await journal.close();
    }
  } catch (error) {
    // Its directory was already checked.
    if (!(error instanceof DatabaseRefused) || error.reason !== 'missing') throw error;
    return { detail: `${config.journal} does not exist yet; the first run creates it.` };
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}
