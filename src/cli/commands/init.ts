import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotStart } from '../../host/cannot-start.ts';
import { formatProblem } from '../../run/reading/format-problem.ts';
import { packaged } from '../../host/packaged.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { whyUnwritten } from '../../domain/unwritten.ts';
import { counted } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { Config } from '../../config/load-config.ts';
import type { AccountsTable } from '../../mapping/guess/accounts-table.ts';
import { missingFields } from '../../mapping/guess/missing-fields.ts';
import type { PayloadShape } from '../../mapping/payload-shape.ts';
import type { NamedDatabase } from '../init/database-address.ts';
import type { Shell } from '../shell.ts';
import { addressOf } from '../../source/places/address.ts';
import { namedDatabase } from '../init/database-address.ts';
import { readContract } from '../../run/effective-rules.ts';
import { shapeUnder } from '../../mapping/payload-shape.ts';
import { mappingSchemaText } from '../mapping-schema-text.ts';
import { resolveSettings, conclude } from '../conclude.ts';
import { guessExport, mostTables } from '../init/guess-export.ts';
import { writeMapping } from '../../mapping/guess/write-mapping.ts';
import { guessDatabase } from '../init/guess-database.ts';
import { writeDatabaseMapping } from '../../mapping/guess/queries/write-database-mapping.ts';
import type { InitFlags } from '../usages/init.ts';

const mappingFile = 'mapping.yaml';
const settingsFile = '.migraterc';
const schemaFile = 'mapping.schema.json';
const packagedSchema = fileURLToPath(packaged('docs/mapping.schema.json'));

/**
 * `migrate init`: writes a first mapping and settings, guessed from an export's files; under a tenancy's contract, the
 * schema of mappings with its fields as well.
 */
export async function init(shell: Shell, directory: string, flags: InitFlags): Promise<ExitCode> {
  return conclude(shell, 'init', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const contract = await readContract(config, printer, { checks: false });
    const shape = contract === undefined ? undefined : shapeUnder(contract);
    const asked = { shape, accounts: flags.accounts };
    const named = await namedDatabase(shell.cwd, directory);
    const { isKnown, count, accounts, chosen, leftOut, text } =
      named === undefined
        ? await fromExport(shell, directory, { ...asked, config })
        : await fromDatabase(shell, named, { ...asked, config });
    const written: string[] = [];
    const kept: string[] = [];
    const write = async (file: string, text: string): Promise<void> =>
      void ((await writeNew(join(shell.cwd, file), text)) ? written : kept).push(file);
    let missing: readonly string[] = [];
    if (!isKnown) {
      const mapping = text(shape === undefined ? relative(shell.cwd, packagedSchema) : schemaFile);
      await write(mappingFile, mapping);
      // What a tenancy's own contract requires, validate says.
      if (shape === undefined && written.length > 0) missing = missingFields(mapping, config.supplier);
      if (shape !== undefined) await write(schemaFile, await mappingSchemaText(shape));
    }
    const files = config.contract?.map((file) => relative(shell.cwd, file)) ?? [];
    await write(settingsFile, settings(isKnown, files));
    const found = isKnown
      ? 'The export needs no mapping: its files are in one of the built-in shapes.'
      : `${counted(count, 'table')}; each row of ${accounts?.file} seems to be an account (${chosen?.reason}), numbered in the column '${accounts?.key}'.`;
    const doubt =
      chosen?.isSure === false ? ['That is not certain. Name another table with --accounts TABLE.'] : [];
    return {
      exit: written.length === 0 ? exitCodes.usage : exitCodes.done,
      summary: {
        written,
        kept,
        tables: count,
        accounts: accounts ?? null,
        missing,
      },
      text: (page) =>
        [
          found,
          ...(isKnown ? [] : doubt),
          ...(written.length === 0
            ? []
            : [`Wrote ${written.join(', ')}. Everything in it is a guess: check it.`]),
          ...(missing.length === 0
            ? []
            : [
                `Before an account is valid, the mapping needs ${new Intl.ListFormat('en-GB').format(missing)}.`,
              ]),
          ...leftOut.map((why) => `Left out: ${why}`),
          ...kept.map((file) => `${file} already exists and was not changed.`),
        ]
          .map((line) => paragraph(page, line, ''))
          .join('\n'),
    };
  });
}

interface AskedOf {
  readonly config: Config;
  readonly shape: PayloadShape | undefined;
  readonly accounts: string | undefined;
}

/** What the files or the tables of a database look like, and the mapping for them. */
interface Guessed {
  /** Whether no mapping is needed. */
  readonly isKnown: boolean;
  /** How many tables there are. */
  readonly count: number;
  readonly accounts?: { readonly file: string; readonly key: string | undefined } | undefined;
  readonly chosen?: AccountsTable | undefined;
  readonly leftOut: readonly string[];
  /** The mapping. `schema`: the path of its JSON Schema. */
  readonly text: (schema: string) => string;
}

async function fromExport(shell: Shell, directory: string, { config, ...asked }: AskedOf): Promise<Guessed> {
  const { encoding, followLinks } = config;
  const guessed = await guessExport(addressOf(shell.cwd, directory), { encoding, followLinks, ...asked });
  const { tables, unseen } = guessed;
  const leftOut = guessed.unfit.map(({ problem }) => formatProblem(problem));
  if (unseen > 0)
    leftOut.push(
      `${counted(unseen, 'table')} more: init looks at the first ${mostTables} by name. Name a folder with those that matter.`,
    );
  const [accounts] = tables;
  return {
    isKnown: guessed.isKnown,
    count: guessed.samples.length,
    accounts: accounts && { file: accounts.sample.file, key: accounts.key },
    chosen: guessed.accounts,
    leftOut,
    text: (schema) => writeMapping(tables, schema, leftOut),
  };
}

async function fromDatabase(
  shell: Shell,
  named: NamedDatabase,
  { config, accounts: asked }: AskedOf,
): Promise<Guessed> {
  const guessed = await guessDatabase(named, config, shell.env, asked);
  const [first] = guessed.tables;
  const { driver, url, file } = named;
  const source = { driver, url, file: file === undefined ? undefined : relative(shell.cwd, file) };
  return {
    isKnown: false,
    count: guessed.count,
    accounts: first && { file: first.guessed.sample.file, key: first.query.key },
    chosen: guessed.accounts,
    leftOut:
      guessed.unseen === 0
        ? []
        : [`${counted(guessed.unseen, 'table')} more: init looks at the first ${mostTables} by name.`],
    text: (schema) => writeDatabaseMapping(guessed, source, schema),
  };
}

function settings(isKnown: boolean, contract: readonly string[]): string {
  return [
    '# Settings of migrate, written by migrate init. The .migraterc.example of the package describes all of them.',
    ...(isKnown ? [] : [`mapping: ${mappingFile}`]),
    ...(contract.length === 0 ? [] : [`contract: ${JSON.stringify(contract)}`]),
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
    ...(isKnown && contract.length === 0 ? ['profiles: {}'] : []),
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
    throw new CannotStart(exitCodes.usage, `${path} cannot be written: ${whyUnwritten(error)}`);
  }
}
