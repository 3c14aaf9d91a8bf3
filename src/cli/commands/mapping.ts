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
import type { Shell } from '../shell.ts';
import { effectiveRules } from '../../run/effective-rules.ts';
import { openPlans } from '../../run/reading/open-plans.ts';
import { placeExport } from '../../run/reading/place-export.ts';
import { Effects } from '../../mapping/effects.ts';
import { shapeUnder } from '../../mapping/payload-shape.ts';
import { readMapping } from '../../mapping/read-mapping.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { loadModule, readLookups } from '../../run/reading/read-lookups.ts';
import { readNamedFile, readNamedList } from '../../host/read-named-file.ts';
import { runCase } from '../run-case.ts';
import { readCases } from '../../mapping/read-cases.ts';
import type { MappingCheckFlags, MappingTestFlags } from '../usages/mapping.ts';

/**
 * `migrate mapping check`: what a mapping says to no effect. Without an export or a snapshot of the mapping's
 * database: tables that nothing reads. With one: also columns that nothing reads, fields that no account fills, and conversions that are never needed.
 */
export async function mappingCheck(
  shell: Shell,
  named: string | undefined,
  path: string | undefined,
  flags: MappingCheckFlags,
): Promise<ExitCode> {
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

/** `migrate mapping test`: maps the rows of each case and compares what comes out, field by field. */
export async function mappingTest(
  shell: Shell,
  named: string | undefined,
  flags: MappingTestFlags,
): Promise<ExitCode> {
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
