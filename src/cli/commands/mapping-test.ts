import { formatProblem } from '../../app/format-problem.ts';
import { basename, dirname, relative, resolve } from 'node:path';
import { CannotStart } from '../../app/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { stringifyJson, type JsonValue } from '../../domain/json.ts';
import type { Problem } from '../../domain/problem.ts';
import type { ValueDifference } from '../../mapping/different.ts';
import { escapeControl } from '../../report/escape-control.ts';
import { counted } from '../../report/format.ts';
import type { Shell } from '../shell.ts';
import type { AnyCommand } from '../commander.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';
import { contractOption } from '../options.ts';

const usage = () =>
  new Usage('test')
    .description('Map the rows of small cases and compare the payloads, field by field')
    .example('migrate mapping test mapping.yaml')
    .argument('[mapping]', 'Mapping file; default: the configured one')
    .option('--cases <file>', 'File of cases; default: NAME.cases.yaml beside the mapping NAME.yaml')
    .addOption(contractOption);

type Flags = FlagsOf<typeof usage>;

export function mappingTestCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (file, flags) => ended(await mappingTest(shell, file, flags)));
}

/** `migrate mapping test`: maps the rows of each case and compares what comes out, field by field. */
async function mappingTest(shell: Shell, named: string | undefined, flags: Flags): Promise<ExitCode> {
  const { effectiveRules } = await import('../../app/effective-rules.ts');
  const { loadModule } = await import('../../app/load-module.ts');
  const { readLookups } = await import('../../app/read-lookups.ts');
  const { readNamedFile } = await import('../../app/read-named-file.ts');
  const { runCase } = await import('../../app/run-case.ts');
  const { shapeUnder } = await import('../../mapping/payload-shape.ts');
  const { readCases } = await import('../../mapping/read-cases.ts');
  const { readMapping } = await import('../../mapping/read-mapping.ts');
  const { conclude } = await import('../conclude.ts');
  const { namedMapping } = await import('../named-mapping.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
  return conclude(shell, 'mapping test', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const file = namedMapping(shell, named, config.mapping);
    const { contract } = await effectiveRules(shell, printer, config);
    const mapping = readMapping(
      relative(shell.cwd, file) || basename(file),
      await readNamedFile('The mapping file', file),
      contract === undefined ? {} : { shape: shapeUnder(contract) },
    );
    if ('problems' in mapping) throw refusal(mapping.problems);
    const codes = await readLookups(dirname(file), mapping.lookups);
    if ('problems' in codes) throw refusal(codes.problems);
    const functions = await loadModule(dirname(file), mapping.module);
    const casesFile = resolve(
      shell.cwd,
      flags.cases ?? relative(shell.cwd, file.replace(/(\.ya?ml)?$/, '.cases.yaml')),
    );
    const isJson = (table: string): boolean =>
      mapping.tables.some(({ name, file: of }) => name === table && /\.(?:ndjson|jsonl?)\b/i.test(of));
    const cases = readCases(
      relative(shell.cwd, casesFile),
      await readNamedFile('The file of cases', casesFile),
      isJson,
    );
    if ('problems' in cases) throw refusal(cases.problems);
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
      lines.push(`${of}:${line}  ${escapeControl(one.name)}`, ...differences.map(inWords), '');
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
  return `    ${escapeControl(path)}: expected ${shown(expected)}, found ${shown(found)}`;
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : escapeControl(stringifyJson(value));
}

function refusal(problems: readonly Problem[]): CannotStart {
  return new CannotStart(exitCodes.usage, problems.map(formatProblem), problems);
}
