import type { Settings } from '../../pipeline/settings.ts';
import { counted, formatCount } from '../../report/format.ts';
import type { Reporter } from '../../host/environment.ts';
import { processLimit } from '../../domain/process-limit.ts';

/** What a run has open beside its connections: modules, the journal and its log, the export, outputs, threads. */
const besideConnections = 128;

/** Each connection is an open file: more than may be open would fail as if the platform did not answer. */
export function withinOpenFiles(
  settings: Settings,
  reporter: Pick<Reporter, 'warn'>,
  limit = processLimit('Max open files'),
): Settings {
  if (limit === undefined) return settings;
  const fitting = Math.max(1, limit - besideConnections);
  if (settings.concurrency <= fitting) return settings;
  reporter.warn(
    `At most ${counted(fitting, 'request')} at a time, because this process may have only ${formatCount(limit)} files open. ` +
      `Raise the limit (ulimit -n, LimitNOFILE=) for ${formatCount(settings.concurrency)}.`,
  );
  return { ...settings, concurrency: fitting };
}
