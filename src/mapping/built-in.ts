import { nearest } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExtraStepName } from '../domain/steps.ts';
import type { TableSpec } from '../source/export.ts';
import { withOrders } from './ordered-tables.ts';
import { bindMapping } from './bind.ts';
import { filesOf, flatList, flatObject } from './flat-shape.ts';
import { mappingProblem } from './mapping-problem.ts';
import type { Mapping, MappingOptions, MappingProblems } from './plan.ts';
import { interfaceShape, type PayloadShape, type Section } from './payload-shape.ts';
import {
  accountsTable,
  withSupplier,
  type ListSpec,
  type MappingSpec,
  type RecordSpec,
  type SectionSpec,
} from './spec.ts';

const accountSection = 'account';
const key = 'external_account_number';
const jsonEndings = ['.json', '.ndjson', '.jsonl'];
/** Endings of files that look like data, so that one with an unknown name is worth a word. */
const dataEnding = /\.(csv|tsv|json|ndjson|jsonl)$/i;

export interface BuiltInOptions extends MappingOptions {
  /** If the user names one file instead of a directory, it is the accounts file, whatever its name. */
  readonly isSingleFile?: boolean;
}

/**
 * The mapping of an export that needs no mapping file: the interface's own shape, the flat CSV shape, or a mix of the
 * two, by the names of its files. `files` are relative to the export directory.
 */
export function builtInMapping(files: readonly string[], options: BuiltInOptions): Mapping | MappingProblems {
  const { shape = interfaceShape() } = options;
  const flat = flatSpecs(shape, options.supplier);
  const flatNames = new Set([...flat.files].map((name) => `${name}.csv`));
  const single = options.isSingleFile === true ? files[0] : undefined;
  const present = new Set(single === undefined ? files : []);
  const problems = unrecognisedIn(present, flatNames, shape);
  const accountFile = single ?? choose(present, accountsTable, problems);
  if (accountFile === undefined) {
    if (!problems.some(({ code }) => code === 'ambiguous_file')) problems.push(noAccounts(files));
    return { problems };
  }
  const tables = new Map<string, TableSpec>();
  const addTable = (name: string, file: string): void => {
    if (present.has(file)) tables.set(name, { name, file, role: 'child', key });
  };
  tables.set(accountsTable, { name: accountsTable, file: accountFile, role: 'accounts', key });
  const account = isFlat(accountFile) ? flat.account : recordAccount(options);
  if (account.type === 'object') for (const name of filesOf(account)) addTable(name, `${name}.csv`);
  const chosen = new Map<ExtraStepName, SectionSpec>();
  for (const section of shape.sections) {
    const file = choose(present, section.name, problems) ?? `${section.name}.csv`;
    const spec = isFlat(file)
      ? (flat.sections.get(section.step) ?? flatSection(section))
      : recordSection(section);
    chosen.set(section.step, spec);
    for (const name of spec.type === 'list' ? filesOf(spec.list) : []) addTable(name, `${name}.csv`);
    if (spec.type === 'records') addTable(section.name, file);
  }
  const read = new Set([...tables.values()].map(({ file }) => file));
  problems.push(...[...present].filter((file) => flatNames.has(file) && !read.has(file)).map(unusedFlatFile));
  if (problems.some(({ severity }) => severity === 'error')) return { problems };
  const spec: MappingSpec = {
    tables: [...tables.values()],
    lookups: [],
    columns: 'known',
    empty: new Map(),
    ignore: new Map(),
    account,
    sections: chosen,
  };
  return {
    tables: withOrders(spec),
    lookups: [],
    warnings: problems,
    bind: (found) => bindMapping(spec, found, new Map(), {}),
    columns: () => new Map(),
  };
}

/** Everything that the flat CSV shape can hold, and the files (without `.csv`) that it may be in. */
export function flatSpecs(shape: PayloadShape, supplier: string | undefined) {
  const account = withSupplier(flatObject(shape.account, '', accountSection), supplier, shape.account);
  const sections = new Map(shape.sections.map((section) => [section.step, flatSection(section)]));
  const lists = [...sections.values()].map(({ list }) => list);
  return { account, sections, files: new Set([account, ...lists].flatMap(filesOf)) };
}

/** The one file of this kind that is there; a problem where there are several. */
function choose(present: ReadonlySet<string>, stem: string, problems: Problem[]): string | undefined {
  const found = [...jsonEndings, '.csv'].map((end) => stem + end).filter((file) => present.has(file));
  if (found.length > 1)
    problems.push(
      fileProblem(
        'ambiguous_file',
        found[1] ?? '',
        `${found.join(' and ')} contain the same kind of data. Keep one of them.`,
      ),
    );
  return found.length > 1 ? undefined : found[0];
}

function isFlat(file: string): boolean {
  return !/\.(json|ndjson|jsonl)(\.(gz|zst))?$/i.test(file);
}

function recordAccount({ supplier }: MappingOptions): RecordSpec {
  return { type: 'record', supplier };
}

function flatSection({ name, element, field }: Section): SectionSpec & { list: ListSpec } {
  const list = flatList(element, '', name);
  return { type: 'list', list, field };
}

function recordSection({ name, field }: Section): SectionSpec {
  return { type: 'records', table: name, field };
}

/** Problems of files that look like data and have a name that neither shape knows. */
function unrecognisedIn(
  present: ReadonlySet<string>,
  flatNames: ReadonlySet<string>,
  { sections }: PayloadShape,
): Problem[] {
  const stems = [accountsTable, ...sections.map(({ name }) => name)];
  const known = new Set([
    `${accountsTable}.csv`,
    ...flatNames,
    ...stems.flatMap((stem) => jsonEndings.map((end) => stem + end)),
  ]);
  return [...present]
    .filter((file) => dataEnding.test(file) && !known.has(file))
    .map((file) => unrecognised(file, known));
}

/** A name that is nearly a known one is most likely meant to be it: run without it, its rows would stay behind unseen. */
function unrecognised(file: string, knownNames: ReadonlySet<string>): Problem {
  const near = nearest(file, knownNames);
  const remedy =
    near === undefined
      ? 'Remove it from the directory, or describe the export in a mapping file.'
      : `Did you mean ${near}? Rename it, or remove it from the directory.`;
  return fileProblem(
    'unknown_file',
    file,
    `Neither of the built-in shapes has a file of this name, so it is not read. ${remedy}`,
    near === undefined ? 'warning' : 'error',
  );
}

function noAccounts(files: readonly string[]): Problem {
  const near = files.find((file) =>
    nearest(file, [`${accountsTable}.csv`, ...jsonEndings.map((end) => accountsTable + end)]),
  );
  const remedy = near === undefined ? 'Add it, or give a mapping file.' : `Is it ${near}? Then rename it.`;
  return mappingProblem(
    'missing_file',
    undefined,
    `The export has no accounts.json, accounts.ndjson or accounts.csv. ${remedy}`,
  );
}

function unusedFlatFile(file: string): Problem {
  return fileProblem(
    'unused_file',
    file,
    `${file} belongs to the flat CSV shape, but the file that its rows would complete is not in that shape. Move its rows there.`,
  );
}

function fileProblem(
  code: string,
  file: string,
  detail: string,
  severity: Problem['severity'] = 'error',
): Problem {
  return mappingProblem(code, { file, line: 1, column: '' }, detail, severity);
}
