import { exec } from 'node:child_process';
import type { RunCommand } from '../config/credentials.ts';

/** Runs a command of the configuration in a shell. */
export const runCommand: RunCommand = (command) =>
  new Promise((resolve) => {
    exec(command, { encoding: 'utf8' }, (error, stdout) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), stdout });
    });
  });
