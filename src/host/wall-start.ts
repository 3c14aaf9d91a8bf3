import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * When the system created the process that has this id now, by the wall clock in ms since the epoch; undefined if it does not say, or
 * has none.
 */
export type CreatedAt = (pid: number) => number | undefined;

const prefix = 'at/';

/**
 * How much later than its own first look at the clock a process may have been created, in ms, if the clock was set between the two. Without
 * that, it is created earlier.
 */
const toleranceMs = 300_000;

/** How long the system may take to answer, in ms: less than others wait for the lock under which it is asked. */
const mostMs = 3_000;

/** Identifies this process where no start can be read: a time at which it ran, by the wall clock. */
export function wallStart(): string {
  return `${prefix}${Math.ceil(performance.timeOrigin)}`;
}

/** Whether a start is of this form, or of a version that recorded none. */
export function isWallStart(start: string): boolean {
  return start === '' || start.startsWith(prefix);
}

/** Whether the process that has this id now was certainly created after the one that started so. */
export function isCreatedLater(pid: number, start: string, createdAt: CreatedAt): boolean {
  const ran = start === '' ? NaN : Number(start.slice(prefix.length));
  const created = Number.isNaN(ran) ? undefined : createdAt(pid);
  return created !== undefined && created > ran + toleranceMs;
}

/** Asks the system, which on Windows takes a second. Both systems keep the time of the creation when the clock is set. */
export function createdAtOn(system: string): CreatedAt {
  return (pid) => {
    const question = questions[system]?.(pid);
    if (question === undefined) return undefined;
    const [program, ...args] = question;
    const { status, stdout } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: mostMs,
      windowsHide: true,
    });
    return status === 0 ? timeIn(stdout) : undefined;
  };
}

type Question = (pid: number) => readonly [program: string, ...args: string[]];

const questions: Readonly<Record<string, Question | undefined>> = {
  darwin: (pid) => ['/bin/ps', '-o', 'lstart=', '-p', String(pid)],
  // Unlike Get-Process, CIM also tells it of processes of others.
  win32: (pid) => [
    programOfWindows('WindowsPowerShell', 'v1.0', 'powershell.exe'),
    ...['-NoProfile', '-NonInteractive', '-Command'],
    `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CreationDate.ToUniversalTime().ToString('o')`,
  ],
};

/** A program of Windows by its place: by its name alone, one in the working directory would be started. */
export function programOfWindows(...path: readonly string[]): string {
  return join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', ...path);
}

/** `Mon Nov 30 13:26:35 2026`, which is UTC here, or ISO 8601. Undefined if it is neither. */
export function timeIn(text: string): number | undefined {
  const said = text.trim();
  const time = Date.parse(said.endsWith('Z') ? said : `${said} UTC`);
  return Number.isNaN(time) ? undefined : time;
}
