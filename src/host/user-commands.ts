import { exec, spawn } from 'node:child_process';
import type { RunShellCommand } from '../config/credentials.ts';

/** Runs a command of the user in a shell, for its output. */
export const runShellCommand: RunShellCommand = (command) =>
  new Promise((resolve) => {
    exec(command, { encoding: 'utf8' }, (error, stdout) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), stdout });
    });
  });

/**
 * Runs the configured command with the notice as JSON on its standard input; returns why it failed. It has its own
 * process group: an interrupt of the run does not reach it, and when `signal` is aborted the whole group is ended.
 */
export function runNotifyCommand(
  command: string,
  notice: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((done) => {
    const child = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const end = (): void => {
      child.stdin.destroy();
      child.unref();
      if (child.pid !== undefined && child.exitCode === null) endGroup(child.pid);
      done('the command took too long.');
    };
    signal.addEventListener('abort', end, { once: true });
    const finish = (fault: string | undefined): void => {
      signal.removeEventListener('abort', end);
      done(fault);
    };
    child.once('error', () => finish('the command cannot be started.'));
    child.once('exit', (code, by) => {
      child.stdin.destroy();
      finish(code === 0 ? undefined : `the command ended with ${code === null ? by : `code ${code}`}.`);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(notice);
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
