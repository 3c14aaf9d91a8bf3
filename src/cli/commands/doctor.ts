import type { Config } from '../../config/load-config.ts';
import { exitCodeOf, type ExitCode } from '../../domain/exit-codes.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { Page } from '../../report/terminal.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { examineJournal } from '../doctor/examine-journal.ts';
import { examinePlatform } from '../doctor/examine-platform.ts';
import { examineSecretFiles } from '../doctor/examine-secret-files.ts';
import type { Finding } from '../doctor/finding.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface DoctorFlags extends CommonFlags {
  readonly supplier?: string;
}

/** `migrate doctor`: checks everything that a run needs, and gives the remedy for each fault. */
export function doctorCommand(shell: Shell, flags: DoctorFlags): Promise<ExitCode> {
  return conclude(shell, 'doctor', flags, async (printer) => {
    const findings = await examine(shell, flags);
    for (const finding of findings) printer.line({ type: 'finding', ...finding });
    const failed = findings.flatMap(({ exit }) => (exit === undefined ? [] : [exit]));
    const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length;
    return {
      exit: exitCodeOf(failed),
      summary: {
        ok: count('ok'),
        warnings: count('warning'),
        failed: count('failed'),
        skipped: count('skipped'),
      },
      text: (page) => findings.map((finding) => findingText(page, finding)).join('\n'),
    };
  });
}

async function examine(shell: Shell, flags: DoctorFlags): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = await resolveSettings(shell, flags);
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return error.lines.map((detail) => ({
      check: 'configuration',
      state: 'failed',
      detail,
      exit: error.exit,
    }));
  }
  const { file, profile } = config;
  const from = file === undefined ? 'No .migraterc was found: the defaults apply.' : `${file} is valid.`;
  const named = profile === undefined ? '' : ` Its profile ${profile} applies.`;
  return [
    { check: 'configuration', state: 'ok', detail: `${from}${named}` },
    ...examineSecretFiles(config),
    await examineJournal(shell, config),
    ...(await examinePlatform(shell, config)),
  ];
}

function findingText(page: Page, { check, state, detail, remedy }: Finding): string {
  const { green, yellow, red, dim } = page.paint;
  const paint = { ok: green, warning: yellow, failed: red, skipped: dim }[state];
  return [
    `${paint(state.padEnd(7))}  ${check}`,
    paragraph(page, detail, '    '),
    ...(remedy === undefined ? [] : [paragraph(page, remedy, '    ')]),
  ].join('\n');
}
