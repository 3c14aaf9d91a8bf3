import { hostname, userInfo } from 'node:os';
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
    user: user(),
    host: hostname(),
    pid: process.pid,
  };
}

/** The system's own word, which the environment cannot change. In a container the user may have no name. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
