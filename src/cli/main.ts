import { exitCodes } from '../domain/exit-codes.ts';
import { run } from './run-program.ts';
import { systemShell } from './system-shell.ts';

try {
  process.exitCode = await run(systemShell(), process.argv.slice(2));
} catch (error) {
  // The commands report their own bugs: this one comes from before or after them.
  process.stderr.write(
    `error: a bug in migrate: ${error instanceof Error ? (error.stack ?? '') : String(error)}\n`,
  );
  process.exitCode = exitCodes.bug;
}
