import { constants } from 'node:fs';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import type { RunMetrics } from './run-metrics.ts';

/**
 * A pipe without a reader is an error at once: otherwise nothing would end that wait, not even the end of the
 * process.
 */
const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

/**
 * Writes the metrics for a node exporter's textfile collector (absolute path, `.prom`), completely or not at all,
 * readable by all because the exporter is another user; a device, a pipe or a link is written to directly. Returns
 * why it failed.
 */
export async function writeMetrics(
  metrics: Pick<RunMetrics, 'text'>,
  file: string,
): Promise<string | undefined> {
  const draft = `${file}.partial`;
  const isFile = (await lstat(file).catch(() => undefined))?.isFile() ?? true;
  try {
    await writeFile(isFile ? draft : file, await metrics.text(), { mode: 0o644, flag });
    if (isFile) await rename(draft, file);
    return undefined;
  } catch (error) {
    if (isFile) await rm(draft, { force: true }).catch(() => undefined);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
    return `${file} cannot be written: the system reports ${code}. Check its directory and permissions.`;
  }
}
