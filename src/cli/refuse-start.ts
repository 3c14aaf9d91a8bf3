import { exitCodes } from '../domain/exit-codes.ts';
import { processLimit } from '../domain/process-limit.ts';

/** Open files that starting takes. */
const fewestFiles = 128;

/** Ends the process, with a message, where it was started in a way that keeps every command from its work. */
export function refuseStart(): void {
  const why = fewFiles() ?? lostDirectory();
  if (why === undefined) return;
  process.stderr.write(`error: ${why}\n`);
  process.exit(exitCodes.usage);
}

/** Fewer open files than it takes to load the program end in errors that name no cause. */
function fewFiles(): string | undefined {
  const limit = processLimit('Max open files');
  if (limit === undefined || limit >= fewestFiles) return undefined;
  return `this process may have only ${limit} files open at a time, and needs ${fewestFiles}. Raise the limit (ulimit -n, LimitNOFILE=).`;
}

/** Relative paths have no meaning then. */
function lostDirectory(): string | undefined {
  try {
    process.cwd();
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return code === 'ENOENT'
      ? 'the directory in which this command was started was deleted or unmounted. Change to another one (cd).'
      : `the directory in which this command was started cannot be found (${code}). Change to another one (cd).`;
  }
}
