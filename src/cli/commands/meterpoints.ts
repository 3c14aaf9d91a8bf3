import { resolve } from 'node:path';
import { aboutStop } from '../../domain/stop-reason.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { readMeterPoints, type HearRegistration } from '../../pipeline/registration/register-accounts.ts';
import { AtomicFile } from '../../report/atomic-file.ts';
import { byteOrderMark, meterPointLine, meterPointsHeader } from '../../report/csv-lists.ts';
import { counted, formatCount } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import { statusesText } from '../../report/registration-text.ts';
import { accountList } from '../../run/listed-accounts.ts';
import { pipelineSettings } from '../../run/pipeline-settings.ts';
import { runStops } from '../../run/run-stops.ts';
import { guardOutputs } from '../../run/session/output-files.ts';
import { outputKinds } from '../../run/session/output-kinds.ts';
import { connectRecorded } from '../connect-recorded.ts';
import {
  completedAccounts,
  lastRun,
  portsOf,
  requireRegistration,
  StatusTally,
  stoppedText,
  warnOfOthers,
} from '../meter-points.ts';
import { concludeReading } from '../open-to-read.ts';
import type { Shell } from '../shell.ts';
import type { MeterpointsFlags } from '../usages/meterpoints.ts';

/** `migrate meterpoints`: asks for the statuses of the meter points of all completed accounts. */
export async function meterpoints(shell: Shell, flags: MeterpointsFlags): Promise<ExitCode> {
  return concludeReading(shell, 'meterpoints', flags, async ({ printer, config, journal }) => {
    await requireRegistration(config);
    const { csv, accounts: list } = flags;
    const output = { name: '--csv', path: csv, kind: outputKinds.meterPoints };
    await guardOutputs(shell, config, [output], { inputs: { accounts: list }, force: flags.force });
    const chosen = list === undefined ? undefined : await accountList(shell, list);
    const file = csv === undefined ? undefined : AtomicFile.open(resolve(shell.cwd, csv));
    if (file !== undefined && !(file instanceof AtomicFile))
      throw new CannotStart(exitCodes.usage, `--csv: ${file.refusal}`);
    const { connection, suppliers } = await connectRecorded(shell, config, journal);
    const stops = runStops(shell, printer, { config, hours: { isOpen: true } });
    const tally = new StatusTally();
    const counts = { accounts: 0, none: 0, unread: 0 };
    const hear: HearRegistration = (key, { state, code, points = [] }) => {
      if (state === 'stopped') return;
      counts.accounts += 1;
      if (state === 'none') counts.none += 1;
      if (state === 'failed') {
        counts.unread += 1;
        printer.line({ type: 'unread', ...key, code }, `${key.account}  not read (${code})`);
      }
      tally.add(points);
      for (const point of points) file?.add(meterPointLine(key, point));
    };
    try {
      file?.add(flags.bom === true ? byteOrderMark + meterPointsHeader : meterPointsHeader);
      const settings = pipelineSettings({ config }, connection);
      const ports = portsOf(shell, journal, connection, stops.stop, printer);
      const run = await lastRun(journal);
      for (const of of suppliers)
        await readMeterPoints(
          { accounts: completedAccounts(journal, of, chosen), settings, platform: of.platform, run },
          ports,
          hear,
        );
      const isWhole = stops.stop.reason === undefined;
      if (file !== undefined && !isWhole)
        printer.warn('--csv: the list is not whole, so it was not written.');
      const failure = isWhole ? file?.complete() : undefined;
      if (isWhole) warnOfOthers(printer, chosen, counts.accounts);
      if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--csv: ${failure}`);
    } finally {
      file?.close();
      stops.end();
      await connection.close();
    }
    const { stop } = stops;
    const told = stoppedText(stop);
    return {
      exit: exitCodeOf([
        ...[...stop.reasons].map((reason) => aboutStop(reason).exit),
        ...(counts.unread > 0 ? [exitCodes.stoppedEarly] : []),
      ]),
      summary: { ...counts, statuses: tally.record, stopReason: stop.reason ?? null },
      text: (page) =>
        [
          ...(tally.rows.length === 0 ? [] : [statusesText(page, tally.rows), '']),
          paragraph(
            page,
            `${counted(counts.accounts, 'completed account')}, ${formatCount(counts.none)} without meter points.`,
          ),
          ...(counts.unread > 0
            ? [
                paragraph(
                  page,
                  `${counted(counts.unread, 'account')} could not be read. Run the same command again.`,
                ),
              ]
            : []),
          ...(told === undefined ? [] : [paragraph(page, told)]),
        ].join('\n'),
    };
  });
}
