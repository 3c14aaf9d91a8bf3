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
  return { parquet, compressors: tolerant(compressors) };
});

/** A page of nothing but empty values has no bytes, which some of the compressions take for damage. */
function tolerant(compressors: hyparquet.Compressors): hyparquet.Compressors {
  const wrapped: hyparquet.Compressors = {};
  for (const name of Object.keys(compressors) as (keyof hyparquet.Compressors)[]) {
    const decompress = compressors[name];
    if (decompress !== undefined)
      wrapped[name] = (bytes, size) => (size === 0 ? new Uint8Array(0) : decompress(bytes, size));
  }
  return wrapped;
}

/**
 * The refusal for an error of the library. Its own messages begin with what they are about; any other one is of the runtime,
 * and says nothing to anyone who has the file.
 */
export function libraryFailure(error: Error, writer: string | undefined): FileUnreadable {
  const by = writer === undefined ? '' : ` It was written by ${writer}.`;
  if (/^(?:parquet unsupported|thrift unhandled)/.test(error.message))
    return new FileUnreadable(
      // Damaged bytes look like a type that does not exist.
      error.message.startsWith('parquet') ? 'unsupported_parquet' : 'damaged_file',
      `cannot be read: it uses a feature that is not supported, such as encrypted columns or a rare encoding, or is damaged (${error.message.replace(/\.$/, '')}).${by} Write it again without that.`,
      { cause: error },
    );
  if (/^(?:parquet|snappy|thrift)\b/i.test(error.message) && !/undefined/.test(error.message))
    return damagedParquet(error.message.replace(/\.$/, ''), error);
  return new FileUnreadable(
    'damaged_file',
    `cannot be read, for a reason that is not known: it is damaged, or uses a feature that is not supported.${by} Copy it again; if that does not help, write it again with another program or fewer features.`,
    { cause: error },
  );
}

/** What is wrong with a Parquet file; the message continues after the file's name. */
export function damagedParquet(why: string, cause?: unknown): FileUnreadable {
  return new FileUnreadable(
    'damaged_file',
    `cannot be read: ${why}. Copy it again, or write it again.`,
    cause === undefined ? undefined : { cause },
  );
}
