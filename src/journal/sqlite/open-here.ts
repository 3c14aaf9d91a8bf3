/** The journals that this process has open, by file, with a count. */
const open = new Map<string, number>();

/**
 * Whether this process has a journal open. If it has, only SQLite may open and close the file, because closing a file
 * releases all locks of the process on it.
 */
export function isOpenHere(file: string): boolean {
  return open.has(file);
}

/** Records that a journal is open; returns the function to call when it is closed. `file`: its real path. */
export function openedHere(file: string): () => void {
  open.set(file, (open.get(file) ?? 0) + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (open.get(file) ?? 1) - 1;
    if (left > 0) open.set(file, left);
    else open.delete(file);
  };
}
