import type { ExitCode } from '../../domain/exit-codes.ts';
import { problemRecord } from '../../report/json-records.ts';
import { validateSummary, validateText } from '../../report/validate-summary.ts';
import { checkExport } from '../../wiring/check-export.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';
import { keepHeapSmall } from '../small-heap.ts';

export interface ValidateFlags extends CommonFlags {
  readonly with?: readonly string[];
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly supplier?: string;
  readonly contract?: string;
  readonly documents?: string;
  readonly problems?: string;
  readonly rejects?: string;
  readonly values?: boolean;
  readonly force?: boolean;
}

/** `migrate validate`: every account mapped and checked locally, no request sent. */
export function validateCommand(shell: Shell, path: string, flags: ValidateFlags): Promise<ExitCode> {
  keepHeapSmall();
  return conclude(shell, 'validate', flags, async (printer) => {
    const config = await settingsInForce(shell, flags);
    const ending = await checkExport(
      shell,
      { ...flags, path, config },
      { teller: printer, tell: (problem) => printer.line(problemRecord(problem)) },
    );
    const { exit, errors, heldBack } = ending;
    // Programs have the counts alone, in which nothing shows it.
    if (flags.json === true && heldBack !== undefined) printer.warn(heldBack);
    return { exit, errors, summary: validateSummary(ending), text: (page) => validateText(page, ending) };
  });
}
