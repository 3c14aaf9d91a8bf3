import { readdirSync } from 'node:fs';
import { KeptFiles } from '../../src/source/kept-files.ts';
import type { SortedIndex } from '../../src/source/sorted/sorted-index.ts';

const kind = 'index-';

/** The names of the indexes of sorted files in a work directory. */
export function namesOfIndexes(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.startsWith(kind));
}

/** The only index there. */
export function keptIndex(directory: string): SortedIndex {
  const { index } = onlyOne(directory);
  return JSON.parse(index) as SortedIndex;
}

/** Makes it say what is not so of its files, as if they had changed without a sign of it. */
export function changeIndex(directory: string, change: (index: SortedIndex) => SortedIndex): void {
  const { files, name, header, index } = onlyOne(directory);
  const file = files.write(name);
  file?.line(header);
  file?.line(JSON.stringify(change(JSON.parse(index) as SortedIndex)));
  file?.finish();
}

function onlyOne(directory: string) {
  const files = new KeptFiles(directory, kind, { most: 8, makesDirectory: false });
  const [name = ''] = namesOfIndexes(directory).map((one) => one.slice(kind.length));
  const [header, index] = files.lines([name]) ?? [];
  if (header === undefined || index === undefined) throw new Error('no index is kept');
  return { files, name, header, index };
}
