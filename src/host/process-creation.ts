import { execFile, spawnSync } from 'node:child_process';
import { programOfWindows } from './windows-program.ts';

/** When the system created the processes that have these ids now, by the wall clock in ms since the epoch; without those of which it does not say it. */
export type CreationTimes = ReadonlyMap<number, number>;

/** Asks the system when it created processes: on Windows that takes a second. */
export interface Creations {
  readonly now: (pid: number) => CreationTimes;
  /** One question for all of them. Never rejects. */
  readonly soon: (pids: readonly number[]) => Promise<CreationTimes>;
}

/** How long the system may take to answer, in ms: less than others wait for the lock under which it may be asked. */
const mostMs = 3_000;

/** How long it may then take to end, in ms. */
const graceMs = 500;

const none: CreationTimes = new Map();

/** Both systems keep the time of the creation when the clock is set. Another system is not asked. */
export function creationsOn(system: string): Creations {
  const options = {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    timeout: mostMs,
    windowsHide: true,
  } as const;
  const ask = questions[system];
  return {
    now(pid) {
      if (ask === undefined) return none;
      const [program, ...args] = ask([pid]);
      const { status, stdout } = spawnSync(program, args, {
        ...options,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return status === 0 ? timesIn(stdout) : none;
    },
    soon(pids) {
      if (ask === undefined) return Promise.resolve(none);
      const [program, ...args] = ask(pids);
      return new Promise((resolve) => {
        // A process that cannot be ended does not keep the question open.
        const over = setTimeout(() => resolve(none), mostMs + graceMs);
        const answer = (times: CreationTimes): void => {
          clearTimeout(over);
          resolve(times);
        };
        try {
          const child = execFile(program, args, options, (error, stdout) => {
            answer(error === null ? timesIn(stdout) : none);
          });
          child.stdin?.end();
        } catch {
          // What the system refuses to start at all, such as a forbidden program.
          answer(none);
        }
      });
    },
  };
}

type Question = (pids: readonly number[]) => readonly [program: string, ...args: string[]];

/** Each is answered with a line for each process: its id, a blank, and the time. */
const questions: Readonly<Record<string, Question | undefined>> = {
  darwin: (pids) => ['/bin/ps', '-o', 'pid=', '-o', 'lstart=', '-p', pids.join(',')],
  // Unlike Get-Process, CIM also tells it of processes of others.
  win32: (pids) => [
    programOfWindows('WindowsPowerShell', 'v1.0', 'powershell.exe'),
    ...['-NoProfile', '-NonInteractive', '-Command'],
    `Get-CimInstance Win32_Process -Filter '${pids.map((pid) => `ProcessId=${pid}`).join(' OR ')}' | Where-Object CreationDate | ForEach-Object { '{0} {1:o}' -f $_.ProcessId, $_.CreationDate.ToUniversalTime() }`,
  ],
};

/** Times are ISO 8601, or `Mon Nov 30 13:26:35 2026`, which is UTC here. Lines of another form are left out. */
export function timesIn(text: string): CreationTimes {
  const found = new Map<number, number>();
  for (const [, pid, said = ''] of text.matchAll(/^ *(\d+) +(\S.*?)\s*$/gm)) {
    const time = Date.parse(said.endsWith('Z') ? said : `${said} UTC`);
    if (!Number.isNaN(time)) found.set(Number(pid), time);
  }
  return found;
}
