const noProcess =
  'This machine allows no further process or thread. Raise its limit (ulimit -u, TasksMax=, pids.max)';

/** What a machine is short of, by the system's code, with the remedy. */
const shortages: ReadonlyMap<string, string> = new Map([
  [
    'EMFILE',
    'This process has as many files and connections open as it may. Raise its limit (ulimit -n, LimitNOFILE=) or lower --concurrency',
  ],
  [
    'ENFILE',
    'This machine has as many files and connections open as it can. End other programs, or raise fs.file-max',
  ],
  ['ENOMEM', 'This machine has no memory left. End other programs, or give it more'],
  [
    'ERR_WORKER_OUT_OF_MEMORY',
    'The thread that reads the export has used the memory that it may have. Raise it with NODE_OPTIONS=--max-old-space-size=4096 (MB), or lower memoryMb',
  ],
  ['ERR_WORKER_INIT_FAILED', noProcess],
  ['ENOSPC', 'A disk of this machine is full. Free space'],
  ['EDQUOT', 'The quota of this user on a disk of this machine is used up. Free space'],
  ['EROFS', 'A file system of this machine is mounted read-only, as after an error of its disk. Check it'],
  ['EIO', 'A disk of this machine reports an error. Check it'],
  [
    'EADDRNOTAVAIL',
    'This machine has no free port for another connection. Wait a minute, or lower --concurrency',
  ],
  ['ENOBUFS', 'This machine has no buffers left for its network. Lower --concurrency'],
]);

/** EAGAIN says so of a program that was to be started; of anything else it means only that it would have to wait. */
function isOutOfProcesses(error: Error): boolean {
  return (
    'code' in error && error.code === 'EAGAIN' && 'syscall' in error && /^spawn/.test(String(error.syscall))
  );
}

const noMemory =
  'This process gets no more memory from the system. Raise its limit (ulimit -v, LimitAS=) to 16 GB or more, or give this machine more';

/** What the engine says where the system gives it no memory; it has no code of its own. */
function isOutOfMemory(error: Error): boolean {
  return (
    error instanceof RangeError &&
    /allocation failed|could not allocate|out of memory|cannot allocate/i.test(error.message)
  );
}

function withoutCode(error: Error): string | undefined {
  if (isOutOfMemory(error)) return noMemory;
  return isOutOfProcesses(error) ? noProcess : undefined;
}

/**
 * What of this machine kept an operation from its end, with the remedy, if the error or one of its causes says so: a thing that
 * neither the platform nor the export has to do with.
 */
export function hostShortage(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const code = 'code' in at ? String(at.code) : '';
    const said = shortages.get(code) ?? withoutCode(at);
    if (said !== undefined)
      return `${said}, and run the same command again (${code === '' ? at.name : code}).`;
    if (at instanceof AggregateError) {
      const inner = at.errors.map(hostShortage).find((one) => one !== undefined);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}
