import { formatProblem } from '../../app/format-problem.ts';
import { basename, relative } from 'node:path';
import { CannotStart } from '../../app/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Problem } from '../../domain/problem.ts';
import { counted } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import { problemRecord } from '../../report/json-records.ts';
import type { Table } from '../../source/export.ts';
import type { Reporter } from '../../app/reporter.ts';
import type { Shell } from '../shell.ts';
import type { AnyCommand } from '../commander.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';
import { contractOption, delimiterOption, encodingOption, wholeNumber } from '../options.ts';

const usage = () =>
  new Usage('check')
    .description('List what a mapping says to no effect, and what it does not read')
    .example('migrate mapping check mapping.yaml ./export')
    .argument('[mapping]', 'Mapping file; default: the configured one')
    .argument('[export]', 'Export directory, or one file')
    .option('--limit <n>', 'Map only this many accounts', wholeNumber(1))
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .addOption(contractOption)
    .option('--supplier <code>', 'Import supplier of accounts whose data gives none');

type Flags = FlagsOf<typeof usage>;

export function mappingCheckCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (file, path, flags) => ended(await mappingCheck(shell, file, path, flags)));
}

/**
 * `migrate mapping check`: what a mapping says to no effect. Without an export: tables that nothing reads. With one:
 * also columns that nothing reads, fields that no account fills, and conversions that are never needed.
 */
async function mappingCheck(
  shell: Shell,
  named: string | undefined,
  path: string | undefined,
  flags: Flags,
): Promise<ExitCode> {
  const { effectiveRules } = await import('../../app/effective-rules.ts');
  const { openPlans } = await import('../../app/open-plans.ts');
  const { readNamedFile } = await import('../../app/read-named-file.ts');
  const { Effects } = await import('../../mapping/effects.ts');
  const { shapeUnder } = await import('../../mapping/payload-shape.ts');
  const { readMapping } = await import('../../mapping/read-mapping.ts');
  const { conclude } = await import('../conclude.ts');
  const { namedMapping } = await import('../named-mapping.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
  return conclude(shell, 'mapping check', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const file = namedMapping(shell, named, config.mapping);
    const { contract } = await effectiveRules(shell, printer, config);
    const mapping = readMapping(
      relative(shell.cwd, file) || basename(file),
      await readNamedFile('The mapping file', file),
      contract === undefined ? {} : { shape: shapeUnder(contract) },
    );
    if ('problems' in mapping)
      throw new CannotStart(exitCodes.usage, mapping.problems.map(formatProblem), mapping.problems);
    const findings: Problem[] = [...mapping.warnings];
    let accounts = 0;
    if (path !== undefined) {
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
      const opened = await openPlans(shell, reporter, path, {
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
      }
      findings.push(...effects.unread(tables), ...effects.findings());
    }
    for (const finding of findings) printer.line(problemRecord(finding));
    const byCode = Object.fromEntries(
      [...new Set(findings.map(({ code }) => code))]
        .sort()
        .map((code) => [code, findings.filter((finding) => finding.code === code).length]),
    );
    const seen = path === undefined ? '' : ` in ${counted(accounts, 'account')}`;
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
