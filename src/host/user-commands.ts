import { exec, spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { RunShellCommand } from '../config/credentials.ts';
import { programOfWindows } from './windows-program.ts';

const isWindows = platform() === 'win32';

/** Runs a command of the user in a shell, for its output. */
export const runShellCommand: RunShellCommand = (command) =>
  new Promise((resolve) => {
    exec(command, { encoding: 'utf8', windowsHide: true }, (error, stdout) => {
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
    const child = spawn(command, {
      shell: true,
      // On Windows, a console of its own that nobody sees keeps an interrupt away.
      detached: !isWindows,
      windowsHide: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const end = (): void => {
      child.stdin.destroy();
      child.unref();
      if (child.pid !== undefined && child.exitCode === null) endTree(child.pid);
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

/** Ends a process and what it has started. */
function endTree(pid: number): void {
  if (isWindows) {
    const killer = spawn(programOfWindows('taskkill.exe'), ['/pid', String(pid), '/t', '/f'], {
      stdio: 'ignore',
      windowsHide: true,
    });
    killer.on('error', () => undefined);
    killer.unref();
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
