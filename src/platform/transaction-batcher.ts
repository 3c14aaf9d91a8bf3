import type { Sqlite } from '../sqlite/open-database.ts';
import type { Refused, PlatformReply } from './reply.ts';

export type Outcome = PlatformReply | Refused;

/** Work on the state. */
export interface StateWork {
  readonly run: () => Outcome;
  /** Whether it changes nothing, or refuses before it changes anything, so that a refusal leaves nothing to undo. */
  readonly refusesFirst: boolean;
}

interface Piece {
  readonly work: StateWork;
  readonly record: (status: number) => void;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs work on the state, then records its status; the promise settles after both are committed. */
export type TransactionBatcher = (work: StateWork, record: (status: number) => void) => Promise<Outcome>;

/**
 * Collects the work that arrives in one turn of the event loop into one transaction, so that an answer leaves only
 * after its effect is committed. Refused work, and work that throws, leaves no trace: work that may have to be undone
 * has its own savepoint, which costs time; if other work throws, nothing of the turn is done.
 */
export function createTransactionBatcher(db: Sqlite): TransactionBatcher {
  const savepoint = db.prepare('SAVEPOINT piece');
  const undo = db.prepare('ROLLBACK TO piece');
  const release = db.prepare('RELEASE piece');
  let waiting: Piece[] = [];

  const attempt = (piece: Piece): (() => void) => {
    if (!piece.work.refusesFirst) return attemptApart(piece);
    const outcome = piece.work.run();
    piece.record(outcome.status);
    return () => piece.resolve(outcome);
  };
  const attemptApart = (piece: Piece): (() => void) => {
    savepoint.run();
    try {
      const outcome = piece.work.run();
      if (outcome.status >= 400) undo.run();
      piece.record(outcome.status);
      return () => piece.resolve(outcome);
    } catch (error) {
      undo.run();
      return () => piece.reject(error);
    } finally {
      release.run();
    }
  };
  const commit = db.transaction((pieces: readonly Piece[]) => pieces.map(attempt));

  const flush = (): void => {
    const pieces = waiting;
    waiting = [];
    try {
      for (const settle of commit.immediate(pieces)) settle();
    } catch (error) {
      for (const piece of pieces) piece.reject(error);
    }
  };

  return (work, record) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ work, record, resolve, reject }) === 1) setImmediate(flush);
    });
}
