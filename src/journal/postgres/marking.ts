import type { MarkFinding } from '../journal.ts';
import type { Mark } from '../mark-file.ts';
import type { Stamp } from '../stamp.ts';
import type { Connection } from './connection.ts';
import { noteLoss } from './interventions.ts';
import type { Queries } from './queries.ts';
import { foldTally } from './write-queue.ts';

/** The mark that this machine has of a PostgreSQL journal. */
export class PostgresMarking {
  readonly #queries: Queries;
  readonly #mark: Mark;
  readonly #makePlace: () => void;
  #isMarked = false;

  /** `makePlace`: makes the directory of the mark. */
  constructor(queries: Queries, mark: Mark, makePlace: () => void) {
    this.#queries = queries;
    this.#mark = mark;
    this.#makePlace = makePlace;
  }

  /** Called with the stamp of each commit. */
  committed(stamp: Stamp): void {
    if (this.#isMarked) this.#mark.advance(stamp);
  }

  async take(at: number): Promise<MarkFinding> {
    const { finding, stamp } = await this.#queries.write(async ({ connection, stamp: own }) => {
      const marked = this.#mark.read();
      const found = await this.#compare(connection, marked);
      if (found === 'went-back' || found === 'replaced')
        await noteLoss(connection, at, this.#mark.writtenAt());
      // From now on the mark names this writer. A day without a commit: it was killed.
      if (marked !== undefined)
        await connection.change('DELETE FROM writer WHERE session = $1 AND closed = 1', [marked.identity]);
      await foldTally(connection, "at < now() - interval '1 day'");
      return { finding: found, stamp: own };
    });
    this.#makePlace();
    this.#mark.put(stamp);
    this.#isMarked = true;
    return finding;
  }

  find(): Promise<MarkFinding> {
    return this.#queries.read((connection) => this.#compare(connection, this.#mark.read()));
  }

  /**
   * The mark names the last writer of this machine, and its commits. A machine that has not used this journal yet has no mark:
   * that is usual, and no sign of a copy.
   */
  async #compare(connection: Connection, marked: Stamp | undefined): Promise<MarkFinding> {
    const [any] = await connection.query<{ is_empty: boolean }>(
      'SELECT NOT EXISTS (SELECT FROM run) AND NOT EXISTS (SELECT FROM account) AS is_empty',
    );
    const isEmpty = any?.is_empty === true;
    if (marked === undefined) return isEmpty ? 'new' : 'current';
    const [writer] = await connection.query<{ commits: number }>(
      'SELECT commits FROM writer WHERE session = $1',
      [marked.identity],
    );
    if (writer !== undefined) return marked.commits <= writer.commits ? 'current' : 'went-back';
    return isEmpty ? 'began-anew' : 'replaced';
  }

  close(): void {
    this.#mark.close();
  }
}
