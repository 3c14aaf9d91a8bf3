import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeFile } from '../../domain/remove-file.ts';
import { makeDirectory } from '../../domain/make-directory.ts';
import { MarkFile, markPath } from '../safety/mark-file.ts';
import type { Stamp } from '../safety/stamp.ts';

/** What one writer of this directory knows of another writer, or of itself. */
export interface KnownCommits {
  readonly writer: string;
  /** The writer that knows it. */
  readonly by: string;
  readonly commits: number;
  /** When it last was so, in ms since the epoch. */
  readonly at: number;
}

const form = /^([0-9a-f]{32})\.([0-9a-f]{32})$/;
const end = markPath('');

/**
 * The marks of a journal's writers, in a directory that is called after its identity: each writer that was here keeps its own last
 * commit, and the last one that it saw of each other writer. Nobody else writes to its marks, so none is lost to another writer.
 */
export class WriterMarks {
  readonly #directory: string;
  readonly #own = new Map<string, MarkFile>();

  /** `directory`: where this machine keeps what belongs to its journals. */
  constructor(directory: string, identity: string) {
    this.#directory = join(directory, `journal-${identity}`);
  }

  all(): KnownCommits[] {
    if (!existsSync(this.#directory)) return [];
    return readdirSync(this.#directory).flatMap((name) => {
      if (!name.endsWith(end)) return [];
      const [, writer, by] = form.exec(name.slice(0, -end.length)) ?? [];
      if (writer === undefined || by === undefined) return [];
      const mark = new MarkFile(join(this.#directory, `${writer}.${by}`));
      try {
        const stamp = mark.read();
        return stamp?.identity === writer
          ? [{ writer, by, commits: stamp.commits, at: mark.writtenAt() ?? 0 }]
          : [];
      } finally {
        mark.close();
      }
    });
  }

  /** Begins the mark of a writer, or advances it. `by`: who keeps it. */
  keep(stamp: Stamp, by: string): void {
    const known = this.#own.get(stamp.identity);
    if (known?.advance(stamp) === true) return;
    makeDirectory(this.#directory, 0o700);
    const mark = known ?? new MarkFile(join(this.#directory, `${stamp.identity}.${by}`));
    this.#own.set(stamp.identity, mark);
    mark.put(stamp);
  }

  /** What these marks say is in the journal, or was recorded as lost: they are needed no longer. */
  forget(marks: readonly KnownCommits[]): void {
    for (const { writer, by } of marks) removeFile(markPath(join(this.#directory, `${writer}.${by}`)));
  }

  close(): void {
    for (const mark of this.#own.values()) mark.close();
  }
}
