import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const nobody = 65_534;

/**
 * Runs `act` with one path made read-only, as a user whom permissions bind: where the tests run as root, whom they do
 * not bind, as nobody, who then owns the directory.
 */
export function asOrdinaryUser(directory: string, { readOnly }: { readOnly: string }, act: () => void): void {
  const mode = lstatSync(readOnly).mode & 0o777;
  const isRoot = process.geteuid?.() === 0;
  chmodSync(readOnly, mode & 0o555);
  try {
    if (isRoot) {
      give(directory, nobody);
      process.seteuid?.(nobody);
    }
    act();
  } finally {
    if (isRoot) {
      process.seteuid?.(0);
      give(directory, 0);
    }
    chmodSync(readOnly, mode);
  }
}

function give(path: string, user: number): void {
  chownSync(path, user, -1);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name), user);
}
