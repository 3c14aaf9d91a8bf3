import type { ExitCode } from '../../domain/exit-codes.ts';
import { problemRecord } from '../../report/json-records.ts';
import { validateSummary, validateText } from '../../report/validate-summary.ts';
import { checkExport } from '../../app/check-export.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';
import { limitHeap } from '../heap-limits.ts';

export interface ValidateFlags extends CommonFlags {
  readonly with?: readonly string[];
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly supplier?: string;
  readonly contract?: readonly string[];
  readonly strictContract?: boolean;
  readonly documents?: string;
  readonly problems?: string;
  readonly rejects?: string;
  readonly values?: boolean;
  readonly force?: boolean;
}

/** `migrate validate`: maps and checks every account locally, without a request. */
export function validateCommand(shell: Shell, path: string, flags: ValidateFlags): Promise<ExitCode> {
  limitHeap();
  return conclude(shell, 'validate', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const ending = await checkExport(
      shell,
      { ...flags, path, config },
      { reporter: printer, tell: (problem) => printer.line(problemRecord(problem)) },
    );
    const { exit, errors, heldBack } = ending;
    // Programs get only the counts, which do not show it.
    if (flags.json === true && heldBack !== undefined) printer.warn(heldBack);
    return { exit, errors, summary: validateSummary(ending), text: (page) => validateText(page, ending) };
  });
}
