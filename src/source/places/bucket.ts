import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { definedFields } from '../../domain/defined-fields.ts';
import type { Readable } from 'node:stream';
import { fileChanged, FileUnreadable } from '../file-bytes.ts';
import { nameUnder } from './address.ts';
import { refusalOfStore, storeClient, type StoreClient } from './bucket-client.ts';
import type { FileState, Place, RandomAccess, ReadOptions, StoredFile } from './place.ts';

/** Bytes of one request: few at first, because often only the start of a file is read. */
const firstRange = 256 * 1024;
const mostAtOnce = 8 * 1024 * 1024;
/** How many responses in a row may break off before their first byte. */
const mostBroken = 8;

/** The objects under a prefix of a bucket, as the files of a directory. */
export function bucketPlace(address: string, bucket: string, prefix: string): Place {
  const directory = prefix === '' ? '' : `${prefix}/`;
  return {
    label: address,
    list: () => listed(bucket, directory),
    find: (name) => storedObject(nameUnder(address, name), bucket, `${directory}${name}`),
    close: () => undefined,
  };
}

async function listed(bucket: string, directory: string): Promise<readonly string[]> {
  const { client, library } = await storeClient();
  const names: string[] = [];
  let isEmpty = true;
  let from: string | undefined;
  do {
    const { ListObjectsV2Command } = library;
    const page = await client
      .send(
        new ListObjectsV2Command(
          definedFields({ Bucket: bucket, Prefix: directory, Delimiter: '/', ContinuationToken: from }),
        ),
      )
      .catch(refusalOfStore);
    for (const { Key: key = '' } of page.Contents ?? []) {
      isEmpty = false;
      const name = key.slice(directory.length);
      // Some programs make an object for the directory itself.
      if (name !== '') names.push(name);
    }
    isEmpty &&= (page.CommonPrefixes ?? []).length === 0;
    from = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (from !== undefined);
  if (isEmpty)
    throw new FileUnreadable(
      'unreadable_export',
      'does not exist: the bucket has no object with this name, and none under it. Check the address.',
    );
  return names;
}

/** An object as a file; undefined if there is none. Throws FileUnreadable. */
export async function storedObject(
  path: string,
  bucket: string,
  key: string,
): Promise<StoredFile | undefined> {
  const store = await storeClient();
  const { HeadObjectCommand } = store.library;
  let head: HeadObjectCommandOutput;
  try {
    head = await store.client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey')) return undefined;
    return refusalOfStore(error);
  }
  const { ETag: tag = '', VersionId: version = '', ContentLength: size = 0, LastModified: changed } = head;
  if (head.ContentEncoding === 'gzip' && !/\.gz$/i.test(key))
    throw new FileUnreadable(
      'misnamed_object',
      'is compressed (Content-Encoding: gzip), and its name does not say so. Copy it to a name that ends in .gz.',
    );
  const mark = [tag, version, size].join(' ');
  const state = { size, mark, fullMark: `${mark} ${changed?.toISOString() ?? ''}` };
  return new StoredObject(store, path, state, { bucket, key, tag });
}

/** An object in one state. */
interface ObjectInState {
  readonly bucket: string;
  readonly key: string;
  readonly tag: string;
}

class StoredObject implements StoredFile {
  readonly path: string;
  readonly state: FileState;
  readonly #store: StoreClient;
  readonly #object: ObjectInState;

  constructor(store: StoreClient, path: string, state: FileState, object: ObjectInState) {
    this.#store = store;
    this.path = path;
    this.state = state;
    this.#object = object;
  }

  async *read({ onBytes, signal }: ReadOptions): AsyncGenerator<Buffer, void, undefined> {
    for await (const block of this.#range(0, this.state.size, signal)) {
      onBytes?.(block.length);
      yield block;
    }
  }

  random(): Promise<RandomAccess> {
    return Promise.resolve({ range: (start, end) => this.#range(start, end) });
  }

  /** Not needed: each range is requested with the state as its condition. */
  verify(): void {
    return;
  }

  /** The bytes from `start` up to, but not including, `end`. After a broken response, continues where it stopped. */
  async *#range(start: number, end: number, signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    let at = start;
    let broken = 0;
    for (let size = firstRange; at < end; size = Math.min(2 * size, mostAtOnce)) {
      const until = Math.min(end, at + size);
      const from = at;
      try {
        for await (const block of await this.#bytes(at, until, signal)) {
          at += block.length;
          yield block;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof FileUnreadable || (broken += 1) >= mostBroken) refusalOfStore(error);
        if (at > from) broken = 0;
      }
    }
  }

  /** Requests a part of the object. The client retries requests that fail. Throws FileUnreadable. */
  async #bytes(start: number, end: number, abortSignal?: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const { reader, library } = this.#store;
    const { bucket, key, tag } = this.#object;
    const range = `bytes=${start}-${end - 1}`;
    const asked = { Bucket: bucket, Key: key, Range: range, IfMatch: tag === '' ? undefined : tag };
    const answer = await reader
      .send(new library.GetObjectCommand(definedFields(asked)), definedFields({ abortSignal }))
      .catch(refusalOfStore);
    const body = answer.Body as Readable;
    // Not every server supports conditions and ranges.
    if ((answer.ETag ?? '') === tag && answer.ContentLength === end - start) return body;
    body.destroy();
    if ((answer.ETag ?? '') !== tag) throw fileChanged();
    throw new FileUnreadable(
      'store_refused',
      'cannot be read in parts: the store does not support range requests. Copy the export to this machine.',
    );
  }
}
