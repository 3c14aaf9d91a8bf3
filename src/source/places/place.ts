export interface ReadOptions {
  /** Called with the number of bytes of each reading. */
  readonly onBytes?: ((count: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Each block may be a part of it, and is then valid until the next one. */
  readonly reused?: Buffer | undefined;
}

/** Identifies whether a file is unchanged. */
export interface FileState {
  /** The number of bytes that reading gives. */
  readonly size: number;
  /** Another one after its contents were changed. */
  readonly mark: string;
  /** Another one after anything about it was changed. */
  readonly fullMark: string;
}

/** How any part of a file is read: by a descriptor, which the caller closes; or from a byte up to, not including, another. */
export type RandomAccess =
  { readonly descriptor: number } | { range(start: number, end: number): AsyncIterable<Buffer> };

/** A file of an export, wherever it is kept. */
export interface StoredFile {
  /** Where it is, for use by its place alone; ends in its name. */
  readonly path: string;
  /** Whether it is a file by itself on this machine, which another thread can open by its path. */
  readonly isLocal?: true;
  /** Its state when it was found. */
  readonly state: FileState;
  /**
   * Its bytes as they are kept, in blocks of about this size. Throws FileUnreadable, including if it is no
   * longer in its state, and the signal's reason.
   */
  read(options: ReadOptions, blockSize: number): AsyncGenerator<Buffer, void, undefined>;
  /** Opens it for reading any part of it. Throws FileUnreadable. */
  random(): Promise<RandomAccess>;
  /** Throws FileUnreadable if it is no longer in its state. */
  verify(): void;
}

/** Where the files of an export are kept. */
export interface Place {
  /** What precedes the names of its files for people, if anything: `export.zip`, `s3://bucket/export`. */
  readonly label?: string;
  /** The names of the files in it, without those in its directories. Throws FileUnreadable, and errors of the file system. */
  list(): Promise<readonly string[]>;
  /** The paths of files in its directories, as `find` takes them; absent if it has none. Throws errors of the file system. */
  deeper?(): Promise<readonly string[]>;
  /** The file of this name; undefined if there is none. Throws FileUnreadable. */
  find(name: string): Promise<StoredFile | undefined>;
  /** Files that were found can no longer be read. */
  close(): void;
}
