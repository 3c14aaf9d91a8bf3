import { rmSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A run has left nothing to do in the snapshot, or sent nothing from it: the next run reads the database again. */
const finishedName = '.finished';
/** No run has sent anything from the snapshot. Absent in snapshots of earlier versions, which may have been sent. */
const unsentName = '.unsent';

/** Whether runs go on using the snapshot that is kept beside the journal. */
export class SnapshotInUse {
  readonly #directory: string;
  #wasUnsent = false;
  #isReleased = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Marks a snapshot that was just read. */
  markUnsent(): Promise<void> {
    return writeFile(join(this.#directory, unsentName), '', { mode: 0o600 });
  }

  isFinished(): Promise<boolean> {
    return isThere(join(this.#directory, finishedName));
  }

  isUnsent(): Promise<boolean> {
    return isThere(join(this.#directory, unsentName));
  }

  /** Call before anything is sent: the kill of a run must not release what it has sent a part of. */
  begin(): void {
    const { exists } = remove(join(this.#directory, unsentName));
    this.#wasUnsent ||= exists;
  }

  /** Releases the snapshot if nothing was ever sent from it. `requests`: those of this run. */
  async releaseUnsent(requests: number): Promise<void> {
    if ((await this.isUnsent()) || (this.#wasUnsent && requests === 0)) await this.finish();
  }

  async finish(): Promise<void> {
    await writeFile(join(this.#directory, finishedName), '', { mode: 0o600 });
    this.#isReleased = true;
  }

  /** Whether the next run reads the database again. */
  get isReleased(): boolean {
    return this.#isReleased;
  }
}

function remove(path: string): { readonly exists: boolean } {
  try {
    rmSync(path);
    return { exists: true };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { exists: false };
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
