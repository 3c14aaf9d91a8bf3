import { shownText } from '../../domain/foreign-text.ts';
import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Config } from '../../config/load-config.ts';
import type { Page } from '../../report/terminal.ts';
import { limitHeap } from '../heap-limits.ts';
import type { Shell } from '../shell.ts';
import { absentRecord, planRecord, planSummary, planText } from '../../report/plan-table.ts';
import { accountList } from '../../run/listed-accounts.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { placeExport } from '../../run/reading/place-export.ts';
import { planExport } from '../plan-export.ts';
import { usingExport } from '../using-export.ts';
import { guardOutputs } from '../../run/session/output-files.ts';
import { outputKinds } from '../../run/session/output-kinds.ts';
import { PlanFile } from '../../report/plan-file.ts';
import type { PlanFlags } from '../usages/plan.ts';

/** `migrate plan`: shows what `run` would do now, using only the files and the journal. */
export async function plan(shell: Shell, named: string | undefined, flags: PlanFlags): Promise<ExitCode> {
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
  { accounts, documents, force, with: fixes }: PlanFlags,
  path: string,
  out: string,
): Promise<PlanFile> {
  const inputs = { export: path, with: fixes, documents, accounts };
  await guardOutputs(shell, config, [{ name: '--out', path: out, kind: outputKinds.plan }], {
    inputs,
    force,
  });
  const file = PlanFile.open(resolve(shell.cwd, out));
  if (!(file instanceof PlanFile)) throw new CannotStart(exitCodes.usage, `--out: ${file.refusal}`);
  return file;
}
