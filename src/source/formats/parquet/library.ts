import type * as hyparquet from 'hyparquet';
import { lazily } from '../../../domain/lazily.ts';
import { FileUnreadable } from '../../file-bytes.ts';

interface Libraries {
  readonly parquet: typeof hyparquet;
  readonly compressors: hyparquet.Compressors;
}

/** They are loaded only where a Parquet file is read. */
export const libraries = lazily(async (): Promise<Libraries> => {
  const parquet = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  return { parquet, compressors };
});

/** What is wrong with a Parquet file; the message continues after the file's name. */
export function damagedParquet(why: string, cause?: unknown): FileUnreadable {
  return new FileUnreadable(
    'damaged_file',
    `cannot be read: ${why}. Copy it again, or write it again.`,
    cause === undefined ? undefined : { cause },
  );
}
