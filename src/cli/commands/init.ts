import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { builtInMapping } from '../../mapping/built-in.ts';
import { guessTables } from '../../mapping/guess/table-guess.ts';
import { writeMapping } from '../../mapping/guess/write-mapping.ts';
import { counted } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import { isTextFile, parseFileName, tableNames } from '../../source/file-name.ts';
import { tableFiles } from '../../source/table-files.ts';
import { listExport } from '../../source/list-export.ts';
import { sampleFile, type FileSample } from '../../source/sample-file.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { packaged } from '../../app/system/packaged.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { formatProblem } from '../../app/format-problem.ts';
import type { Shell } from '../shell.ts';

const mappingFile = 'mapping.yaml';
const settingsFile = '.migraterc';
const schema = fileURLToPath(packaged('docs/mapping.schema.json'));

/** `migrate init`: writes a first mapping and settings, guessed from an export's files. */
export function initCommand(shell: Shell, directory: string, flags: CommonFlags): Promise<ExitCode> {
  return conclude(shell, 'init', flags, async () => {
    const listing = await listExport(resolve(shell.cwd, directory), { texts: true });
    if ('problems' in listing) throw new CannotStart(exitCodes.usage, listing.problems.map(formatProblem));
    const samples = await sampled(listing.root, listing.files);
    const isKnown = isBuiltIn(samples);
    const tables = isKnown ? [] : guessTables(samples);
    if (!isKnown && tables.length === 0)
      throw new CannotStart(
        exitCodes.usage,
        'No column of any file looks like an account number, which is filled and different in every row. ' +
          'Write the mapping by hand (docs/mapping.md).',
      );
    const written: string[] = [];
    const kept: string[] = [];
    const write = async (file: string, text: string): Promise<void> =>
      void ((await writeNew(join(shell.cwd, file), text)) ? written : kept).push(file);
    if (!isKnown) await write(mappingFile, writeMapping(tables, relative(shell.cwd, schema)));
    await write(settingsFile, settings(isKnown));
    const [accounts] = tables;
    const found = isKnown
      ? 'The export needs no mapping: its files are in one of the built-in shapes.'
      : `${counted(samples.length, 'table')}; each row of ${accounts?.sample.file} seems to be an account, numbered in the column '${accounts?.key}'.`;
    return {
      exit: written.length === 0 ? exitCodes.usage : exitCodes.done,
      summary: {
        written,
        kept,
        tables: samples.length,
        accounts: accounts === undefined ? null : { file: accounts.sample.file, key: accounts.key },
      },
      text: (page) =>
        [
          found,
          ...(written.length === 0
            ? []
            : [`Written: ${written.join(', ')}. All of it is a guess: check it.`]),
          ...kept.map((file) => `${file} exists already and was not changed.`),
        ]
          .map((line) => paragraph(page, line, ''))
          .join('\n'),
    };
  });
}

/** The first rows of each table of the export. */
async function sampled(root: string, files: readonly string[]): Promise<readonly FileSample[]> {
  const samples: FileSample[] = [];
  for (const name of tableNames(files)) {
    const own = files.filter((file) => tableNames([file])[0] === name);
    const sample = await sampleFile(root, own[0] ?? name);
    if ('problem' in sample) throw new CannotStart(exitCodes.usage, formatProblem(sample.problem));
    // A text file with a single column is probably not a table.
    if (own.some(isTextFile) && (sample.columns.length < 2 || sample.rows.length === 0)) continue;
    samples.push({ ...sample, file: tableOf(name, own) });
  }
  return samples;
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
function isBuiltIn(samples: readonly FileSample[]): boolean {
  const mapping = builtInMapping(
    samples.map(({ file }) => file),
    {},
  );
  if ('problems' in mapping || mapping.warnings.length > 0) return false;
  const tables = mapping.tables.flatMap((spec) => {
    const sample = samples.find(({ file }) => file === spec.file);
    if (sample === undefined) return [];
    const { format, columns } = sample;
    return [{ ...spec, format, ...(format === 'csv' ? { columns } : {}) }];
  });
  const hasKeys = tables.every(({ file, key }) =>
    samples.some((sample) => sample.file === file && sample.columns.includes(key)),
  );
  return hasKeys && typeof mapping.bind(tables) === 'function';
}

function settings(isKnown: boolean): string {
  return [
    '# Settings of migrate, written by migrate init. The .migraterc.example of the package describes all of them.',
    ...(isKnown ? [] : [`mapping: ${mappingFile}`]),
    '',
    '# The import supplier of accounts whose data names none.',
    '# supplier: TENTACLE_ENERGY',
    '',
    '# Without a platform, run rehearses against the embedded one. For a real one:',
    '# profile: sandbox',
    '# profiles:',
    '#   sandbox:',
    '#     baseUrl: https://sandbox.example.com',
    '#     team: MIGRATIONS',
    '#     apiKeyFile: sandbox.key',
    // A file with only comments would not be a valid list of settings.
    ...(isKnown ? ['profiles: {}'] : []),
    '',
  ].join('\n');
}

/** Writes a new file; false if it exists. */
async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CannotStart(
      exitCodes.usage,
      `${path} cannot be written. Check the directory and its permissions.`,
    );
  }
}
