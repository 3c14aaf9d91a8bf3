import { rmSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { wholeDirectory } from '../../domain/remove-file.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { temporaryVariable } from '../../domain/temporary-variable.ts';
import { whyUnwritten } from '../../domain/unwritten.ts';
import { FileUnreadable, readBytes } from '../../source/file-bytes.ts';
import { parseFileName } from '../../source/file-name.ts';
import { localFile } from '../../source/places/directory.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment } from '../../host/environment.ts';
import { readNamedFile } from '../../host/read-named-file.ts';
import { atExit } from '../../host/at-exit.ts';
import { renameOver } from '../../domain/rename-over.ts';

/** How a user names standard input. */
export const standardInputName = '-';

/** A table that was piped in. */
export interface SpooledInput {
  readonly path: string;
  readonly name: string;
  /** Removes the file. */
  close(): Promise<void>;
}

/**
 * Takes the table on standard input as an export of one file. It is read more than once, so it is kept in a file that only
 * its owner can read, until it is closed or the process ends. Throws CannotStart.
 */
export async function spoolInput(
  environment: Pick<Environment, 'standardInput' | 'onInterrupt'>,
  { mapping }: Pick<Config, 'mapping'>,
): Promise<SpooledInput> {
  return interruptibly(environment, async (signal) => {
    const directory = await mkdtemp(join(tmpdir(), 'migrate-input-'));
    const forget = atExit(() => rmSync(directory, wholeDirectory));
    const close = async (): Promise<void> => {
      forget();
      await rm(directory, wholeDirectory);
    };
    try {
      const spooled = join(directory, 'input');
      await spool(environment.standardInput(signal), spooled);
      return { path: await named(spooled, mapping), name: standardInputName, close };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** The name of the only file that a mapping reads. */
async function mappedName(mapping: string): Promise<string | undefined> {
  const { mappedFiles } = await import('../../mapping/read-mapping.ts');
  const read = mappedFiles(basename(mapping), await readNamedFile('The mapping file', mapping));
  const [file, ...others] = new Set(read?.tables.map((spec) => spec.file));
  if (others.length === 0) return file === undefined ? undefined : basename(file).replaceAll('*', '1');
  throw new CannotStart(
    exitCodes.usage,
    `The mapping reads ${others.length + 1} files (${[file, ...others].join(', ')}), but standard input (-) is one. Name a directory or a .zip file that has them.`,
  );
}

async function interruptibly<Result>(
  { onInterrupt }: Pick<Environment, 'onInterrupt'>,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupt = new AbortController();
  const forget = onInterrupt(() =>
    interrupt.abort(
      new CannotStart(
        exitCodes.stoppedEarly,
        'Interrupted while standard input was read: nothing was sent. Run the same command again.',
      ),
    ),
  );
  try {
    return await act(interrupt.signal);
  } catch (error) {
    interrupt.signal.throwIfAborted();
    throw error;
  } finally {
    forget();
  }
}

async function spool(input: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const block of input) {
      await writable(() => file.writeFile(block));
      size += block.length;
    }
  } finally {
    await file.close();
  }
  if (size === 0)
    throw new CannotStart(exitCodes.usage, 'Standard input (-) is empty. Pipe a table into it.');
}

async function writable(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new CannotStart(
      exitCodes.usage,
      `Standard input cannot be saved in ${tmpdir()}: ${whyUnwritten(error)} ${temporaryVariable} names the directory.`,
    );
  }
}

/** How files of these kinds begin. */
const compressions = [
  { ending: '.gz', start: Buffer.from([0x1f, 0x8b]) },
  { ending: '.zst', start: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
];
const packed = Buffer.from('PK\x03\x04');
/** Byte order marks, white space, and the other half of characters in UTF-16. */
const insignificant = /^[\xef\xbb\xbf\xfe\xff\0\s]*/;

/** Gives the file the name that a mapping has for it, or one that says what it holds. */
async function named(spooled: string, mapping: string | undefined): Promise<string> {
  const start = await startOf(spooled);
  const compression = compressions.find((one) => start.indexOf(one.start) === 0)?.ending ?? '';
  const moved = (name: string): string => {
    const path = join(spooled, '..', name);
    renameOver(spooled, path);
    return path;
  };
  const isPacked = start.indexOf(packed) === 0;
  if (isPacked && !isWorkbook(start)) return moved('export.zip');
  const mapped = mapping === undefined ? undefined : await mappedName(mapping);
  if (mapped !== undefined) return moved(`${parseFileName(mapped).plain}${compression}`);
  if (isPacked) return moved('accounts.xlsx');
  const compressed = moved(`accounts${compression}`);
  const text = (await startOf(compressed)).toString('latin1').replace(insignificant, '');
  const path = join(spooled, '..', `accounts${endingOf(text)}${compression}`);
  renameOver(compressed, path);
  return path;
}

function endingOf(text: string): string {
  if (text.startsWith('{')) return '.ndjson';
  return text.startsWith('[') ? '.json' : '.csv';
}

/** A workbook is a ZIP file too; its parts have these names. */
function isWorkbook(start: Buffer): boolean {
  const first = start.toString('latin1', 30, 30 + start.readUInt16LE(26));
  return /^(\[Content_Types\]|_rels|docProps|xl)\b/.test(first);
}

async function startOf(path: string): Promise<Buffer> {
  const file = localFile(path);
  try {
    if (file !== undefined) for await (const block of readBytes(file)) return block;
  } catch (error) {
    // Reading reports it.
    if (!(error instanceof FileUnreadable)) throw error;
  }
  return Buffer.alloc(0);
}
