import type { MarkFinding } from '../journal.ts';
import type { Mark } from '../safety/mark-file.ts';
import type { RestoreMarks } from './restore-marks.ts';
import type { Stamp } from '../safety/stamp.ts';
import type { Stamps } from './stamps.ts';

export type Marking = ReturnType<typeof marking>;

/** Compares a journal's stamp with the mark, and advances the mark. Without a mark, every journal is `current`. */
export function marking(stamps: Stamps, restores: RestoreMarks, mark: Mark | undefined) {
  let last: Stamp | undefined;
  let isTaken = false;
  let isToPut = false;

  function compare(): MarkFinding {
    if (mark === undefined) return 'current';
    // In this order, so that the journal is at least as far as its mark when another process continues.
    const marked = mark.read();
    const own = stamps.read();
    if (marked === undefined) {
      if (stamps.isEmpty()) return 'new';
      return own.commits === 0 ? 'unmarked' : 'missing';
    }
    if (marked.identity === own.identity) return marked.commits <= own.commits ? 'current' : 'went-back';
    return stamps.isEmpty() ? 'began-anew' : 'replaced';
  }

  return {
    compare,

    /**
     * Call within a transaction that has the write lock: other processes write the mark after a commit, so it is
     * never ahead of what is read here.
     */
    take(at: number): MarkFinding {
      const finding = compare();
      isTaken = mark !== undefined;
      isToPut = isTaken && finding !== 'current';
      if (finding === 'went-back' || finding === 'replaced' || finding === 'missing') {
        restores.markRestored(at);
      }
      return finding;
    },

    /** After the transaction of `take`. */
    put(): void {
      if (isToPut) mark?.put(stamps.read());
      isToPut = false;
    },

    /** The stamp that the transaction leaves; undefined if it has written nothing. */
    committed(stamp: Stamp | undefined): void {
      last = stamp ?? last;
    },

    /** The last transaction is as durable as required. */
    durable(): void {
      if (isTaken && !isToPut && last !== undefined) mark?.advance(last);
    },

    /** The journal's contents are not what was committed to it. */
    accuse(): void {
      if (last !== undefined) mark?.accuse(last);
    },

    close(): void {
      mark?.close();
    },
  };
}
