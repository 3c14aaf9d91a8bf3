import { exec } from 'node:child_process';
import type { RunShellCommand } from '../../config/credentials.ts';

/** Runs a command of the user in a shell, for its output. */
export const runShellCommand: RunShellCommand = (command) =>
  new Promise((resolve) => {
    exec(command, { encoding: 'utf8' }, (error, stdout) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), stdout });
    });
  });
