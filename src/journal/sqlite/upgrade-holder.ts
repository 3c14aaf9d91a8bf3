import { linkSync, readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { removeFile, removeLeftover } from '../../domain/remove-file.ts';
import { beingUpgraded } from '../safety/outdated.ts';
import type { UpgradeOptions } from '../store.ts';

/** Between two looks at another process's upgrade, in ms. */
const lookEveryMs = 500;
/** An upgrade of which nothing is known for so long, in ms, is nobody's: it was on a machine that is gone. */
const longestMs = 24 * 3_600_000;

interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly processStart: string;
  readonly user: string;
  readonly since: number;
}

/**
 * Lets one process at a time upgrade a journal, and others read who it is, in a file beside it. `abandoned` is called with the
 * time of an upgrade that was cut short. Returns the function that ends this one; undefined after another process has ended its own.
 */
export async function takeUpgrade(
  file: string,
  { owner, by, now, isDead, tell, sleep }: UpgradeOptions,
  abandoned: (since: number) => void,
): Promise<(() => void) | undefined> {
  const path = `${file}-upgrade`;
  const holder: Holder = { ...owner, user: by.user, since: now };
  if (put(path, holder)) return () => removeFile(path);
  let isTold = false;
  for (;;) {
    const other = read(path);
    if (other === undefined) return undefined;
    if (isDead(other) || now - other.since > longestMs) {
      abandoned(other.since);
      removeFile(path);
      return undefined;
    }
    if (!isTold)
      tell(beingUpgraded(file, other.since, `${other.user} (process ${other.pid} on ${other.host})`));
    isTold = true;
    await sleep(lookEveryMs);
  }
}

/** Whether this process has it now. The file appears complete. */
function put(path: string, holder: Holder): boolean {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    removeLeftover(draft);
  }
}

function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
