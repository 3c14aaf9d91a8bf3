import type { ExitCode } from '../../domain/exit-codes.ts';
import { problemRecord } from '../../report/json-records.ts';
import type { Page } from '../../report/terminal.ts';
import { limitHeap } from '../heap-limits.ts';
import type { Shell } from '../shell.ts';
import { validateSummary, validateText } from '../../report/validate-summary.ts';
import { checkExport } from '../../run/check-export.ts';
import { placeExport } from '../../run/reading/place-export.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { usingExport } from '../using-export.ts';
import type { ValidateFlags } from '../usages/validate.ts';

/** `migrate validate`: maps and checks every account locally; asks the platform only with --remote. */
export async function validate(
  shell: Shell,
  named: string | undefined,
  flags: ValidateFlags,
): Promise<ExitCode> {
  limitHeap();
  return conclude(shell, 'validate', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { snapshot, remote } = flags;
    if (remote === true)
      printer.info(
        config.baseUrl === undefined
          ? 'No platform is configured: the embedded platform validates the accounts.'
          : `The platform ${config.baseUrl} validates the accounts. Nothing is created.`,
      );
    const choice = { path: named, snapshot, config, purpose: 'read' } as const;
    const placed = await placeExport(shell, printer, choice);
    return usingExport(placed, async () => {
      const ending = await checkExport(
        shell,
        { ...flags, path: placed.path, config },
        { reporter: printer, tell: (problem) => printer.line(problemRecord(problem)) },
      );
      const { exit, errors, heldBack } = ending;
      // Programs get only the counts, which do not show it.
      if (flags.json === true && heldBack !== undefined) printer.warn(heldBack);
      const hasProblems = ending.problems.problems > 0;
      const result = {
        exit,
        errors,
        summary: validateSummary(ending),
        text: (page: Page) => validateText(page, ending, flags.rejects),
        evenIfQuiet: hasProblems,
      };
      return { result, hasProblems };
    });
  });
}
