import { SharedStrings } from './shared-strings.ts';
import type { Workbook } from './workbook.ts';

interface Kept {
  readonly key: string;
  readonly strings: Promise<SharedStrings>;
  users: number;
}

/** Those in use, and the ones that were used last: all sheets of a workbook share them, and are read several times. */
let kept: readonly Kept[] = [];

/** The texts of a workbook in this state, and what to call when they are no longer used. */
export async function stringsOf(
  workbook: Workbook,
  key: string,
): Promise<{ readonly strings: SharedStrings; readonly release: () => void }> {
  let entry = kept.find((one) => one.key === key);
  if (entry === undefined) {
    entry = { key, strings: SharedStrings.read(workbook), users: 0 };
    kept = [...kept, entry];
  }
  const own = entry;
  own.users += 1;
  const release = (): void => {
    own.users -= 1;
    drop((one) => one.users === 0 && one !== own);
  };
  try {
    return { strings: await own.strings, release };
  } catch (error) {
    drop((one) => one === own);
    throw error;
  }
}

function drop(isUseless: (one: Kept) => boolean): void {
  for (const { strings } of kept.filter(isUseless))
    void strings.then(
      (found) => {
        found.close();
      },
      () => undefined,
    );
  kept = kept.filter((one) => !isUseless(one));
}
