import { CannotStart } from '../../host/cannot-start.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodeOf, type ExitCode } from '../../domain/exit-codes.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { Printer } from '../../report/printer.ts';
import type { Page } from '../../report/terminal.ts';
import type { Finding } from '../doctor-checks.ts';
import type { Shell } from '../shell.ts';
import { isServerAddress } from '../../domain/journal-name.ts';
import { conclude } from '../conclude.ts';
import { examineJournal, examinePlatform } from '../doctor-checks.ts';
import { examineSecretFiles } from '../secret-files.ts';
import { examinePace } from '../pace-finding.ts';
import { examineMeantPlatform } from '../refused-platform.ts';
import { resolveSettings } from '../conclude.ts';
import { examineReadBack } from '../read-back-checks.ts';
import type { DoctorFlags } from '../usages/doctor.ts';

/** `migrate doctor`: checks everything that a run needs, and gives the remedy for each fault. */
export async function doctor(shell: Shell, flags: DoctorFlags): Promise<ExitCode> {
  return conclude(shell, 'doctor', flags, async (printer) => {
    const findings = await examine(shell, flags, printer);
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
      evenIfQuiet: count('warning') > 0,
      text: (page) => findings.map((finding) => findingText(page, finding)).join('\n'),
    };
  });
}

async function examine(shell: Shell, flags: DoctorFlags, printer: Printer): Promise<readonly Finding[]> {
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
  const { file, profile, baseUrl, sourceUrl, journal } = config;
  if (flags.confirmAddress === true) {
    const { confirmAddress } = await import('../../run/session/confirmed-addresses.ts');
    for (const address of [baseUrl, sourceUrl, isServerAddress(journal) ? journal : undefined])
      if (address !== undefined && URL.canParse(address)) await confirmAddress(shell, address);
  }
  const from = file === undefined ? 'No .migraterc was found: the defaults apply.' : `${file} is valid.`;
  const named = profile === undefined ? '' : ` Its profile ${profile} applies.`;
  const platform = await examinePlatform(shell, config);
  return [
    { check: 'configuration', state: 'ok', detail: `${from}${named}` },
    ...(await examineMeantPlatform(shell, config, platform)),
    ...examineSecretFiles(config),
    await examineJournal(shell, config),
    ...(await examinePace(shell, config)),
    ...platform,
    ...(flags.readBack === true || flags.schema !== undefined
      ? await examineReadBack(shell, config, {
          isCut: platform.some(({ state, check }) => state === 'failed' && check !== 'clock'),
          ...{ schema: flags.schema, path: flags.export, printer },
        })
      : []),
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
