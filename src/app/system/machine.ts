import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../environment.ts';
import { packaged } from './packaged.ts';
import { systemClock } from './system-clock.ts';

/** The parts of the environment that belong to this machine and this process. */
export function machine(): Omit<Environment, 'env' | 'onInterrupt'> {
  return {
    cwd: process.cwd(),
    clock: systemClock,
    random: () => Math.random(),
    self: [process.execPath, fileURLToPath(packaged('bin/migrate.js'))],
    user: user(),
    host: hostname(),
    pid: process.pid,
  };
}

/** From the system, which the environment cannot change. In a container the user may have no name. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
