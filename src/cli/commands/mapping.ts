import { basename, dirname, relative, resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { cannotRead } from '../../run/reading/cannot-read.ts';
import { formatProblem } from '../../run/reading/format-problem.ts';
import type { Reporter } from '../../host/environment.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { stringifyJson, type JsonValue } from '../../domain/json.ts';
import type { Problem } from '../../domain/problem.ts';
import type { ValueDifference } from '../../mapping/compare-plans.ts';
import { shownText } from '../../domain/foreign-text.ts';
import { counted } from '../../report/format.ts';
import { problemRecord } from '../../report/json-records.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { Table } from '../../source/export.ts';
import type { AnyCommand } from '../commander.ts';
import { contractOption, delimiterOption, encodingOption, snapshotOption, wholeNumber } from '../options.ts';
import type { Shell } from '../shell.ts';
import { commandGroup, Usage, type Action, type FlagsOf } from '../usage.ts';

export const mappingCommand = commandGroup('mapping', 'Check and test a mapping file', [
  mappingCheckCommand,
  mappingTestCommand,
]);

const checkUsage = () =>
  new Usage('check')
    .description('List parts of a mapping that have no effect, and columns that it does not read')
    .example('migrate mapping check mapping.yaml ./export')
    .argument('[mapping]', 'Mapping file; default: the configured one')
    .argument('[export]', 'Export directory, .zip archive, one file, or s3:// address')
    .addOption(snapshotOption)
    .option('--limit <n>', 'Map only this many accounts', wholeNumber(1))
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .addOption(contractOption)
    .option('--supplier <code>', 'Import supplier of accounts whose data gives none');

type CheckFlags = FlagsOf<typeof checkUsage>;

function mappingCheckCommand({ shell, ended }: Action): AnyCommand {
  return checkUsage().action(async (file, path, flags) =>
    ended(await mappingCheck(shell, file, path, flags)),
  );
}

/**
 * `migrate mapping check`: what a mapping says to no effect. Without an export or a snapshot of the mapping's
 * database: tables that nothing reads. With one: also columns that nothing reads, fields that no account fills, and conversions that are never needed.
 */
async function mappingCheck(
  shell: Shell,
  named: string | undefined,
  path: string | undefined,
  flags: CheckFlags,
): Promise<ExitCode> {
  const { effectiveRules } = await import('../../run/effective-rules.ts');
  const { openPlans } = await import('../../run/reading/open-plans.ts');
  const { placeExport } = await import('../../run/reading/place-export.ts');
  const { readNamedFile } = await import('../../host/read-named-file.ts');
  const { Effects } = await import('../../mapping/effects.ts');
  const { shapeUnder } = await import('../../mapping/payload-shape.ts');
  const { readMapping } = await import('../../mapping/read-mapping.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  return conclude(shell, 'mapping check', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const file = namedMapping(shell, named, config.mapping);
    const { contract } = await effectiveRules(shell, printer, config);
    const mapping = readMapping(
      relative(shell.cwd, file) || basename(file),
      await readNamedFile('The mapping file', file),
      { shape: contract && shapeUnder(contract) },
    );
    if ('problems' in mapping) throw cannotRead(mapping.problems);
    const findings: Problem[] = [...mapping.warnings];
    let accounts = 0;
    const { snapshot } = flags;
    const isMapped = path !== undefined || snapshot !== undefined;
    if (isMapped) {
      const effects = new Effects();
      let tables: readonly Table[] = [];
      // The mapping's own warnings are among the findings.
      const known = new Set(mapping.warnings.map(formatProblem));
      const reporter: Reporter = {
        info: (text) => printer.info(text),
        detail: (text) => printer.detail(text),
        warn: (text) => (known.has(text) ? undefined : printer.warn(text)),
        progress: printer.progress,
      };
      const choice = {
        path,
        snapshot,
        config: {
          ...config,
          mapping: file,
          isSourceFound: config.sourceUrl !== undefined && config.isSourceFound === true,
        },
        purpose: 'read',
      } as const;
      const placed = await placeExport(shell, reporter, choice);
      const opened = await openPlans(shell, reporter, placed.path, {
        ...config,
        mapping: file,
        tenancy: contract,
        inspect: (found) => {
          tables = found;
          return effects;
        },
      });
      try {
        for await (const _plan of opened.plans) {
          accounts += 1;
          if (accounts === flags.limit) break;
        }
      } finally {
        opened.close();
        await placed.close();
      }
      findings.push(...effects.unread(tables), ...effects.findings());
    }
    for (const finding of findings) printer.line(problemRecord(finding));
    const byCode = Object.fromEntries(
      [...new Set(findings.map(({ code }) => code))]
        .sort()
        .map((code) => [code, findings.filter((finding) => finding.code === code).length]),
    );
    const seen = !isMapped ? '' : ` in ${counted(accounts, 'account')}`;
    return {
      exit: findings.length === 0 ? exitCodes.done : exitCodes.accountsRejected,
      summary: { findings: findings.length, byCode, accounts },
      text: (page) =>
        [
          ...findings.map((finding) => paragraph(page, formatProblem(finding), '')),
          `${counted(findings.length, 'finding')}${seen}`,
        ].join('\n'),
    };
  });
}

const testUsage = () =>
  new Usage('test')
    .description('Map the rows of test cases and compare the payloads field by field')
    .example('migrate mapping test mapping.yaml')
    .argument('[mapping]', 'Mapping file; default: the configured one')
    .option('--cases <file>', 'File of cases; default: NAME.cases.yaml beside the mapping NAME.yaml')
    .addOption(contractOption);

type TestFlags = FlagsOf<typeof testUsage>;

function mappingTestCommand({ shell, ended }: Action): AnyCommand {
  return testUsage().action(async (file, flags) => ended(await mappingTest(shell, file, flags)));
}

/** `migrate mapping test`: maps the rows of each case and compares what comes out, field by field. */
async function mappingTest(shell: Shell, named: string | undefined, flags: TestFlags): Promise<ExitCode> {
  const { effectiveRules } = await import('../../run/effective-rules.ts');
  const { loadModule, readLookups } = await import('../../run/reading/read-lookups.ts');
  const { readNamedFile, readNamedList } = await import('../../host/read-named-file.ts');
  const { runCase } = await import('../run-case.ts');
  const { shapeUnder } = await import('../../mapping/payload-shape.ts');
  const { readCases } = await import('../../mapping/read-cases.ts');
  const { readMapping } = await import('../../mapping/read-mapping.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  return conclude(shell, 'mapping test', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const file = namedMapping(shell, named, config.mapping);
    const { contract } = await effectiveRules(shell, printer, config);
    const mapping = readMapping(
      relative(shell.cwd, file) || basename(file),
      await readNamedFile('The mapping file', file),
      { shape: contract && shapeUnder(contract) },
    );
    if ('problems' in mapping) throw cannotRead(mapping.problems);
    const codes = await readLookups(dirname(file), mapping.lookups);
    if ('problems' in codes) throw cannotRead(codes.problems);
    const functions = await loadModule(dirname(file), mapping.module);
    const casesFile = resolve(
      shell.cwd,
      flags.cases ?? relative(shell.cwd, file.replace(/(\.ya?ml)?$/, '.cases.yaml')),
    );
    const isJson = (table: string): boolean =>
      mapping.tables.some(({ name, file: of }) => name === table && /\.(?:ndjson|jsonl?)\b/i.test(of));
    const cases = readCases(
      relative(shell.cwd, casesFile),
      await readNamedList('The file of cases', casesFile),
      isJson,
    );
    if ('problems' in cases) throw cannotRead(cases.problems);
    const lines: string[] = [];
    let failed = 0;
    for (const one of cases) {
      const differences = await runCase({ mapping, lookups: codes.lookups, functions }, one);
      const passed = differences.length === 0;
      const { file: of, line } = one.origin;
      printer.line({
        type: 'case',
        name: one.name,
        passed,
        file: of,
        line,
        differences: differences.map(asRecord),
      });
      if (passed) continue;
      failed += 1;
      lines.push(`${of}:${line}  ${shownText(one.name)}`, ...differences.map(inWords), '');
    }
    const passed = cases.length - failed;
    return {
      exit: failed === 0 ? exitCodes.done : exitCodes.accountsRejected,
      summary: { cases: cases.length, passed, failed },
      text: () =>
        [...lines, `${counted(cases.length, 'case')}: ${passed} passed, ${failed} failed`].join('\n'),
    };
  });
}

function asRecord({ path, expected = null, found = null }: ValueDifference): object {
  return { path, expected, found };
}

function inWords({ path, expected, found }: ValueDifference): string {
  return `    ${shownText(path)}: expected ${shown(expected)}, found ${shown(found)}`;
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : shownText(stringifyJson(value));
}

/** The mapping file that was named, or the configured one; absolute. Throws CannotStart if there is neither. */
function namedMapping(
  { cwd }: Pick<Shell, 'cwd'>,
  named: string | undefined,
  configured: string | undefined,
): string {
  const file = named ?? configured;
  if (file === undefined)
    throw new CannotStart(
      exitCodes.usage,
      'No mapping is named. Name its file, or set mapping in .migraterc.',
    );
  return resolve(cwd, file);
}
