import { shownText } from '../../domain/foreign-text.ts';
import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Config } from '../../config/load-config.ts';
import type { PlanFile } from '../../report/plan-file.ts';
import type { Page } from '../../report/terminal.ts';
import type { AnyCommand } from '../commander.ts';
import { limitHeap } from '../heap-limits.ts';
import {
  contractOption,
  delimiterOption,
  encodingOption,
  stepList,
  snapshotOption,
  strictContractOption,
  withNewOption,
  withOption,
} from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('plan')
    .description('Show what run would do now with every account of an export; send no request')
    .example('migrate plan ./export', 'migrate plan ./export --json --steps stage')
    .argument(
      '[export]',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input; not needed if the mapping names a database',
    )
    .addOption(withOption)
    .addOption(withNewOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'Only this import supplier; also used for accounts whose data gives none')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .option('--steps <list>', 'Only these steps, separated by commas', stepList)
    .option(
      '--adopt',
      'Plan a run with --adopt: it adopts accounts that the platform has and this journal did not create',
    )
    .option('--skip-unreadable', 'Plan even if rows could not be read and may belong to any account')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--documents <dir>', 'Look up every document path in this directory')
    .option('--out <file>', 'Write the plan to this file, for run --plan')
    .option('--force', 'Overwrite a file of another kind');

type Flags = FlagsOf<typeof usage>;

export function planCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (path, flags) => ended(await plan(shell, path, flags)));
}

/** `migrate plan`: shows what `run` would do now, using only the files and the journal. */
async function plan(shell: Shell, named: string | undefined, flags: Flags): Promise<ExitCode> {
  const { absentRecord, planRecord, planSummary, planText } = await import('../../report/plan-table.ts');
  const { accountList } = await import('../../run/listed-accounts.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { placeExport } = await import('../../run/reading/place-export.ts');
  const { planExport } = await import('../plan-export.ts');
  const { usingExport } = await import('../using-export.ts');
  limitHeap();
  return conclude(shell, 'plan', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const accounts = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const { snapshot, out } = flags;
    const choice = { path: named, snapshot, config, purpose: 'read' } as const;
    const placed = await placeExport(shell, printer, choice);
    return usingExport(placed, async () => {
      const { path, name } = placed;
      const file = out === undefined ? undefined : await openPlanFile(shell, config, flags, path, out);
      try {
        const view = await planExport(
          shell,
          printer,
          { ...flags, accounts, config, path, name },
          {
            platform: (label) =>
              file?.begin({ platform: label, supplier: config.supplier, export: name ?? path }),
            account: (planned) => {
              printer.line(planRecord(planned));
              file?.add(planned);
            },
            absent: (account) => printer.line(absentRecord(account)),
          },
        );
        const failure = file?.complete();
        if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--out: ${failure}`);
        const result = {
          exit: exitCodes.done,
          summary: { ...planSummary(view), out },
          evenIfQuiet: out === undefined,
          text: (page: Page) =>
            [planText(page, view), ...(out === undefined ? [] : [`The plan is in ${shownText(out)}`])].join(
              '\n',
            ),
        };
        return { result, hasProblems: false };
      } finally {
        file?.close();
      }
    });
  });
}

async function openPlanFile(
  shell: Shell,
  config: Config,
  { accounts, documents, force, with: fixes }: Flags,
  path: string,
  out: string,
): Promise<PlanFile> {
  const { guardOutputs } = await import('../../run/session/output-files.ts');
  const { outputKinds } = await import('../../run/session/output-kinds.ts');
  const { PlanFile } = await import('../../report/plan-file.ts');
  const inputs = { export: path, with: fixes, documents, accounts };
  await guardOutputs(shell, config, [{ name: '--out', path: out, kind: outputKinds.plan }], {
    inputs,
    force,
  });
  const file = PlanFile.open(resolve(shell.cwd, out));
  if (!(file instanceof PlanFile)) throw new CannotStart(exitCodes.usage, `--out: ${file.refusal}`);
  return file;
}
