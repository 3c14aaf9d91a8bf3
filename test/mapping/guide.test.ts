import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import { loadModule, readLookups } from '../../src/run/reading/read-lookups.ts';
import { flatTables } from '../../src/mapping/flat-shape.ts';
import {
  caseEntry,
  conditionalEntry,
  formatSection,
  keyEntry,
  leftOverEntry,
  lookupEntry,
  orderEntry,
  padEntry,
  questionEntry,
  replacementEntry,
  rowsEntry,
  sliceEntry,
  sourceEntry,
  tableEntry,
  valueEntry,
  viaEntry,
} from '../../src/mapping/mapping-keys.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { topLevel } from '../../src/mapping/top-level.ts';
import { sections } from '../../src/mapping/payload-shape.ts';
import { openExport } from '../../src/source/open-export.ts';
import { workbook } from '../source/workbook.ts';

const guide = readFileSync(fileURLToPath(new URL('../../docs/mapping.md', import.meta.url)), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'migrate-guide-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface Block {
  readonly language: string;
  readonly label: string;
  readonly text: string;
}

/** The chapters that hold an example, each with its fenced blocks. */
const examples = guide.split(/^#+ /m).flatMap((chapter) => {
  const [title = ''] = chapter.split('\n', 1);
  const blocks = [...chapter.matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)].map(
    ([, language = '', label = '', text = '']): Block => ({ language, label, text }),
  );
  // The tutorial is run command by command (test/cli).
  const isTutorial = blocks.some(({ language }) => language === 'console');
  return blocks.length === 0 || isTutorial ? [] : [{ title, blocks }];
});

/** The workbooks whose sheets are among the blocks, each as cells between semicolons. */
function writeWorkbooks(blocks: readonly Block[]): void {
  const sheets = blocks.filter(({ language }) => language === 'xlsx');
  for (const file of new Set(sheets.map(({ label }) => label.split('#')[0] ?? ''))) {
    const own = sheets.filter(({ label }) => label.startsWith(`${file}#`));
    const rows = own.map(({ label, text }) => [label.slice(file.length + 1), rowsOf(text)] as const);
    writeFileSync(join(directory, file), workbook(Object.fromEntries(rows)));
  }
}

function rowsOf(text: string): (string | number | Date)[][] {
  const cell = (written: string): string | number | Date => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(written)) return new Date(`${written}T00:00:00Z`);
    return /^\d+$/.test(written) ? Number(written) : written;
  };
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(';').map(cell));
}

async function firstPlan(mappingText: string): Promise<AccountPlan> {
  const mapping = readMapping('mapping.yaml', mappingText, { supplier: 'TENTACLE_ENERGY' });
  if (!('bind' in mapping)) throw new Error(JSON.stringify(mapping.problems));
  expect(mapping.warnings).toEqual([]);
  const source = await openExport(directory, mapping.tables);
  if (!('bundles' in source)) throw new Error(JSON.stringify(source.problems));
  try {
    const codes = await readLookups(directory, mapping.lookups);
    if (!('lookups' in codes)) throw new Error(JSON.stringify(codes.problems));
    const bound = mapping.bind(source.tables, codes.lookups, await loadModule(directory, mapping.module));
    if (typeof bound !== 'function') throw new Error(JSON.stringify(bound.problems));
    for await (const bundle of source.bundles()) return bound(bundle);
    throw new Error('no account');
  } finally {
    source.close();
  }
}

/** What an editor that knows the package's types finds wrong with a module. */
function typeFaults(file: string): string[] {
  const types = fileURLToPath(new URL('../../types/mapping-module.d.ts', import.meta.url));
  const program = ts.createProgram([file], {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    types: [],
    paths: { 'account-migrate/mapping-module': [types] },
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** Without the fields that every payload has, which most examples leave out. */
function unidentified(payload: unknown): object {
  const {
    import_supplier: _supplier,
    external_account_number: _account,
    ...rest
  } = payload as Record<string, unknown>;
  return rest;
}

/** Entries whose keys have no table of their own in the guide. */
const small = [
  ...[lookupEntry, caseEntry, questionEntry, orderEntry, leftOverEntry, conditionalEntry],
  ...[keyEntry, viaEntry, replacementEntry, sliceEntry, padEntry],
];

describe('the mapping guide', () => {
  test.each(examples)('shows what is so: $title', async ({ blocks }) => {
    for (const { label, text } of blocks)
      if (/\.(csv|ndjson|mjs)$/.test(label)) writeFileSync(join(directory, label), text);
    writeWorkbooks(blocks);
    const plan = await firstPlan(blocks.find(({ language }) => language === 'yaml')!.text);
    const shown = blocks.filter(({ label, language }) => language !== 'yaml' && !label.includes('.'));
    expect(shown.length).toBeGreaterThan(0);
    for (const { label, text } of shown) {
      const step = sections.find(({ name }) => name === label)?.step;
      if (label === 'problems')
        expect(
          plan.problems
            .map(({ code, cell }) => `${cell?.file}:${cell?.line} ${cell?.column} ${code}\n`)
            .join(''),
        ).toBe(text);
      else if (step !== undefined) expect(plan.extras[step]).toEqual(JSON.parse(text));
      else expect(unidentified(plan.payload)).toEqual(unidentified(JSON.parse(text)));
    }
    if (!shown.some(({ label }) => label === 'problems')) expect(plan.problems).toEqual([]);
  });

  test('has modules that the types of the package fit', () => {
    const modules = examples.flatMap(({ blocks }) => blocks.filter(({ label }) => label.endsWith('.mjs')));
    expect(modules).not.toEqual([]);
    for (const [at, { text }] of modules.entries()) {
      const file = join(directory, `module-${at}.mjs`);
      writeFileSync(file, text);
      expect(typeFaults(file)).toEqual([]);
      writeFileSync(file, text.replaceAll('.toUpperCase()', '.toUpper()').replace('[0]', '.first'));
      expect(typeFaults(file)).toHaveLength(2);
    }
  });

  test('names every key and every file', () => {
    const reference = guide.slice(guide.indexOf('# Reference')).replaceAll(/ +/g, ' ');
    const rows = [topLevel, sourceEntry, formatSection, tableEntry, valueEntry, rowsEntry].flatMap(
      ({ shape }) => Object.keys(shape).map((key) => `| \`${key}\` |`),
    );
    const words = small.flatMap(({ shape }) => Object.keys(shape).map((key) => `\`${key}\``));
    const files = flatTables.map(({ file }) => `\`${file}.csv\``);
    expect([...rows, ...words, ...files].filter((name) => !reference.includes(name))).toEqual([]);
  });

  test('shows every key in an example', () => {
    const shown = [...guide.matchAll(/^```yaml(?: \S+)?\n(.*?)^```$/gms)]
      .map(([, text = '']) => text)
      .join('\n');
    const keys = [...[topLevel, formatSection, tableEntry, valueEntry, rowsEntry], ...small].flatMap(
      ({ shape }) => Object.keys(shape),
    );
    expect(new Set(keys.filter((key) => !new RegExp(`(?:^|[\\s{])${key}:`, 'm').test(shown)))).toEqual(
      new Set(),
    );
  });
});
