import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../environment.ts';
import { packaged } from './packaged.ts';
import { systemClock } from './system-clock.ts';

/** What of the environment is this machine's and this process's own. */
export function machine(): Omit<Environment, 'env' | 'onInterrupt'> {
  return {
    cwd: process.cwd(),
    clock: systemClock,
    random: () => Math.random(),
    self: [process.execPath, fileURLToPath(packaged('bin/migrate.js'))],
    host: hostname(),
    pid: process.pid,
  };
}
