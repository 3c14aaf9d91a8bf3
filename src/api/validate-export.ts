import type { CheckEnding } from '../report/ending.ts';
import { checkExport } from '../run/check-export.ts';
import type { ExportOptions } from './options.ts';
import { onCall } from './call.ts';
import { checkExportOptions } from './check-options.ts';

/**
 * Maps every account of an export and checks it, as `migrate validate` does: no request is sent, and no journal is
 * needed. Throws CannotStart if the export cannot be read.
 */
export async function validateExport(options: ExportOptions): Promise<CheckEnding> {
  checkExportOptions(options);
  return onCall(options, ({ environment, config, reporter, hear }) =>
    checkExport(
      environment,
      { ...options, path: options.export, config },
      { reporter, tell: (problem) => hear({ type: 'problem', problem }) },
    ),
  );
}
