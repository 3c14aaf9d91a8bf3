import type { FileTable, OpenedFile } from '../../../src/source/table.ts';

interface InMemory extends Partial<FileTable> {
  readonly path?: string;
  /** As the system says; absent: the length of the text. */
  readonly size?: number;
  readonly blockSize?: number;
  /** Takes where each reading of it begins, in bytes. */
  readonly entered?: number[];
}

/** A CSV file with this text, of the columns `k` and `b`, which is read in blocks of so many bytes. */
export function fileOf(
  text: string,
  { path = 'notes.csv', size, blockSize = 7, entered, ...more }: InMemory = {},
): OpenedFile {
  const bytes = Buffer.from(text);
  // eslint-disable-next-line @typescript-eslint/require-await -- as a file is read
  const read = async function* (from: number) {
    entered?.push(from);
    for (let at = from; at < bytes.length; at += blockSize) yield bytes.subarray(at, at + blockSize);
  };
  const stored = {
    path,
    isLocal: true,
    state: { size: size ?? bytes.length, mark: `mark of ${path}` },
    read: () => read(0),
    random: () => Promise.resolve({ range: read }),
    verify: () => {
      if (text.includes('changed')) throw new Error(`${path} was changed`);
    },
  };
  const table = {
    name: 'notes',
    file: path,
    role: 'child',
    key: 'k',
    format: 'csv',
    isFlat: true,
    encoding: 'utf-8',
    columns: ['k', 'b'],
    positions: new Map([['k', 0]]),
    delimiter: ',',
    headerLine: 1,
    ...more,
  };
  return { table, stored } as unknown as OpenedFile;
}
