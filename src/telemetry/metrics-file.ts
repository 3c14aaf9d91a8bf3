import { rename, rm, writeFile } from 'node:fs/promises';
import type { RunMetrics } from './run-metrics.ts';

/**
 * Writes the metrics where a node exporter's textfile collector reads them (absolute path, `.prom`), whole or not at
 * all, readable by all as the exporter is another user. Gives what kept it from that.
 */
export async function writeMetrics(metrics: RunMetrics, file: string): Promise<string | undefined> {
  const draft = `${file}.partial`;
  try {
    await writeFile(draft, await metrics.text(), { mode: 0o644 });
    await rename(draft, file);
    return undefined;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
    return `${file} cannot be written: the system reports ${code}. Check its directory and permissions.`;
  }
}
