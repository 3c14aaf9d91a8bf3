import { exitCodes } from '../../domain/exit-codes.ts';
import { remedyFor } from '../../domain/nearest.ts';
import { builtInMapping } from '../../mapping/built-in.ts';
import { isCalled, type AccountsTable } from '../../mapping/guess/accounts-table.ts';
import type { GuessedTable } from '../../mapping/guess/guessed-table.ts';
import type { PayloadShape } from '../../mapping/payload-shape.ts';
import { isNamedFile } from '../../source/formats/formats.ts';
import { parseFileName, tableNames } from '../../source/file-name.ts';
import { isCentralEncoding } from '../../source/word-letters.ts';
import { tableFiles } from '../../source/table-files.ts';
import { listExport, type ExportListing } from '../../source/list-export.ts';
import type { Place } from '../../source/places/place.ts';
import { placeAt } from '../../source/places/places.ts';
import { problemOfTable, sampleFile, type FileSample } from '../../source/sample-file.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { fittingTables, type UnfitTable } from './fitting-tables.ts';
import { formatProblem } from '../../run/reading/format-problem.ts';

/** Tables that are looked at: each is compared with every other one. */
export const mostTables = 500;

/** What the files of an export look like. */
export interface GuessedExport {
  readonly samples: readonly FileSample[];
  /** Whether the export is in a shape that needs no mapping. */
  readonly isKnown: boolean;
  /** Guessed tables; none if no mapping is needed. */
  readonly tables: readonly GuessedTable[];
  /** Why one of them is taken for that of the accounts. */
  readonly accounts?: AccountsTable | undefined;
  /** Tables that are left out, since no mapping can read them as they are. */
  readonly unfit: readonly UnfitTable[];
  /** How many tables were not looked at, because there are too many. */
  readonly unseen: number;
}

/** What a user says of an export. */
export interface Asked {
  readonly encoding?: string | undefined;
  readonly shape?: PayloadShape | undefined;
  /** The name of the accounts table: of its file, with or without its ending, or of its sheet. */
  readonly accounts?: string | undefined;
}

/**
 * Guesses the tables of an export from its files; `encoding` is that of its text files, if it is stated, and `shape` what
 * a tenancy's contract has. A file behind a link out of the export is read with `followLinks`. Throws CannotStart if it cannot be read, or nothing can be guessed.
 */
export async function guessExport(
  directory: string,
  { followLinks, ...asked }: Asked & { readonly followLinks?: boolean },
): Promise<GuessedExport> {
  const listing = await listExport(directory, { texts: true });
  if ('problems' in listing) throw new CannotStart(exitCodes.usage, listing.problems.map(formatProblem));
  const place = await placeAt(listing.root, { isWithin: followLinks !== true });
  try {
    return await guessIn(place, listing, asked);
  } finally {
    place.close();
  }
}

async function guessIn(
  place: Place,
  { files }: ExportListing,
  { encoding, shape, accounts: asked }: Asked,
): Promise<GuessedExport> {
  const { samples, paths, unseen } = await sampledIn(place, files, encoding);
  refuseUnreadable(samples);
  if (asked === undefined && isBuiltIn(samples, shape))
    return { samples, isKnown: true, tables: [], unfit: [], unseen };
  if (asked !== undefined) refuseUnknown(asked, samples);
  const { tables, unfit, accounts } = await fittingTables(
    samples,
    (sample, key) => problemOfTable(place, paths.get(sample.file) ?? sample.file, sample, key),
    asked,
  );
  if (tables.length === 0 && unfit.length > 0)
    throw new CannotStart(
      exitCodes.usage,
      unfit.map(({ problem }) => formatProblem(problem)),
    );
  if (tables.length === 0)
    throw new CannotStart(
      exitCodes.usage,
      `No column of ${asked ?? 'any file'} looks like an account number, which is filled and different in nearly every row. ` +
        (asked === undefined
          ? 'Write the mapping by hand (docs/mapping.md).'
          : 'Name another table with --accounts.'),
    );
  return { samples, isKnown: false, tables, accounts, unfit, unseen };
}

/** Throws CannotStart if no table has the name. */
export function refuseUnknown(
  asked: string,
  samples: readonly { readonly file: string; readonly sheet?: string }[],
): void {
  if (samples.some((sample) => isCalled(sample, asked))) return;
  const names = samples.map(({ file, sheet }) => sheet ?? file);
  throw new CannotStart(
    exitCodes.usage,
    `--accounts: There is no table ${asked}. ${remedyFor(asked, names)}`,
  );
}

/** Throws CannotStart if the names of columns are not those that the file has. */
function refuseUnreadable(samples: readonly FileSample[]): void {
  const unreadable = samples.filter(({ columns }) => columns.some((name) => name.includes('\uFFFD')));
  if (unreadable.length === 0) return;
  throw new CannotStart(
    exitCodes.usage,
    unreadable.map(
      ({ file, encoding = 'utf-8' }) =>
        `${file}: The names of its columns cannot be read as ${encoding}, and nothing shows what its encoding is. ` +
        'Name it with --encoding, such as shift_jis or windows-1251.',
    ),
  );
}

/** The first rows of each table of the export, and a file for each name in a mapping. */
async function sampledIn(
  place: Place,
  files: readonly string[],
  encoding: string | undefined,
): Promise<{
  readonly samples: readonly FileSample[];
  readonly paths: ReadonlyMap<string, string>;
  readonly unseen: number;
}> {
  const samples: FileSample[] = [];
  const paths = new Map<string, string>();
  const tables = [...filesByTable(files)];
  for (const [name, own] of tables.slice(0, mostTables)) {
    const found = await sampleFile(place, own[0] ?? name, encoding);
    if ('problem' in found) throw new CannotStart(exitCodes.usage, formatProblem(found.problem));
    for (const sample of found) {
      // A text file with a single column is probably not a table.
      if (own.some(isNamedFile) && (sample.columns.length < 2 || sample.rows.length === 0)) continue;
      const file = tableOf(name, own);
      // Of several parts, only the first is looked at.
      samples.push({ ...sample, file, isWhole: sample.isWhole === true && own.length === 1 });
      paths.set(file, own[0] ?? name);
    }
  }
  const unseen = Math.max(0, tables.length - mostTables);
  return { samples: await inOneEncoding(place, samples, paths), paths, unseen };
}

function filesByTable(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, string[]>();
  for (const file of files) {
    const [name = file] = tableNames([file]);
    const own = tables.get(name);
    if (own === undefined) tables.set(name, [file]);
    else own.push(file);
  }
  return tables;
}

/** Files that may as well be in the Central European encoding of others are taken to be. */
async function inOneEncoding(
  place: Place,
  samples: readonly FileSample[],
  paths: ReadonlyMap<string, string>,
): Promise<readonly FileSample[]> {
  const likely = samples.find(
    ({ isEncodingGuess, encoding }) => isEncodingGuess && isCentralEncoding(encoding),
  )?.encoding;
  const joined: FileSample[] = [];
  for (const sample of samples) {
    const { file, likelyEncoding } = sample;
    const again =
      likely !== undefined && likelyEncoding !== undefined
        ? await sampleFile(place, paths.get(file) ?? file, likely)
        : [];
    joined.push(
      'problem' in again || again[0] === undefined ? sample : { ...again[0], file, isEncodingOfOthers: true },
    );
  }
  return joined;
}

/** The name of these files in a mapping: numbers in their names may be part numbers, or others. */
function tableOf(name: string, files: readonly string[]): string {
  const [first = name, ...others] = files;
  if (!('problem' in tableFiles({ name, file: name, key: '', role: 'child' }, files))) return name;
  if (others.length === 0) return first;
  const { plain } = parseFileName(first);
  const ending = name.lastIndexOf('.');
  return `${name.slice(0, ending)}*${name.slice(ending)}${first.slice(plain.length)}`;
}

/** Whether the files have the names and the columns of a shape that needs no mapping. */
function isBuiltIn(samples: readonly FileSample[], shape: PayloadShape | undefined): boolean {
  const mapping = builtInMapping(
    samples.map(({ file }) => file),
    { shape },
  );
  if ('problems' in mapping || mapping.warnings.length > 0) return false;
  const tables = mapping.tables.flatMap((spec) => {
    const sample = samples.find(({ file }) => file === spec.file);
    if (sample === undefined) return [];
    const { format, isFlat, columns } = sample;
    return [{ ...spec, format, isFlat, ...(isFlat ? { columns } : {}) }];
  });
  const hasKeys = tables.every(({ file, key }) =>
    samples.some((sample) => sample.file === file && sample.columns.includes(key)),
  );
  return hasKeys && typeof mapping.bind(tables) === 'function';
}
