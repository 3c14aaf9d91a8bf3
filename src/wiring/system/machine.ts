import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Surroundings } from '../surroundings.ts';
import { systemClock } from './system-clock.ts';

/** What of the surroundings is this machine's and this process's own. */
export function machine(): Omit<Surroundings, 'env' | 'onInterrupt'> {
  return {
    cwd: process.cwd(),
    clock: systemClock,
    random: () => Math.random(),
    self: [process.execPath, fileURLToPath(new URL('../../../bin/migrate.js', import.meta.url))],
    host: hostname(),
    pid: process.pid,
  };
}
