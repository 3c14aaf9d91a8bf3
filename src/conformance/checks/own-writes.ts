import type { ConformanceCheck } from '../check.ts';
import { inWords } from '../sandbox.ts';
import { fieldOf, type Trial } from '../trial.ts';

/** Reads the bodies of an account's notes by its platform number; a text says why they cannot be read. */
export type ReadNotes = (number: string) => Promise<readonly string[] | string>;

/** How many notes are added, each followed by a reading. */
const notes = 10;
/** How long a note is waited for that the first reading lacks, and the time between two readings, in ms. */
const patienceMs = 60_000;
const pauseMs = 500;

/** Whether an account that is read back shows at once what was added to it: only then may absence settle anything. */
export function ownWrites(read: ReadNotes): ConformanceCheck {
  return {
    section: 'read-back',
    sentence: 'An account that is read back shows what was added to it before.',
    asks: ['notes', 'transferStatus'],
    account: 'imported',
    run: async (trial) => {
      const status = await trial.platform.status(trial.account);
      const number = fieldOf(status.body, 'kraken_account_number');
      if (typeof number !== 'string' || number === '') {
        trial.notChecked = `The status of the account has no number: ${inWords(status)}.`;
        return;
      }
      const late: number[] = [];
      for (let n = 1; n <= notes; n += 1) {
        const body = `Read back ${n}.`;
        const added = await trial.platform.post('notes', trial.payloads.notes(trial.account, [{ body }]));
        if (!trial.expectSuccess('notes', added)) return;
        const lateMs = await lateness(trial, () => read(number), body);
        if (typeof lateMs === 'string') {
          trial.notChecked = `Notes cannot be read back: ${lateMs}.`;
          return;
        }
        if (lateMs > 0) late.push(lateMs);
      }
      if (late.length > 0) trial.breaches.push(lateText(late));
    },
  };
}

/** After which time a note is there, in ms; 0: in the first reading; Infinity: not in time. */
async function lateness(
  { platform }: Trial,
  read: () => ReturnType<ReadNotes>,
  body: string,
): Promise<number | string> {
  const since = platform.monotonic;
  for (let readings = 0; ; readings += 1) {
    const held = await read();
    if (typeof held === 'string') return held;
    const tookMs = platform.monotonic - since;
    if (held.includes(body)) return readings === 0 ? 0 : Math.max(1, Math.round(tookMs));
    if (tookMs >= patienceMs) return Infinity;
    await platform.pause(pauseMs);
  }
}

function lateText(late: readonly number[]): string {
  const longest = Math.max(...late);
  const when =
    longest === Infinity
      ? `and some not within ${patienceMs / 1000} s`
      : `and the last one came after ${Math.round(longest / 100) / 10} s`;
  return `Of ${notes} notes, ${late.length} were not there in the first reading, ${when}. What is not seen may have arrived: leave readBack.absence at tells.`;
}
