/** Journals that this process has open, by their files, and how often. */
const open = new Map<string, number>();

/**
 * Whether this process has a journal open: then nothing but SQLite may open and close its file, since closing a file ends
 * all locks that the process has on it.
 */
export function isOpenHere(file: string): boolean {
  return open.has(file);
}

/** Takes down that a journal is open; gives what is to be called when it is closed. `file`: where it really lies. */
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
